/** Bars under one name, one for each series. */
export interface BarGroup {
  readonly name: string
  readonly values: readonly number[]
}

export interface BarChart {
  readonly title: string
  /** The name of each bar of a group. */
  readonly series: readonly string[]
  readonly groups: readonly BarGroup[]
  /** How a value is written. */
  readonly show: (value: number) => string
  /** A line at this value, such as 1 for ratios. */
  readonly mark?: number
}

const LEFT = 190
const BARS = 460
const RIGHT = 80
const BAR = 14
const GAP = 12
const TOP = 62

/** Draws horizontal bars as SVG that follows the reader's light or dark theme and contains no script. */
export function barChart({ title, series, groups, show, mark }: BarChart): string {
  const most = Math.max(mark ?? 0, ...groups.flatMap(({ values }) => values.filter(Number.isFinite)), 0) || 1
  const width = (value: number) => Math.max(0, (value / most) * BARS)
  const groupHeight = series.length * BAR + GAP
  const height = TOP + groups.length * groupHeight
  const lines = groups.flatMap(({ name, values }, index) => {
    const top = TOP + index * groupHeight
    const label = `<text x="${LEFT - 8}" y="${top + (series.length * BAR) / 2 + 4}" text-anchor="end">${escapeText(name)}</text>`
    const bars = values.flatMap((value, place) => {
      if (!Number.isFinite(value)) return []
      const y = top + place * BAR
      return [
        `<rect class="s${place}" x="${LEFT}" y="${y}" width="${width(value).toFixed(1)}" height="${BAR - 2}"/>`,
        `<text class="value" x="${(LEFT + width(value) + 5).toFixed(1)}" y="${y + BAR - 4}">${escapeText(show(value))}</text>`,
      ]
    })
    return [label, ...bars]
  })
  const legend = series.flatMap((name, place) => {
    const x = LEFT + place * 150
    return [
      `<rect class="s${place}" x="${x}" y="34" width="10" height="10"/>`,
      `<text x="${x + 15}" y="43">${escapeText(name)}</text>`,
    ]
  })
  const at = mark === undefined ? 0 : (LEFT + width(mark)).toFixed(1)
  const line = mark === undefined ? [] : [`<path class="mark" d="M${at} ${TOP - 6}V${height - GAP + 4}"/>`]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${LEFT + BARS + RIGHT} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="${LEFT}" y="20">${escapeText(title)}</text>`,
    ...legend,
    ...lines,
    ...line,
    '</svg>',
    '',
  ].join('\n')
}

const STYLE =
  'text{font:12px system-ui,sans-serif;fill:#24292f}.title{font-weight:600;font-size:14px}.value{font-size:11px;fill:#57606a}' +
  '.s0{fill:#0969da}.s1{fill:#bf5700}.s2{fill:#1a7f37}.s3{fill:#8250df}.mark{stroke:#57606a;stroke-dasharray:3 3}' +
  '@media(prefers-color-scheme:dark){text{fill:#e6edf3}.value{fill:#9da7b3}' +
  '.s0{fill:#58a6ff}.s1{fill:#f0883e}.s2{fill:#3fb950}.s3{fill:#bc8cff}.mark{stroke:#9da7b3}}'

function escapeText(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character)
}
