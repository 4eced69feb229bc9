/** Above this, a purchase asks once more. */
export const STEEP_BPS = 1000

/** Formats basis points with their sign. */
export function formatBps(bps: number): string {
  const sign = bps > 0 ? '+' : bps < 0 ? '−' : ''
  return `${sign}${(Math.abs(bps) / 100).toLocaleString('en', { maximumFractionDigits: 2 })} %`
}
