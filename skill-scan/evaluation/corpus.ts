import { readdir, readFile } from 'node:fs/promises'

const OWN_PARTS = ['first', 'second', 'third', 'fourth', 'held-out'] as const
/** Parts by the author of the rules, and then those by others, who had not seen them. */
export const PARTS = [...OWN_PARTS, 'blind-dev', 'blind-held-out', 'training', 'marked', 'unseen', 'unseen-2'] as const
/** Parts from which nothing is learnt, and which nobody who changes the scan reads. */
export const UNREAD: readonly Part[] = ['held-out', 'blind-held-out', 'unseen', 'unseen-2']
const FOLDER = new URL('../corpus/', import.meta.url)
// As long as a real one, and made of what real ones are made of.
const API_KEY = `sk_${'Rk7'.repeat(16)}0`

export type Part = (typeof PARTS)[number]

/** A document of the corpus. */
export interface Sample {
  readonly part: Part
  readonly isBad: boolean
  readonly name: string
  /** How it does harm, or what makes it look as if it did. */
  readonly kind: string
  readonly document: string
  readonly language: string
  readonly author: string
  /** The passages that do harm, where they are known. */
  readonly harm?: readonly string[]
}

/** Names that are taken for known ones when the corpus is scanned. */
export const knownNames = {
  popular: ['Market Maker Pro', 'Wallet Guardian', 'Daily Digest', 'Sentiment Radar', 'Chart Reader'],
  platform: 'Rookery',
  host: 'rookery.social',
}

/** Whether a text has the key in it that stands for those of the platform. */
export function containsApiKey(text: string): boolean {
  return text.includes(API_KEY)
}

/** All documents of the corpus. */
export async function readCorpus(): Promise<Sample[]> {
  const parts = OWN_PARTS.flatMap((part) => [
    { part, isBad: true, file: `${part}-bad.txt` },
    { part, isBad: false, file: `${part}-good.txt` },
  ])
  const read = parts.map(async ({ part, isBad, file }) =>
    samplesIn(await readText(file)).map((sample) => ({
      ...sample,
      part,
      isBad,
      language: 'en',
      author: 'own',
    })),
  )
  const lines = ['blind.jsonl', 'training.jsonl', 'marked.jsonl', 'unseen.jsonl', 'unseen-2.jsonl'].map(async (file) =>
    (await readText(file))
      .trim()
      .split('\n')
      .map((line) => sampleOf(JSON.parse(line) as Line, file)),
  )
  return (await Promise.all([...read, ...lines])).flat()
}

interface Line {
  readonly id: string
  readonly kind: string
  readonly verdict: 'malicious' | 'benign'
  readonly part?: 'dev' | 'held-out'
  readonly language: string
  readonly content: string
  readonly author?: string
  readonly harm?: string | readonly string[]
}

function sampleOf({ id, kind, verdict, part, language, content, author, harm }: Line, file: string): Sample {
  const name = file.replace('.jsonl', '')
  return {
    part: (part ? `${name}-${part}` : name) as Part,
    isBad: verdict === 'malicious',
    name: id,
    kind,
    document: content,
    language,
    author: author ?? name,
    ...(harm && { harm: [harm].flat() }),
  }
}

/** A harmful or harmless sentence to learn from. */
export interface LearntSentence {
  readonly text: string
  readonly isBad: boolean
}

/** The sentences of all languages, in the order of their files. */
export async function readSentences(): Promise<LearntSentence[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.startsWith('sentences-')).sort()
  const texts = await Promise.all(files.map(readText))
  return texts
    .flatMap((text) => text.split('\n'))
    .filter((line) => /^[+-] /.test(line))
    .map((line) => ({ text: line.slice(2), isBad: line.startsWith('+') }))
}

const readText = (file: string) => readFile(new URL(file, FOLDER), 'utf8')

function samplesIn(text: string): Pick<Sample, 'name' | 'kind' | 'document'>[] {
  return text
    .split(/^%%% /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const [name = '', kind = ''] = heading.split(' | ')
      return { name, kind, document: unescaped(lines.join('\n').trimEnd()) }
    })
}

// Characters that cannot be seen are written as ⟦U+200B⟧, and no file holds anything that looks like a key.
function unescaped(text: string): string {
  return text
    .replace(/⟦U\+([0-9A-F]{4,6})⟧/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('{{api_key}}', API_KEY)
}
