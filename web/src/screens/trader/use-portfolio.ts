import type { PortfolioRange, WalletHolding } from '@rookery/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CursorList } from '../../api/cursor-list.js'
import { reading } from '../../api/reader.js'
import { usePolling } from '../../live/live.js'
import { useMarketEvents } from '../../live/market-events.js'

const EVERY_MS = 15_000
// Transfers announce no event.
const WHILE_LIVE_MS = 60_000

export type WalletAddress = `0x${string}`

export function usePortfolio(address: WalletAddress) {
  return useQuery({
    queryKey: ['portfolio', address],
    queryFn: ({ signal }) => reading.getPortfolio({ address }, { signal }),
    refetchInterval: usePolling(EVERY_MS, WHILE_LIVE_MS),
  })
}

export function usePortfolioHistory(address: WalletAddress, range: PortfolioRange) {
  return useQuery({
    queryKey: ['portfolio', address, 'history', range],
    queryFn: ({ signal }) => reading.getPortfolioHistory({ address, range }, { signal }),
    refetchInterval: usePolling(EVERY_MS, WHILE_LIVE_MS),
    placeholderData: keepPreviousData,
  })
}

/** Updates a portfolio when the wallet trades, and when the price of what it holds moves. */
export function usePortfolioEvents(address: WalletAddress, { items, hasMore }: CursorList<WalletHolding>): void {
  const held = new Set<string>(items.map(({ subject }) => subject))
  useMarketEvents(
    ['trades'],
    ({ trader, subject }) => hasMore || trader.address === address || held.has(subject.address),
  )
}
