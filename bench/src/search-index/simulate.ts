import { normalise } from '@rookery/server/adapters/embeddings/embedder'

/** Numbers that look random and are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function gauss(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** How far a simulated text is from the real ones that it was made of: about as far as a paraphrase. */
const DISTANCE = 0.6

/**
 * Any number of vectors that lie like those of real texts: each between two of them, nearer to the first, and a bit
 * off in a direction of its own.
 */
export function createSimulation(real: readonly Float32Array[], seed: number): () => Float32Array {
  const random = createRandom(seed)
  const pick = () => real[Math.floor(random() * real.length)] ?? new Float32Array()
  return () => {
    const one = pick()
    const other = pick()
    const part = 0.6 + 0.4 * random()
    const scale = DISTANCE / Math.sqrt(one.length)
    return normalise(one.map((value, at) => part * value + (1 - part) * (other[at] ?? 0) + scale * gauss(random)))
  }
}
