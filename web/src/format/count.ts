/** Exact up to 9,999, in thousands or millions above. */
export function formatCount(count: number): string {
  if (count < 10_000) return formatExactCount(count)
  return count.toLocaleString('en', { notation: 'compact', maximumFractionDigits: 1 })
}

/** A count with every digit, in groups of three. */
export function formatExactCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A count with its noun. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
