const PRECISION_BITS = 7
const STEPS = 2 ** PRECISION_BITS

/** Counts times, in microseconds, in steps of less than one percent; its size does not depend on how many are added. */
export class Histogram {
  readonly #counts = new Uint32Array(STEPS * 32)
  #total = 0

  get total(): number {
    return this.#total
  }

  add(microseconds: number): void {
    const place = placeOf(Math.max(0, Math.round(microseconds)))
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
    this.#total++
  }

  /** The quantile in microseconds; 0.5 is the median. */
  quantile(part: number): number {
    if (this.#total === 0) return Number.NaN
    let left = Math.max(1, Math.ceil(part * this.#total))
    for (let place = 0; place < this.#counts.length; place++) {
      left -= this.#counts[place] ?? 0
      if (left <= 0) return middleOf(place)
    }
    return Number.NaN
  }
}

// Whole numbers below twice the number of steps have a bucket each; above that, every doubling has the same number of buckets.
function placeOf(value: number): number {
  if (value < 2 * STEPS) return value
  const shift = Math.min(24, 31 - Math.clz32(value) - PRECISION_BITS)
  return shift * STEPS + Math.min(2 * STEPS - 1, value >>> shift)
}

function middleOf(place: number): number {
  if (place < 2 * STEPS) return place
  const shift = Math.floor(place / STEPS) - 1
  return ((place - shift * STEPS) * 2 + 1) * 2 ** (shift - 1)
}
