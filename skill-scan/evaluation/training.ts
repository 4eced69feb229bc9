import { scaleOf } from '../src/likeness.js'
import type { Model } from '../src/model.js'

/** A text as the model sees it. */
export interface Example {
  readonly features: readonly number[]
  readonly vector: Float32Array
  readonly isBad: boolean
  /** By how much it counts. */
  readonly weight: number
}

const ROUNDS = 20
const STEP = { letters: 0.3, vector: 0.1 }
const PENALTY = 1e-4
// A vector has length 1, so that without a factor its parts would learn slowly.
const VECTOR_SCALE = 1.5

/** Logistic regression with steps that become smaller for what occurs often. Each example is seen with its vector and without. */
export function train(examples: readonly Example[], buckets: number): Model {
  const letters = new Float64Array(buckets)
  const vector = new Float64Array(examples[0]?.vector.length ?? 0)
  const biases = new Float64Array(2)
  const seen = { letters: begin(letters), vector: begin(vector), biases: begin(biases) }
  const order = examples.flatMap((_, index) => [index, index + examples.length])
  const next = createRandom()

  function learn({ features, vector: parts, isBad, weight }: Example, hasVector: boolean): void {
    const scale = scaleOf(features.length)
    let odds = biases[0] as number
    for (const feature of features) odds += (letters[feature] as number) * scale
    if (hasVector) {
      odds += biases[1] as number
      for (let at = 0; at < vector.length; at++) odds += (vector[at] as number) * (parts[at] as number) * VECTOR_SCALE
    }
    const error = (1 / (1 + Math.exp(-odds)) - (isBad ? 1 : 0)) * weight
    for (const feature of features) step(letters, seen.letters, feature, error * scale, STEP.letters)
    step(biases, seen.biases, 0, error, STEP.vector)
    if (!hasVector) return
    step(biases, seen.biases, 1, error, STEP.vector)
    for (let at = 0; at < vector.length; at++)
      step(vector, seen.vector, at, error * (parts[at] as number) * VECTOR_SCALE, STEP.vector)
  }

  for (let round = 0; round < ROUNDS; round++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = next(at + 1)
      const moved = order[at] as number
      order[at] = order[other] as number
      order[other] = moved
    }
    for (const place of order) learn(examples[place % examples.length] as Example, place < examples.length)
  }
  return {
    bias: biases[0] as number,
    vectorBias: biases[1] as number,
    letters,
    vector: vector.map((weight) => weight * VECTOR_SCALE),
  }
}

const begin = (weights: Float64Array) => new Float64Array(weights.length).fill(1e-6)

function step(weights: Float64Array, seen: Float64Array, at: number, slope: number, size: number): void {
  const gradient = slope + PENALTY * (weights[at] as number)
  seen[at] = (seen[at] as number) + gradient * gradient
  weights[at] = (weights[at] as number) - (size * gradient) / Math.sqrt(seen[at] as number)
}

// The same order each time, so that the same corpus gives the same weights.
function createRandom(): (below: number) => number {
  let state = 3
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
}
