import type { LiveEvent, Topic, Trade } from '@rookery/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from './live.js'
import { showTrade } from './show-trade.js'

const SOON_MS = 250
const GAP_MS = 6000

// What a trade changes beside the list of trades.
const MOVED: readonly QueryKey[] = [
  ['agent'],
  ['agents'],
  ['trending-agents'],
  ['chart'],
  ['holders'],
  ['holdings'],
  ['activities'],
  ['stats'],
  ['traders'],
  ['balance-ranks'],
  ['position-ranks'],
  ['quote'],
  ['wallet-shares'],
  // Who holds a share sees more.
  ['tweets-of'],
  ['replies-of'],
]

/** Lets everything shown about the market move with the events of the topics. */
export function useMarketEvents(topics: readonly Topic[]): void {
  const queries = useQueryClient()
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  const refreshed = useRef(0)
  useEffect(() => () => clearTimeout(later.current), [])

  // One trade shows at once; in a rush of them the service is asked for the rest every few seconds only.
  function refreshSoon(): void {
    if (later.current !== undefined) return
    const wait = Math.max(SOON_MS, refreshed.current + GAP_MS - Date.now())
    later.current = setTimeout(() => {
      later.current = undefined
      refreshed.current = Date.now()
      for (const queryKey of MOVED) void queries.invalidateQueries({ queryKey })
    }, wait)
  }

  useLive(topics, (event) => {
    if (!isTrade(event)) return
    if (event.type === 'trade.reverted') void queries.invalidateQueries({ queryKey: ['trades'] })
    else showTrade(queries, event.data)
    refreshSoon()
  })
}

function isTrade(event: LiveEvent): event is Extract<LiveEvent, { data: Trade }> {
  return event.type === 'trade.pending' || event.type === 'trade.confirmed' || event.type === 'trade.reverted'
}
