import type { Trade } from '@rookery/sdk'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'

interface TradePage {
  readonly data: readonly Trade[]
}

/** Adds a trade to every list it belongs to, or updates it there. */
export function showTrade(queries: QueryClient, trade: Trade): void {
  const lists = queries.getQueriesData<InfiniteData<TradePage>>({ queryKey: ['trades'] })
  for (const [key] of lists) {
    const { username } = (key[1] ?? {}) as { username?: string }
    if (username !== undefined && username.toLowerCase() !== trade.subject.username?.toLowerCase()) continue
    queries.setQueryData<InfiniteData<TradePage>>(key, (list) => list && withTrade(list, trade))
  }
}

function withTrade(list: InfiniteData<TradePage>, trade: Trade): InfiniteData<TradePage> {
  const isKnown = list.pages.some(({ data }) => data.some(({ id }) => id === trade.id))
  const pages = list.pages.map((page, index) => {
    if (isKnown) return { ...page, data: page.data.map((listed) => (listed.id === trade.id ? trade : listed)) }
    return index === 0 ? { ...page, data: [trade, ...page.data] } : page
  })
  return { ...list, pages }
}
