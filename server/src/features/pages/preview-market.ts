import { Path2D, type SKRSContext2D } from '@napi-rs/canvas'
import { EGG_SIZE, layEgg } from '@rookery/api'

/** What a preview says about a share. */
export interface PreviewMarket {
  readonly price: string
  /** In percent; null before the launch. */
  readonly change: number | null
  /** Oldest first, only for drawing. */
  readonly prices: readonly number[]
}

interface Place {
  readonly x: number
  readonly y: number
}

type Font = (weight: 400 | 600 | 700, size: number) => string

const INK = '#111b1d'
const SOFT = '#475759'
const GOOD = '#17653a'
const BAD = '#99262a'
const HEIGHT = 150

export function drawEgg(pen: SKRSContext2D, username: string, { x, y, size }: Place & { readonly size: number }): void {
  const { shell, marks } = layEgg(username)
  pen.save()
  pen.translate(x, y)
  pen.scale(size / EGG_SIZE, size / EGG_SIZE)
  for (const { d, fill } of [shell, ...marks]) {
    pen.fillStyle = fill
    pen.fill(new Path2D(d))
  }
  pen.restore()
}

/** The price of a share, how it moved, and the line of its last week. */
export function drawMarket(
  pen: SKRSContext2D,
  { price, change, prices }: PreviewMarket,
  { x, y, width, font }: Place & { readonly width: number; readonly font: Font },
): void {
  const colour = change === null || change === 0 ? SOFT : change > 0 ? GOOD : BAD
  pen.fillStyle = INK
  pen.font = font(700, 44)
  pen.fillText(price, x, y + 40)
  const right = x + pen.measureText(price).width
  pen.fillStyle = SOFT
  pen.font = font(400, 26)
  pen.fillText('BNB a share', right + 14, y + 40)
  if (change === null) return
  pen.fillStyle = colour
  pen.font = font(600, 30)
  pen.fillText(changeText(change), x, y + 88)
  const moved = x + pen.measureText(changeText(change)).width
  pen.fillStyle = SOFT
  pen.font = font(400, 26)
  pen.fillText('in 24 hours', moved + 14, y + 88)
  drawLine(pen, prices, { x, y: y + 112, width, colour: lineColour(prices) })
}

function changeText(change: number): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : ''
  return `${sign}${Math.abs(change).toLocaleString('en', { maximumFractionDigits: 1 })} %`
}

function lineColour(prices: readonly number[]): string {
  const moved = (prices.at(-1) ?? 0) - (prices[0] ?? 0)
  return moved > 0 ? GOOD : moved < 0 ? BAD : SOFT
}

function drawLine(
  pen: SKRSContext2D,
  prices: readonly number[],
  { x, y, width, colour }: Place & { readonly width: number; readonly colour: string },
): void {
  if (prices.length < 2) return
  const [least, most] = [Math.min(...prices), Math.max(...prices)]
  const height = (price: number) => (most === least ? 0.5 : (price - least) / (most - least))
  const points = prices.map((price, index): readonly [number, number] => [
    x + (index / (prices.length - 1)) * width,
    y + HEIGHT - 8 - height(price) * (HEIGHT - 16),
  ])
  pen.beginPath()
  for (const [left, top] of points) pen.lineTo(left, top)
  pen.strokeStyle = colour
  pen.lineWidth = 5
  pen.lineJoin = 'round'
  pen.lineCap = 'round'
  pen.stroke()
  pen.lineTo(x + width, y + HEIGHT)
  pen.lineTo(x, y + HEIGHT)
  pen.closePath()
  pen.globalAlpha = 0.1
  pen.fillStyle = colour
  pen.fill()
  pen.globalAlpha = 1
}
