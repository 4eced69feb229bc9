import { writeFile } from 'node:fs/promises'
import { passagesOf } from '../src/likeness.js'
import { readingsOf } from '../src/readings.js'
import { readBlocks } from '../src/text.js'
import { readCorpus } from './corpus.js'
import { exampleOf, type Model, train } from './training.js'

const PENALTY = 3e-4
const LEAST_WEIGHT = 0.15
const FILE = new URL('../src/weights.ts', import.meta.url)

/** Trains the model on everything but the held-out parts. */
export async function trainOnCorpus(): Promise<Model> {
  const samples = (await readCorpus()).filter(({ part }) => !part.endsWith('held-out'))
  const examples = samples.map(({ document, isBad, language }) => {
    const [reading = document] = readingsOf(document)
    return exampleOf(passagesOf(readBlocks(reading)), isBad, language)
  })
  return train(examples, PENALTY)
}

/** Trains the model and writes its weights. Returns how many there are. */
export async function writeWeights(): Promise<number> {
  const { bias, weights } = await trainOnCorpus()
  const kept = [...weights]
    .filter(([, weight]) => Math.abs(weight) >= LEAST_WEIGHT)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const lines = kept.map(([feature, weight]) => `${feature} ${weight.toFixed(2)}`)
  await writeFile(
    FILE,
    `// Written by npm run evaluate -- skill-scan --train. Do not edit.

export const BIAS = ${bias.toFixed(2)}

const TEXT = \`
${rowsOf(lines).join('\n')}
\`

export const WEIGHTS: ReadonlyMap<string, number> = new Map(
  TEXT.split(',').map((entry) => {
    const [feature = '', weight = ''] = entry.trim().split(' ')
    return [feature, Number(weight)]
  }),
)
`,
  )
  return kept.length
}

function rowsOf(entries: readonly string[]): string[] {
  const rows: string[] = []
  let row = ''
  for (const [index, entry] of entries.entries()) {
    const next = index === entries.length - 1 ? entry : `${entry},`
    if (row.length + next.length > 118) {
      rows.push(row)
      row = ''
    }
    row += row === '' ? next : ` ${next}`
  }
  return [...rows, row]
}
