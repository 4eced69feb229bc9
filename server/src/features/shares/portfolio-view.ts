import type { Portfolio, PortfolioPoint } from '@rookery/api'
import { formatEther } from 'viem'
import type { PortfolioState } from './portfolio.js'

const profitWei = ({ valueWei, costBasisWei, realisedWei }: PortfolioState) => valueWei - costBasisWei + realisedWei

export function portfolioView(
  address: `0x${string}`,
  { now, dayAgo }: { now: PortfolioState; dayAgo: PortfolioState },
): Portfolio {
  const changeWei = profitWei(now) - profitWei(dayAgo)
  return {
    address,
    positions: now.positions,
    valueBNB: formatEther(now.valueWei),
    costBasisBNB: formatEther(now.costBasisWei),
    realisedProfitBNB: formatEther(now.realisedWei),
    openProfitBNB: formatEther(now.valueWei - now.costBasisWei),
    profitBNB: formatEther(profitWei(now)),
    profitPercent: percentOf(profitWei(now), now.paidWei),
    change24hBNB: formatEther(changeWei),
    change24hPercent: percentOf(changeWei, dayAgo.valueWei + now.paidWei - dayAgo.paidWei),
  }
}

export function portfolioPointView({ at, valueWei, costBasisWei }: PortfolioState): PortfolioPoint {
  return { at: at.toISOString(), valueBNB: formatEther(valueWei), investedBNB: formatEther(costBasisWei) }
}

/** A part in percent, to two places; null of nothing. */
export function percentOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((part * 10_000n) / whole) / 100
}
