import { featuresOf, type Passage, scaleOf } from '../src/likeness.js'

/** A document as the model sees it. */
export interface Example {
  readonly features: readonly string[]
  readonly isBad: boolean
}

export interface Model {
  readonly bias: number
  readonly weights: ReadonlyMap<string, number>
}

const ROUNDS = 300
const LEAST_DOCUMENTS = 2

// Few documents are in other languages, and their words would stand for the language rather than for harm.
const ANY_LANGUAGE = /^(?:[#@$]|http_$|hex_a$)/

export function exampleOf(passages: readonly Passage[], isBad: boolean, language: string): Example {
  const whole = {
    words: passages.flatMap(({ words }) => words),
    suspicions: passages.flatMap(({ suspicions }) => suspicions),
  }
  const features = featuresOf(whole)
  return { features: language === 'en' ? features : features.filter((feature) => ANY_LANGUAGE.test(feature)), isBad }
}

/** Fits a logistic regression by gradient descent. The same examples always give the same model. */
export function train(examples: readonly Example[], penalty: number): Model {
  const counts = new Map<string, number>()
  for (const { features } of examples)
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
  const known = [...counts].filter(([, count]) => count >= LEAST_DOCUMENTS).map(([feature]) => feature)
  const places = new Map(known.sort().map((feature, place) => [feature, place]))
  const rows = examples.map(({ features, isBad }) => ({
    isBad,
    at: features.flatMap((feature) => places.get(feature) ?? []),
  }))
  const weights = new Float64Array(known.length)
  const moving = new Float64Array(known.length)
  let [bias, movingBias] = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    const slopes = Float64Array.from(weights, (weight) => weight * penalty)
    let slope = 0
    for (const { at, isBad } of rows) {
      const scale = scaleOf(at.length)
      const score = bias + at.reduce((sum, place) => sum + (weights[place] ?? 0), 0) * scale
      const error = (1 / (1 + Math.exp(-score)) - (isBad ? 1 : 0)) / rows.length
      slope += error
      for (const place of at) slopes[place] = (slopes[place] ?? 0) + error * scale
    }
    for (const [place, value] of slopes.entries()) {
      moving[place] = 0.9 * (moving[place] ?? 0) + value
      weights[place] = (weights[place] ?? 0) - moving[place]
    }
    movingBias = 0.9 * movingBias + slope
    bias -= movingBias
  }
  return { bias, weights: new Map(known.map((feature, place) => [feature, weights[place] ?? 0])) }
}
