const UNITS = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['w', 604_800],
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const

// Created on first use, because it takes longer than the rest of the page.
let exact: Intl.DateTimeFormat | undefined

/** The distance of a moment from now, in its largest whole unit. */
export function formatRelative(at: Date, now: Date): string {
  const seconds = (now.getTime() - at.getTime()) / 1000
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? []
  if (unit === undefined) return 'just now'
  const distance = `${Math.floor(Math.abs(seconds) / size)} ${unit}`
  return seconds > 0 ? `${distance} ago` : `in ${distance}`
}

/** The exact moment in the reader’s time zone. */
export function formatExact(at: Date): string {
  exact ??= new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'long' })
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
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ')
}
