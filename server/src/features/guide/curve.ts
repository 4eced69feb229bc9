import { priceOf, quoteBuy, quoteSell } from '@rookery/contracts'
import { formatEther } from 'viem'

const MOST = 100n
const TABLE = [0n, 1n, 2n, 5n, 10n, 25n, 50n, 75n, 100n]
const LABELLED = [25n, 50n, 75n, 100n]

// The drawing is measured in hundredths of what the stylesheet measures in, so that the line is smooth without fractions.
const WIDTH = 44_000n
const HEIGHT = 28_000n
const LEFT = 1_200n
const RIGHT = 2_400n
const TOP = 2_600n
const BOTTOM = 4_600n

const next = (supply: bigint) => priceOf(supply, 1n)
const across = (supply: bigint) => LEFT + (supply * (WIDTH - LEFT - RIGHT)) / MOST
const down = (priceWei: bigint) => HEIGHT - BOTTOM - (priceWei * (HEIGHT - TOP - BOTTOM)) / next(MOST)
const inUnits = (hundredths: bigint) => `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`

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
  const supplies = Array.from({ length: Number(MOST) + 1 }, (_, supply) => BigInt(supply))
  const line = supplies.map((supply) => `${inUnits(across(supply))},${inUnits(down(next(supply)))}`).join(' ')
  const [left, right, floor] = [inUnits(across(0n)), inUnits(across(MOST)), inUnits(down(0n))]
  return `<figure class="curve">
<svg viewBox="0 0 ${inUnits(WIDTH)} ${inUnits(HEIGHT)}" role="img" aria-labelledby="curve-title">
<title id="curve-title">The price of the next share grows with the square of the shares in circulation, from 0 to ${formatEther(next(MOST))} BNB at ${MOST} shares.</title>
<polygon class="curve-area" points="${left},${floor} ${line} ${right},${floor}"/>
${LABELLED.map((supply) => grid(supply)).join('\n')}
<polyline class="curve-line" points="${line}"/>
<line class="curve-axis" x1="${left}" y1="${floor}" x2="${right}" y2="${floor}"/>
<text class="curve-text" x="${left}" y="${below()}" text-anchor="middle">0</text>
<text class="curve-text" x="${right}" y="${inUnits(HEIGHT - 600n)}" text-anchor="end">shares in circulation</text>
${LABELLED.map((supply) => point(supply)).join('\n')}
</svg>
<figcaption>The price of the next share. The area under the curve is what the contract holds for those who sell.</figcaption>
</figure>`
}

/** Where the numbers of the axis are. */
function below(): string {
  return inUnits(down(0n) + 1_900n)
}

function grid(supply: bigint): string {
  const x = inUnits(across(supply))
  return `<line class="curve-grid" x1="${x}" y1="${inUnits(down(0n))}" x2="${x}" y2="${inUnits(down(next(supply)))}"/>`
}

function point(supply: bigint): string {
  const [x, y] = [across(supply), down(next(supply))]
  return `<circle class="curve-point" cx="${inUnits(x)}" cy="${inUnits(y)}" r="4"/>
<text class="curve-text" x="${inUnits(x)}" y="${below()}" text-anchor="middle">${supply}</text>
<text class="curve-label" x="${inUnits(x - 800n)}" y="${inUnits(y - 800n)}" text-anchor="end">${formatEther(next(supply))} BNB</text>`
}
