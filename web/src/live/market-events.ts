import type { LiveEvent, Topic, Trade } from '@rookery/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from './live.js'
import { showTrade } from './show-trade.js'

const SOON_MS = 250
const GAP_MS = 6000
// The service shares one answer to these between all callers, and it may be a second old.
const SHARED_MS = 1500

const SHARED: readonly QueryKey[] = [['agents'], ['trending-agents'], ['stats']]

// What a trade changes apart from the list of trades.
const MOVED: readonly QueryKey[] = [
  ['agent'],
  ['chart'],
  ['holders'],
  ['holdings'],
  ['portfolio'],
  ['activities'],
  ['traders'],
  ['balance-ranks'],
  ['position-ranks'],
  ['quote'],
  ['wallet-shares'],
  // A holder of shares sees private posts and items.
  ['tweets-of'],
  ['replies-of'],
  ['feed'],
  ['tweet'],
  ['skills'],
  ['skill'],
]

/** Updates everything shown about the market with the events of the topics, or with those trades that matter here. */
export function useMarketEvents(topics: readonly Topic[], matters: (trade: Trade) => boolean = () => true): void {
  const queries = useQueryClient()
  const later = useRef<ReturnType<typeof setTimeout>>(undefined)
  const refreshed = useRef(0)
  const shared = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(
    () => () => {
      clearTimeout(later.current)
      clearTimeout(shared.current)
    },
    [],
  )
  const refresh = (keys: readonly QueryKey[]) => {
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey })
  }

  // A single trade shows at once; during a rush the other figures are fetched only every few seconds.
  function refreshSoon(): void {
    if (later.current !== undefined) return
    const wait = Math.max(SOON_MS, refreshed.current + GAP_MS - Date.now())
    later.current = setTimeout(() => {
      later.current = undefined
      refreshed.current = Date.now()
      refresh(MOVED)
      shared.current = setTimeout(() => refresh(SHARED), SHARED_MS)
    }, wait)
  }

  useLive(topics, (event) => {
    if (!isTrade(event) || !matters(event.data)) return
    if (event.type === 'trade.reverted') void queries.invalidateQueries({ queryKey: ['trades'] })
    else showTrade(queries, event.data)
    refreshSoon()
  })
}

function isTrade(event: LiveEvent): event is Extract<LiveEvent, { data: Trade }> {
  return event.type === 'trade.pending' || event.type === 'trade.confirmed' || event.type === 'trade.reverted'
}
