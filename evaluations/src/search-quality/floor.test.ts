import { createLocalEmbedder, measureFloor } from '@rookery/server/search'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Corpus, readCorpus } from './corpus.js'

// A part of what `npm run evaluate -- search-quality` measures on everything.
const EVERY = 8
// This one is beyond the tenth place in the whole corpus.
const FAR = new Set(['teetotal substitutes have improved a lot'])

const embedder = createLocalEmbedder()
let corpus: Corpus
beforeAll(async () => {
  corpus = await readCorpus()
  await embedder.ready
})
afterAll(() => embedder.close())

const dot = (one: Float32Array, other: Float32Array) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)

async function embed(texts: readonly string[]): Promise<{ vector: Float32Array; floor: number }[]> {
  const vectors = await embedder.embed(texts, 'query')
  return Promise.all(vectors.map(async (vector) => ({ vector, floor: await measureFloor(embedder, vector) })))
}

test('labelled answers are nearer to their queries than nonsense is, and further from nonsense', async () => {
  const paraphrases = corpus.queries.filter(({ kind, text }) => kind === 'paraphrase' && !FAR.has(text))
  const queries = paraphrases.filter((_, index) => index % EVERY === 0)
  const answers = queries.map(({ relevant }) => corpus.tweets.find(({ id }) => id === relevant[0])?.text ?? '')
  const [asked, wanted, nonsense] = await Promise.all([
    embed(queries.map(({ text }) => text)),
    embed(answers),
    embed(corpus.nonsense.map(({ text }) => text)),
  ])
  const cut = queries.filter((_, index) => {
    const query = asked[index]
    return !query || dot(query.vector, wanted[index]?.vector ?? new Float32Array()) < query.floor
  })
  expect(cut.map(({ text }) => text)).toEqual([])
  const answered = corpus.nonsense.filter((_, index) => {
    const query = nonsense[index]
    return !query || wanted.some(({ vector }) => dot(query.vector, vector) >= query.floor)
  })
  expect(answered.map(({ text }) => text)).toEqual([])
})
