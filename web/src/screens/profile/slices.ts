import type { Holder } from '@rookery/sdk'

/** A part of the ring: a holder, or all the others together. */
export interface Slice {
  /** The address of the holder; undefined for the rest. */
  readonly address: string | undefined
  readonly shares: number
  /** Where it begins and ends, as parts of the whole ring. */
  readonly from: number
  readonly to: number
}

export const MOST_SLICES = 6

/** The ring of the largest holders and the rest. `holders` are sorted, largest first. */
export function slicesOf(holders: readonly Pick<Holder, 'address' | 'amount'>[], supply: number): Slice[] {
  const named = holders.slice(0, MOST_SLICES).map(({ address, amount }) => ({ address, shares: amount }))
  const rest = supply - named.reduce((sum, { shares }) => sum + shares, 0)
  const parts = rest > 0 ? [...named, { address: undefined, shares: rest }] : named
  const whole = parts.reduce((sum, { shares }) => sum + shares, 0)
  let at = 0
  return parts.map((part) => {
    const from = at
    at += whole === 0 ? 0 : part.shares / whole
    return { ...part, from, to: at }
  })
}

/** The path of a part of a ring around the origin. */
export function arcOf({ from, to }: Pick<Slice, 'from' | 'to'>, outer: number, inner: number): string {
  // An arc from a point to itself draws nothing.
  const end = Math.min(to, from + 0.9999)
  const far = end - from > 0.5 ? 1 : 0
  const point = (part: number, radius: number) => {
    const angle = part * 2 * Math.PI
    return `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`
  }
  return `M${point(from, outer)}A${outer} ${outer} 0 ${far} 1 ${point(end, outer)}L${point(end, inner)}A${inner} ${inner} 0 ${far} 0 ${point(from, inner)}Z`
}
