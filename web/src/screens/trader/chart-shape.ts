import type { PortfolioPoint } from '@rookery/sdk'

export const WIDTH = 800
export const HEIGHT = 240
const EDGE = 4
// Below this part of the highest value, the axis begins at zero.
const NEAR_ZERO = 0.6

/** The lines of a drawing, and the amounts at its edges in BNB. */
export interface Shape {
  readonly xs: readonly number[]
  readonly line: string
  readonly area: string
  readonly paid: string
  readonly top: string
  readonly bottom: string
  readonly least: string
  readonly most: string
}

export function chartShape(points: readonly PortfolioPoint[]): Shape {
  const times = points.map(({ at }) => Date.parse(at))
  const values = points.map(({ valueBNB }) => Number(valueBNB))
  const paid = points.map(({ investedBNB }) => Number(investedBNB))
  const most = Math.max(...values, ...paid)
  const least = Math.min(...values, ...paid)
  const bottom = least < most * NEAR_ZERO ? 0 : least - (most - least) / 4
  const start = times[0] ?? 0
  const length = (times.at(-1) ?? 0) - start
  const xs = times.map((time) => round(length === 0 ? 0 : ((time - start) / length) * WIDTH))
  const y = (value: number) =>
    round(HEIGHT - EDGE - (most === bottom ? 0.5 : (value - bottom) / (most - bottom)) * (HEIGHT - 2 * EDGE))
  const lineOf = (amounts: readonly number[]) => `M${amounts.map((amount, i) => `${xs[i]} ${y(amount)}`).join('L')}`
  const line = lineOf(values)
  return {
    xs,
    line,
    area: `${line}V${HEIGHT}H${xs[0] ?? 0}Z`,
    paid: lineOf(paid),
    top: textOf(most),
    bottom: textOf(bottom),
    least: textOf(Math.min(...values)),
    most: textOf(Math.max(...values)),
  }
}

const round = (pixels: number) => Math.round(pixels * 10) / 10
const textOf = (bnb: number) => bnb.toFixed(10)
