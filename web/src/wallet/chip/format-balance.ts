const DECIMAL = /^(\d+)(?:\.(\d+))?$/
const DIGITS = 5
const MOST_PLACES = 3

/** A balance in about five digits, truncated, for a narrow place. */
export function formatBalance(bnb: string): string {
  const [, whole = '', fraction = ''] = DECIMAL.exec(bnb) ?? []
  if (whole === '') return bnb
  const places = Math.max(0, Math.min(MOST_PLACES, DIGITS - whole.length))
  const shown = fraction.slice(0, places).replace(/0+$/, '')
  if (whole === '0' && shown === '' && /[1-9]/.test(fraction)) return '<0.001'
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${shown && `.${shown}`}`
}
