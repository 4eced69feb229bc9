import { scaleOf } from '../src/likeness.js'
import type { Model } from '../src/model.js'
import { createRandom } from './random.js'
import { trainNetwork } from './train-network.js'

/** A text as the model sees it. */
export interface Example {
  readonly features: readonly number[]
  readonly vector: Float32Array
  readonly isBad: boolean
  /** By how much it counts. */
  readonly weight: number
}

const ROUNDS = 20
const STEP = 0.3
const PENALTY = 1e-4

/** What was learnt, with the spreads of the parts of the vectors, by which they were divided before. */
export interface Trained {
  readonly model: Model
  readonly spreads: Float32Array
}

/** Trains the letters and the network apart from each other, so that neither relies on the other. */
export function train(examples: readonly Example[], buckets: number): Trained {
  const { network, spreads } = trainNetwork(examples)
  return { model: { ...trainLetters(examples, buckets), network }, spreads }
}

/** Logistic regression with steps that become smaller for what occurs often. */
function trainLetters(examples: readonly Example[], buckets: number): Omit<Model, 'network'> {
  const letters = new Float64Array(buckets)
  const bias = new Float64Array(1)
  const seen = { letters: begin(letters), bias: begin(bias) }
  const order = examples.map((_, index) => index)
  const random = createRandom()

  for (let round = 0; round < ROUNDS; round++) {
    random.shuffle(order)
    for (const place of order) {
      const { features, isBad, weight } = examples[place] as Example
      const scale = scaleOf(features.length)
      let odds = bias[0] as number
      for (const feature of features) odds += (letters[feature] as number) * scale
      const error = (1 / (1 + Math.exp(-odds)) - (isBad ? 1 : 0)) * weight
      for (const feature of features) step(letters, seen.letters, feature, error * scale)
      step(bias, seen.bias, 0, error)
    }
  }
  return { bias: bias[0] as number, letters }
}

const begin = (weights: Float64Array) => new Float64Array(weights.length).fill(1e-6)

function step(weights: Float64Array, seen: Float64Array, at: number, slope: number): void {
  const gradient = slope + PENALTY * (weights[at] as number)
  seen[at] = (seen[at] as number) + gradient * gradient
  weights[at] = (weights[at] as number) - (STEP * gradient) / Math.sqrt(seen[at] as number)
}
