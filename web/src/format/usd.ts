import { formatAmount } from './bnb.js'
import { bnbToWei } from './wei.js'

const RATE_PLACES = 8
const CENT_PLACES = 18 + RATE_PLACES

/** The value of a BNB amount in US dollars: cents from one dollar up, four digits below. Truncated, never rounded up. */
export function usdOf(bnb: string, priceUsd: number): string {
  const rate = BigInt(Math.round(priceUsd * 10 ** RATE_PLACES))
  const scaled = bnbToWei(bnb) * rate
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(CENT_PLACES + 1, '0')
  const whole = digits.slice(0, -CENT_PLACES)
  const fraction = digits.slice(-CENT_PLACES)
  const amount = whole === '0' ? formatAmount(`0.${fraction}`) : withCents(whole, fraction)
  const isDust = amount.startsWith('<')
  return `${scaled < 0n ? '−' : ''}${isDust ? '<' : ''}$${isDust ? amount.slice(1) : amount}`
}

function withCents(whole: string, fraction: string): string {
  return `${formatAmount(whole)}.${fraction.slice(0, 2)}`
}
