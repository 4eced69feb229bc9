import { writeFile } from 'node:fs/promises'
import { type Embed, featuresOf, judge, passagesOf, wordsOf } from '../src/likeness.js'
import { bucketOf } from '../src/model.js'
import { readingsOf } from '../src/readings.js'
import { readCorpus, readSentences, type Sample, UNREAD } from './corpus.js'
import { type Example, type Trained, train } from './training.js'

const BUCKETS = 2 ** 15
const WORD_BITS = 2 ** 16
const ROW = 400
const FILE = new URL('../src/weights.ts', import.meta.url)

/** Shares of the documents of authors from whom the model has not learnt. */
const HARMLESS_LABELLED = 0.05
const HARMLESS_UNSURE = 0.12
const HARMFUL_CALLED_HARMLESS = 0.08

// The authors are judged in groups: learning takes half a minute.
const GROUPS = 6

/** Trains the model on everything that may be learnt from, and writes it with its thresholds. */
export async function writeWeights(embed: Embed, report: (done: string) => void): Promise<string> {
  const samples = (await readCorpus()).filter(({ part }) => !UNREAD.includes(part))
  const sentences = await readSentences()
  const read = cached(embed)
  const examples: Example[][] = []
  for (const sample of samples) examples.push(await examplesOf(sample, read))
  const alone: Example[] = []
  for (const { text, isBad } of sentences) alone.push(await exampleOf(text, isBad, isBad ? FOUND : 1, read))
  report(`Read ${samples.length} documents and ${sentences.length} sentences.`)
  const { judged, byLetters } = await judgeEachAuthor(samples, examples, alone, read, report)
  const thresholds = {
    SURELY_HARMFUL: quantile(judged, false, 1 - HARMLESS_LABELLED),
    MAYBE_HARMFUL: quantile(judged, false, 1 - HARMLESS_UNSURE),
    MAYBE_BY_LETTERS: quantile(byLetters, false, 1 - HARMLESS_LABELLED),
    CLEARLY_HARMLESS: quantile(judged, true, HARMFUL_CALLED_HARMLESS),
  }
  const texts = [...samples.map(({ document }) => document), ...sentences.map(({ text }) => text)]
  await writeFile(FILE, sourceOf(train([...examples.flat(), ...alone], BUCKETS), wordBits(texts), thresholds))
  const missed = judged.filter(({ isBad, worst }) => isBad && worst < thresholds.SURELY_HARMFUL).length
  const bad = judged.filter(({ isBad }) => isBad).length
  return `Without the rules, and of authors whom it did not know, the model misses ${missed} of ${bad} harmful documents when it labels ${HARMLESS_LABELLED * 100} % of the harmless ones.`
}

interface Scored {
  readonly isBad: boolean
  readonly worst: number
}

/** What a model says of the documents of each author when it has learnt from those of other groups alone. */
async function judgeEachAuthor(
  samples: readonly Sample[],
  examples: readonly Example[][],
  alone: readonly Example[],
  embed: Embed,
  report: (done: string) => void,
): Promise<{ judged: Scored[]; byLetters: Scored[] }> {
  const scored = { judged: [] as Scored[], byLetters: [] as Scored[] }
  const authors = [...new Set(samples.map(({ author }) => author))]
  for (let group = 0; group < GROUPS; group++) {
    const unknown = authors.filter((_, index) => index % GROUPS === group)
    const others = examples.filter((_, index) => !unknown.includes(samples[index]?.author ?? ''))
    const { model } = train([...others.flat(), ...alone], BUCKETS)
    for (const sample of samples.filter(({ author }) => unknown.includes(author))) {
      const passages = passagesOf(readAs(sample))
      scored.judged.push({ isBad: sample.isBad, worst: (await judge(passages, embed, model)).worst })
      scored.byLetters.push({ isBad: sample.isBad, worst: (await judge(passages, undefined, model)).worst })
    }
    report(`Judged ${unknown.join(', ')} (${group + 1} of ${GROUPS}).`)
  }
  return scored
}

const readAs = ({ document }: Pick<Sample, 'document'>) => readingsOf(document)[0] ?? document

/** By how much a passage counts that does harm, and one beside it that does not. */
const FOUND = 2
const BESIDE = 0.5
// Which passage of a harmful document is harmful may not be known, so that each counts for a part.
const SHARED = 1.5
/** How much of the harm a harmful passage holds, and a harmless one at most. */
const MOST = 0.4
const HARDLY = 0.05

async function examplesOf(sample: Sample, embed: Embed): Promise<Example[]> {
  const passages = passagesOf(readAs(sample))
  const learn = (text: string, isBad: boolean, weight: number) => exampleOf(text, isBad, weight, embed)
  const examples = passages.map(async ({ text }) => {
    if (!sample.isBad) return [await learn(text, false, 1)]
    if (!sample.harm) return [await learn(text, true, SHARED / passages.length)]
    const share = Math.max(...sample.harm.map((harm) => shareOf(harm, text)))
    if (share >= MOST) return [await learn(text, true, FOUND)]
    return share < HARDLY ? [await learn(text, false, BESIDE)] : []
  })
  return (await Promise.all(examples)).flat()
}

const PIECE = 12

/** How much of a passage as its author wrote it stands in a text that was read and split. */
function shareOf(harm: string, text: string): number {
  const bare = (written: string) => written.replace(/[^\p{Letter}\p{Number}]/gu, '')
  const [wanted, given] = [bare(readAs({ document: harm })), bare(text)]
  let found = 0
  for (let from = 0; from < wanted.length; from += PIECE) {
    const piece = wanted.slice(from, from + PIECE)
    if (given.includes(piece)) found += piece.length
  }
  return found / Math.max(wanted.length, 1)
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

function sourceOf({ model, spreads }: Trained, words: Uint8Array, thresholds: object): string {
  const { bias, letters, network } = model
  const constants = Object.entries({ ...thresholds, BIAS: bias, OUT_BIAS: network.bias }).map(
    ([name, value]) => `export const ${name} = ${(value as number).toFixed(3)}`,
  )
  const hidden = Array.from(network.hidden, (weight, index) => weight * (spreads[index % spreads.length] as number))
  const list = (values: ArrayLike<number>) => `[${Array.from(values, (value) => value.toFixed(4)).join(', ')}]`
  const base64 = (bytes: Uint8Array) => `\`\n${rowsOf(Buffer.from(bytes).toString('base64'))}\n\``
  return `// Written by npm run evaluate -- skill-scan --train. Do not edit.

${constants.join('\n')}

export const HIDDEN_BIASES = ${list(network.biases)}

export const OUT = ${list(network.out)}

export const LETTERS = ${quantised(letters)}

export const HIDDEN = ${quantised(hidden)}

export const SPREADS = ${base64(new Uint8Array(spreads.buffer))}

export const KNOWN_WORDS = ${base64(words)}
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
