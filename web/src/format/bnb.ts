const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const DIGITS = 4
const MOST_PLACES = 8

/**
 * A decimal amount, short enough to read at a glance: four significant digits below one, four decimal places above.
 * Truncated, never rounded up, so that it never shows more than there is.
 */
export function formatAmount(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === '') return text
  const integer = BigInt(whole)
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0
  const places = integer === 0n ? zeros + DIGITS : DIGITS
  const isDust = integer === 0n && zeros >= MOST_PLACES && zeros < fraction.length
  if (isDust) return `${sign}<0.${'0'.repeat(MOST_PLACES - 1)}1`
  const shown = fraction.slice(0, Math.min(places, MOST_PLACES)).replace(/0+$/, '')
  return `${sign}${String(integer).replace(/\B(?=(\d{3})+$)/g, ',')}${shown && `.${shown}`}`
}
