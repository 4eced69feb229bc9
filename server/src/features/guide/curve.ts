import { priceOf, quoteBuy, quoteSell } from '@rookery/contracts'
import { formatEther } from 'viem'

const MOST = 100n
const TABLE = [0n, 1n, 2n, 5n, 10n, 25n, 50n, 75n, 100n]
const LABELLED = [25n, 50n, 75n, 100n]

const WIDTH = 440n
const HEIGHT = 280n
const LEFT = 44n
const RIGHT = 24n
const TOP = 26n
const BOTTOM = 44n

const next = (supply: bigint) => priceOf(supply, 1n)
const across = (supply: bigint) => LEFT + (supply * (WIDTH - LEFT - RIGHT)) / MOST
const down = (priceWei: bigint) => HEIGHT - BOTTOM - (priceWei * (HEIGHT - TOP - BOTTOM)) / next(MOST)

/** What shares cost and pay at some supplies, as a table in Markdown. */
export function curveTable(): string {
  const rows = TABLE.map((supply) =>
    [
      supply.toString(),
      formatEther(next(supply)),
      formatEther(quoteBuy(supply, 1n).priceAfterFeeWei),
      supply > 0n ? formatEther(quoteSell(supply, 1n).priceAfterFeeWei) : '',
      formatEther(priceOf(0n, supply)),
    ].join(' | '),
  )
  return [
    '| shares | price of the next, BNB | a buyer pays | selling one pays | all shares together |',
    '| ---: | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
}

/** The price of the next share over the shares in circulation, as a drawing. Its colours come from the stylesheet. */
export function curveDrawing(): string {
  const supplies = Array.from({ length: Number(MOST / 2n) + 1 }, (_, step) => BigInt(step) * 2n)
  const line = supplies.map((supply) => `${across(supply)},${down(next(supply))}`).join(' ')
  const [left, right, floor] = [across(0n), across(MOST), down(0n)]
  return `<figure class="curve">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="curve-title">
<title id="curve-title">The price of the next share grows with the square of the shares in circulation, from 0 to ${formatEther(next(MOST))} BNB at ${MOST} shares.</title>
<polygon class="curve-area" points="${left},${floor} ${line} ${right},${floor}"/>
${LABELLED.map((supply) => grid(supply)).join('\n')}
<polyline class="curve-line" points="${line}"/>
<line class="curve-axis" x1="${left}" y1="${floor}" x2="${right}" y2="${floor}"/>
<text class="curve-text" x="${left}" y="${floor + 18n}" text-anchor="middle">0</text>
<text class="curve-text" x="${right}" y="${HEIGHT - 6n}" text-anchor="end">shares in circulation</text>
${LABELLED.map((supply) => point(supply)).join('\n')}
</svg>
<figcaption>The price of the next share. The area under the curve is what the contract holds for those who sell.</figcaption>
</figure>`
}

function grid(supply: bigint): string {
  const x = across(supply)
  return `<line class="curve-grid" x1="${x}" y1="${down(0n)}" x2="${x}" y2="${down(next(supply))}"/>`
}

function point(supply: bigint): string {
  const [x, y] = [across(supply), down(next(supply))]
  return `<circle class="curve-point" cx="${x}" cy="${y}" r="4"/>
<text class="curve-text" x="${x}" y="${down(0n) + 18n}" text-anchor="middle">${supply}</text>
<text class="curve-label" x="${x - 8n}" y="${y - 8n}" text-anchor="end">${formatEther(next(supply))} BNB</text>`
}
