import type { Embedder } from '../../adapters/embeddings/embedder.js'
import { dot } from './noise.js'

// Mashed keys, invented words and loose digits. `npm run evaluate -- search-quality` measures with others.
const NONSENSE = [
  'qwrt zxcv bnmp',
  'dfghjk qazwsx',
  'plokij uhyg',
  'xqzv jkwp',
  'flurgle snabbit',
  'zibble tronk vop',
  'grzlph wnt',
  'hhhhhhh jjjjj',
  'qazxsw edcvfr',
  '7f3q 9zk1 0xw8',
  'blimf dorgat',
  'mnbvcx lkjh',
  'vrrt skrl pftt',
  'wozzle quimb',
  'ksjdf lsdkfj',
  'asdf asdf asdf',
  'zxcvbn',
  'yuiop',
  'jfkdls',
  'qweqwe',
  'trrb plonx',
  'ghjfgh',
  '59302 84751 20394',
  'ooooo xxxxx',
  'snurp glabbin',
  'dkfjgh',
  'eirutye',
  'vlix krenn sto',
  '!!!! ----',
  'wxyz wxyz',
]

// Measured with the default model: without it, one nonsense query of fifty finds something; with 0.05, a labelled query
// loses an answer.
const MARGIN = 0.02

const vectorsOf = new WeakMap<Embedder, Promise<Float32Array[]>>()

/**
 * How similar a text must at least be to a query for its meaning to count: more than anything meaningless is. A model puts
 * gibberish close to other gibberish, while its similarity to real texts overlaps with that of real queries, so that no
 * fixed number tells them apart.
 */
export async function measureFloor(embedder: Embedder, query: Float32Array): Promise<number> {
  const vectors = await embedNonsense(embedder)
  return Math.max(...vectors.map((vector) => dot(vector, query))) + MARGIN
}

function embedNonsense(embedder: Embedder): Promise<Float32Array[]> {
  const known = vectorsOf.get(embedder)
  if (known) return known
  const vectors = embedder.embed(NONSENSE, 'query')
  vectorsOf.set(embedder, vectors)
  vectors.catch(() => vectorsOf.delete(embedder))
  return vectors
}
