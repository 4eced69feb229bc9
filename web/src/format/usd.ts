import { formatAmount } from './bnb.js'
import { bnbToWei } from './wei.js'

const RATE_PLACES = 8
const CENT_PLACES = 18 + RATE_PLACES

/** The value of a BNB amount in US dollars and cents. Truncated, never rounded up; less than a cent is said in words. */
export function usdOf(bnb: string, priceUsd: number): string {
  const rate = BigInt(Math.round(priceUsd * 10 ** RATE_PLACES))
  const scaled = bnbToWei(bnb) * rate
  if (scaled === 0n) return '$0'
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(CENT_PLACES + 1, '0')
  const whole = digits.slice(0, -CENT_PLACES)
  const cents = digits.slice(-CENT_PLACES).slice(0, 2)
  if (whole === '0' && cents === '00') return '< $0.01'
  return `${scaled < 0n ? '−' : ''}$${formatAmount(whole)}.${cents}`
}
