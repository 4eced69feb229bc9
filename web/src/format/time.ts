const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { style: 'narrow', numeric: 'always' })
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long' })
const list = new Intl.ListFormat('en', { style: 'narrow', type: 'unit' })

/** How long ago a moment was, or how far ahead it is, in its largest whole unit. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = Math.trunc((at.getTime() - now.getTime()) / 1000)
  for (const [unit, size] of UNITS)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return 'just now'
}

/** The moment itself, in the reader’s time zone. */
export function formatExact(at: Date): string {
  return exact.format(at)
}

/** A length of time in its two largest units. */
export function formatDuration(seconds: number): string {
  const sizes = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const
  let rest = Math.floor(seconds)
  const parts = sizes.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count > 0 ? [`${count} ${unit}`] : []
  })
  return parts.length === 0 ? '0 s' : list.format(parts.slice(0, 2))
}
