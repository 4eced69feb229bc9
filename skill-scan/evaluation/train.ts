import { writeFile } from 'node:fs/promises'
import { type Embed, featuresOf, judge, passagesOf, wordsOf } from '../src/likeness.js'
import { bucketOf, type Model } from '../src/model.js'
import { readingsOf } from '../src/readings.js'
import { readCorpus, readSentences, type Sample, UNREAD } from './corpus.js'
import { type Example, train } from './training.js'

const BUCKETS = 2 ** 15
const WORD_BITS = 2 ** 16
const ROW = 400
const FILE = new URL('../src/weights.ts', import.meta.url)

/** Shares of the documents of an author from whom the model has not learnt. */
const HARMLESS_LABELLED = 0.06
const HARMLESS_UNSURE = 0.15
const HARMFUL_CALLED_HARMLESS = 0.08

/** Trains the model on everything that may be learnt from, and writes it with its thresholds. */
export async function writeWeights(embed: Embed): Promise<string> {
  const samples = (await readCorpus()).filter(({ part }) => !UNREAD.includes(part))
  const sentences = await readSentences()
  const read = cached(embed)
  const examples = await Promise.all(samples.map((sample) => examplesOf(sample, read)))
  const alone = await Promise.all(sentences.map(({ text, isBad }) => exampleOf(text, isBad, 1, read)))
  const judged = await judgeEachAuthor(samples, examples, alone, read)
  const thresholds = {
    SURELY_HARMFUL: quantile(judged, false, 1 - HARMLESS_LABELLED),
    MAYBE_HARMFUL: quantile(judged, false, 1 - HARMLESS_UNSURE),
    CLEARLY_HARMLESS: quantile(judged, true, HARMFUL_CALLED_HARMLESS),
  }
  const texts = [...samples.map(({ document }) => document), ...sentences.map(({ text }) => text)]
  await writeFile(FILE, sourceOf(train([...examples.flat(), ...alone], BUCKETS), wordBits(texts), thresholds))
  const missed = judged.filter(({ isBad, worst }) => isBad && worst < thresholds.SURELY_HARMFUL).length
  const bad = judged.filter(({ isBad }) => isBad).length
  return `Learnt from ${samples.length} documents and ${sentences.length} sentences. Without the rules, and of authors whom it did not know, the model misses ${missed} of ${bad} harmful documents when it labels ${HARMLESS_LABELLED * 100} % of the harmless ones.`
}

const authorOf = ({ part }: Sample) => (part.includes('-') || part === 'training' ? part : 'own')

interface Scored {
  readonly isBad: boolean
  readonly worst: number
}

/** What a model says of the documents of each author when it has learnt from the others alone. */
async function judgeEachAuthor(
  samples: readonly Sample[],
  examples: readonly Example[][],
  alone: readonly Example[],
  embed: Embed,
): Promise<Scored[]> {
  const scored: Scored[] = []
  for (const author of new Set(samples.map(authorOf))) {
    const others = examples.filter((_, index) => authorOf(samples[index] as Sample) !== author)
    const model = train([...others.flat(), ...alone], BUCKETS)
    for (const sample of samples.filter((sample) => authorOf(sample) === author)) {
      const { worst } = await judge(passagesOf(readAs(sample)), embed, model)
      scored.push({ isBad: sample.isBad, worst })
    }
  }
  return scored
}

const readAs = ({ document }: Sample) => readingsOf(document)[0] ?? document

// Which passage of a harmful document is harmful is not known, so that each counts for a part.
async function examplesOf(sample: Sample, embed: Embed): Promise<Example[]> {
  const passages = passagesOf(readAs(sample))
  const weight = sample.isBad ? 1 / passages.length : 1
  return Promise.all(passages.map(({ text }) => exampleOf(text, sample.isBad, weight, embed)))
}

async function exampleOf(text: string, isBad: boolean, weight: number, embed: Embed): Promise<Example> {
  const [vector] = (await embed([text])) ?? []
  if (!vector) throw new Error('The local sentence model does not load here.')
  return { features: featuresOf(text, BUCKETS), vector, isBad, weight }
}

function cached(embed: Embed): Embed {
  const known = new Map<string, Promise<Float32Array>>()
  const one = async (text: string) => {
    const [vector] = (await embed([text])) ?? []
    if (!vector) throw new Error('The local sentence model does not load here.')
    return vector
  }
  return (texts) =>
    Promise.all(
      texts.map((text) => {
        const vector = known.get(text) ?? one(text)
        known.set(text, vector)
        return vector
      }),
    )
}

function quantile(scored: readonly Scored[], isBad: boolean, share: number): number {
  const sorted = scored
    .filter((one) => one.isBad === isBad)
    .map(({ worst }) => worst)
    .sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** One bit for each word that occurs, by which the scan sees whether it knows a language. */
function wordBits(texts: readonly string[]): Uint8Array {
  const bits = new Uint8Array(WORD_BITS / 8)
  for (const word of texts.flatMap((text) => wordsOf(text))) {
    const bit = bucketOf(word, WORD_BITS)
    bits[bit >> 3] = (bits[bit >> 3] as number) | (1 << (bit & 7))
  }
  return bits
}

function sourceOf({ bias, vectorBias, letters, vector }: Model, words: Uint8Array, thresholds: object): string {
  const constants = Object.entries({ ...thresholds, BIAS: bias, VECTOR_BIAS: vectorBias }).map(
    ([name, value]) => `export const ${name} = ${(value as number).toFixed(3)}`,
  )
  return `// Written by npm run evaluate -- skill-scan --train. Do not edit.

${constants.join('\n')}

export const LETTERS = ${quantised(letters)}

export const VECTOR = ${quantised(vector)}

export const KNOWN_WORDS = \`
${rowsOf(Buffer.from(words).toString('base64'))}
\`
`
}

function quantised(weights: ArrayLike<number>): string {
  const values = Array.from(weights)
  const unit = Math.max(...values.map(Math.abs)) / 127
  const bytes = Int8Array.from(values, (value) => Math.round(value / unit))
  return `{
  unit: ${unit.toPrecision(6)},
  bytes: \`
${rowsOf(Buffer.from(bytes.buffer).toString('base64'))}
\`,
}`
}

const rowsOf = (text: string) => (text.match(new RegExp(`.{1,${ROW}}`, 'g')) ?? []).join('\n')
