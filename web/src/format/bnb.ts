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

const ALIGNED_DIGITS = 3

/** How many decimal places show the digits of every amount of a column: three of the smallest one, and no zeros that all have. */
export function placesFor(amounts: readonly string[]): number {
  const fractions = amounts.map((text) => DECIMAL.exec(text)).filter((parts) => parts !== null)
  const needed = fractions.map(([, , whole = '', fraction = '']) => {
    if (/^0*$/.test(fraction)) return 0
    const zeros = BigInt(whole) === 0n ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
    return Math.min(zeros + ALIGNED_DIGITS, MOST_PLACES)
  })
  const most = Math.max(0, ...needed)
  const shown = fractions.map(([, , , fraction = '']) => fraction.slice(0, most).replace(/0+$/, '').length)
  return Math.max(0, ...shown)
}

/** A decimal amount with a fixed number of decimal places, so that the points of a column are in one line. Truncated. */
export function formatAligned(text: string, places: number): string {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? []
  if (whole === '') return text
  const short = formatAmount(`${sign}${whole}`)
  return places === 0 ? short : `${short}.${fraction.slice(0, places).padEnd(places, '0')}`
}
