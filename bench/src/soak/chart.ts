import type { Series } from './series.js'

const WIDTH = 240
const HEIGHT = 80
const GAP = 36
const COLUMNS = 3
const TOP = 34

/** Draws each series in a small chart of its own, as SVG that follows the reader's theme and contains no script. */
export function seriesChart(title: string, all: readonly Series[]): string {
  const rows = Math.ceil(all.length / COLUMNS)
  const [width, height] = [COLUMNS * (WIDTH + GAP), TOP + rows * (HEIGHT + GAP)]
  const charts = all.map((series, index) => {
    const x = (index % COLUMNS) * (WIDTH + GAP) + GAP / 2
    const y = TOP + Math.floor(index / COLUMNS) * (HEIGHT + GAP) + 14
    return `<g transform="translate(${x} ${y})">${drawSeries(series)}</g>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="${GAP / 2}" y="18">${title}</text>`,
    ...charts,
    '</svg>',
    '',
  ].join('\n')
}

function drawSeries({ name, unit, points, trend }: Series): string {
  const known = points.filter(([, value]) => Number.isFinite(value))
  const most = Math.max(1e-9, ...known.map(([, value]) => value))
  const end = Math.max(1e-9, ...points.map(([seconds]) => seconds))
  const place = ([seconds, value]: readonly [number, number]) =>
    `${((seconds / end) * WIDTH).toFixed(1)} ${(HEIGHT - (value / most) * HEIGHT).toFixed(1)}`
  const line = known.length === 0 ? '' : `M${known.map(place).join('L')}`
  const label = `${name}${trend.isFlat ? '' : ' (grows)'}`
  return [
    `<text y="-4">${label}</text>`,
    `<text class="value" x="${WIDTH}" y="-4" text-anchor="end">up to ${most.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}</text>`,
    `<path class="axis" d="M0 ${HEIGHT}H${WIDTH}"/>`,
    `<path class="${trend.isFlat ? 'flat' : 'grows'}" d="${line}"/>`,
  ].join('')
}

const STYLE =
  'text{font:11px system-ui,sans-serif;fill:#24292f}.title{font-weight:600;font-size:14px}.value{fill:#57606a}' +
  'path{fill:none}.axis{stroke:#57606a}.flat{stroke:#0969da}.grows{stroke:#bf5700}' +
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.value{fill:#9da7b3}.axis{stroke:#9da7b3}.flat{stroke:#58a6ff}.grows{stroke:#f0883e}}'
