const plain = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A count as it is up to 9,999, and in thousands or millions above. */
export function formatCount(count: number): string {
  return count < 10_000 ? plain.format(count) : compact.format(count)
}

/** A count with every digit. */
export function formatExactCount(count: number): string {
  return plain.format(count)
}

/** A count with its noun. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
