import { normalise } from '@rookery/server/search'
import { createRandom, type Random } from '@rookery/tooling/random'

function gauss({ next }: Random): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
}

/** How far a simulated text is from the real ones it is based on: about as far as a paraphrase. */
const DISTANCE = 0.6

/**
 * Any number of vectors distributed like those of real texts: each between two of them, closer to the first, and slightly
 * displaced in a random direction.
 */
export function createSimulation(real: readonly Float32Array[], seed: number): () => Float32Array {
  const random = createRandom(seed)
  return () => {
    const one = random.pick(real)
    const other = random.pick(real)
    const part = 0.6 + 0.4 * random.next()
    const scale = DISTANCE / Math.sqrt(one.length)
    return normalise(one.map((value, at) => part * value + (1 - part) * (other[at] ?? 0) + scale * gauss(random)))
  }
}
