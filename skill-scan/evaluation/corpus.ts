import { readFile } from 'node:fs/promises'

/** Parts by the author of the rules, and then those by somebody who had not seen them. */
export const PARTS = ['first', 'second', 'third', 'fourth', 'held-out', 'blind-dev', 'blind-held-out'] as const
const OWN_PARTS = PARTS.slice(0, 5)
const FOLDER = new URL('../corpus/', import.meta.url)
// As long as a real one, and made of what real ones are made of.
const API_KEY = `sk_${'Rk7'.repeat(16)}0`

/** A document of the corpus. */
export interface Sample {
  readonly part: (typeof PARTS)[number]
  readonly isBad: boolean
  readonly name: string
  /** How it does harm, or what makes it look as if it did. */
  readonly kind: string
  readonly document: string
  readonly language: string
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
    samplesIn(await readFile(new URL(file, FOLDER), 'utf8')).map((sample) => ({
      ...sample,
      part,
      isBad,
      language: 'en',
    })),
  )
  return [...(await Promise.all(read)).flat(), ...(await readBlindCorpus())]
}

interface BlindLine {
  readonly id: string
  readonly kind: string
  readonly verdict: 'malicious' | 'benign'
  readonly part: 'dev' | 'held-out'
  readonly language: string
  readonly content: string
}

async function readBlindCorpus(): Promise<Sample[]> {
  const lines = (await readFile(new URL('blind.jsonl', FOLDER), 'utf8')).trim().split('\n')
  return lines.map((line) => {
    const { id, kind, verdict, part, language, content } = JSON.parse(line) as BlindLine
    const isBad = verdict === 'malicious'
    return { part: `blind-${part}` as const, isBad, name: id, kind, document: content, language }
  })
}

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
