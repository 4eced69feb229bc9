import { type Network, overSpreads } from '../src/model.js'
import { createRandom } from './random.js'
import type { Example } from './training.js'

const UNITS = 32
const ROUNDS = 10
const BATCH = 256
const STEP = 1e-3
const DECAY = 0.1
// Which parts of a vector and which units are left out of a step, so that none relies on few others.
const KEPT = 0.7
const MASK = 2 ** 16

/** Trains the network with Adam on vectors of which every part has mean 0 and spread 1. */
export function trainNetwork(examples: readonly Example[]): { network: Network; spreads: Float32Array } {
  const size = examples[0]?.vector.length ?? 0
  const { means, spreads } = spreadsOf(examples, size)
  const random = createRandom()
  const uniform = (bound: number) => () => ((random.below(2 ** 24) / 2 ** 24) * 2 - 1) * bound
  const hidden = adam(UNITS * size, uniform(1 / Math.sqrt(size)))
  const biases = adam(UNITS, uniform(1 / Math.sqrt(size)))
  const out = adam(UNITS, uniform(1 / Math.sqrt(UNITS)))
  const bias = adam(1, () => 0)
  const mask = Float32Array.from({ length: MASK + size }, () => (random.below(1_000) < KEPT * 1_000 ? 1 / KEPT : 0))
  const seen = new Float32Array(size)
  const active = new Float32Array(UNITS)

  function learn({ vector, isBad, weight }: Example): void {
    const from = random.below(MASK)
    for (let at = 0; at < size; at++)
      seen[at] =
        (((vector[at] as number) - (means[at] as number)) / (spreads[at] as number)) * (mask[from + at] as number)
    let odds = bias.values[0] as number
    for (let unit = 0; unit < UNITS; unit++) {
      const kept = mask[random.below(MASK)] as number
      const sum = kept === 0 ? 0 : (biases.values[unit] as number) + dot(hidden.values, unit * size, seen)
      active[unit] = Math.max(sum, 0) * kept
      odds += (active[unit] as number) * (out.values[unit] as number)
    }
    const error = (1 / (1 + Math.exp(-odds)) - (isBad ? 1 : 0)) * weight
    bias.slopes[0] = (bias.slopes[0] as number) + error
    for (let unit = 0; unit < UNITS; unit++) {
      if (active[unit] === 0) continue
      out.slopes[unit] = (out.slopes[unit] as number) + error * (active[unit] as number)
      const slope = (error * (out.values[unit] as number)) / KEPT
      biases.slopes[unit] = (biases.slopes[unit] as number) + slope
      add(hidden.slopes, unit * size, seen, slope)
    }
  }

  const order = examples.map((_, index) => index)
  const batches = Math.ceil(order.length / BATCH)
  for (let round = 0; round < ROUNDS; round++) {
    random.shuffle(order)
    for (let batch = 0; batch < batches; batch++) {
      const places = order.slice(batch * BATCH, (batch + 1) * BATCH)
      for (const place of places) learn(examples[place] as Example)
      const left = 1 - (round * batches + batch) / (ROUNDS * batches)
      for (const part of [hidden, biases, out, bias]) part.step(STEP * left, places.length)
    }
  }
  // The means move into the biases, so that a vector need not be changed before it is judged.
  const ready = biases.values.map((value, unit) => {
    let shift = 0
    for (let at = 0; at < size; at++)
      shift += ((hidden.values[unit * size + at] as number) * (means[at] as number)) / (spreads[at] as number)
    return value - shift
  })
  const network = {
    hidden: overSpreads(hidden.values, spreads),
    biases: ready,
    out: out.values,
    bias: bias.values[0] as number,
  }
  return { network, spreads }
}

function spreadsOf(examples: readonly Example[], size: number): { means: Float64Array; spreads: Float32Array } {
  const [means, squares] = [new Float64Array(size), new Float64Array(size)]
  for (const { vector } of examples)
    for (let at = 0; at < size; at++) {
      means[at] = (means[at] as number) + (vector[at] as number) / examples.length
      squares[at] = (squares[at] as number) + (vector[at] as number) ** 2 / examples.length
    }
  const spreads = Float32Array.from(squares, (square, at) => Math.sqrt(square - (means[at] as number) ** 2) + 1e-6)
  return { means, spreads }
}

/** Weights with what Adam remembers of their slopes. */
function adam(length: number, first: () => number) {
  const [FAST, SLOW] = [0.9, 0.999]
  const values = Float32Array.from({ length }, first)
  const slopes = new Float32Array(length)
  const [mean, square] = [new Float32Array(length), new Float32Array(length)]
  let steps = 0
  return {
    values,
    slopes,
    step(size: number, examples: number): void {
      steps++
      const [byMean, bySquare] = [1 - FAST ** steps, 1 - SLOW ** steps]
      for (let at = 0; at < length; at++) {
        const slope = (slopes[at] as number) / examples
        slopes[at] = 0
        const nextMean = FAST * (mean[at] as number) + (1 - FAST) * slope
        const nextSquare = SLOW * (square[at] as number) + (1 - SLOW) * slope * slope
        mean[at] = nextMean
        square[at] = nextSquare
        const value = (values[at] as number) * (1 - size * DECAY)
        values[at] = value - (size * (nextMean / byMean)) / (Math.sqrt(nextSquare / bySquare) + 1e-8)
      }
    },
  }
}

function dot(weights: Float32Array, start: number, vector: Float32Array): number {
  // Two sums at a time, since each addition waits for the one before.
  let [even, odd] = [0, 0]
  for (let at = 0; at < vector.length; at += 2) {
    even += (weights[start + at] as number) * (vector[at] as number)
    odd += (weights[start + at + 1] as number) * (vector[at + 1] as number)
  }
  return even + odd
}

function add(sums: Float32Array, start: number, vector: Float32Array, factor: number): void {
  for (let at = 0; at < vector.length; at++)
    sums[start + at] = (sums[start + at] as number) + (vector[at] as number) * factor
}
