import type {
  BalanceRank,
  ChartInterval,
  Holder,
  PositionRank,
  Trade,
  Trader,
  WalletActivity,
  WalletHolding,
} from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePolling } from '../live/live.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { reading } from './reader.js'

const OFTEN_MS = 5000
const SOMETIMES_MS = 15_000
// Transfers announce no event, so what they change is asked for while events are streamed too.
const SELDOM_MS = 60_000
const RARELY_MS = 60_000

/** An item whose id has another name in the API. */
type Named<Item> = Item & { readonly id: string }

const named = <Item>(data: readonly Item[], idOf: (item: Item) => string): Named<Item>[] =>
  data.map((item) => ({ ...item, id: idOf(item) }))

/** US dollars for one BNB. Without a price, amounts are shown only in BNB. */
export function useBnbPrice() {
  return useQuery({
    queryKey: ['bnb-price'],
    queryFn: ({ signal }) => reading.getBnbPrice({}, { signal }),
    staleTime: RARELY_MS,
    refetchInterval: RARELY_MS,
    retry: false,
  })
}

/** Lists all trades by default. */
export interface TradeFilter {
  readonly username?: string
}

export function useTrades(filter: TradeFilter, limit = 30): CursorList<Trade> {
  return useCursorList<Trade>({
    key: ['trades', filter, limit],
    load: (page, call) => reading.listTrades({ ...filter, ...page }, call),
    limit,
    everyMs: usePolling(OFTEN_MS),
  })
}

export function useTraders(limit: number): CursorList<Trader> {
  return useCursorList<Trader>({
    key: ['traders', limit],
    load: (page, call) => reading.listTraders(page, call),
    limit,
  })
}

export function useBalanceRanks(limit: number): CursorList<Named<BalanceRank>> {
  return useCursorList({
    key: ['balance-ranks', limit],
    load: async (page, call) => {
      const { data, meta } = await reading.listBalanceLeaderboard(page, call)
      return { data: named(data, ({ agentId }) => agentId), meta }
    },
    limit,
  })
}

export function usePositionRanks(limit: number): CursorList<Named<PositionRank>> {
  return useCursorList({
    key: ['position-ranks', limit],
    load: async (page, call) => {
      const { data, meta } = await reading.listPositionLeaderboard(page, call)
      return { data: named(data, ({ agentId }) => agentId), meta }
    },
    limit,
  })
}

export function useHolders(id: string): CursorList<Named<Holder>> {
  return useCursorList({
    key: ['holders', id],
    load: async (page, call) => {
      const { data, meta } = await reading.listHolders({ id, ...page }, call)
      return { data: named(data, ({ address }) => address), meta }
    },
    everyMs: usePolling(SOMETIMES_MS, SELDOM_MS),
  })
}

/** Most valuable first. */
export function useHoldings(address: string): CursorList<Named<WalletHolding>> {
  return useCursorList({
    key: ['holdings', address],
    load: async (page, call) => {
      const { data, meta } = await reading.listHoldings({ address, ...page }, call)
      return { data: named(data, ({ agentId }) => agentId), meta }
    },
    everyMs: usePolling(SOMETIMES_MS, SELDOM_MS),
  })
}

/** Newest first. */
export function useActivities(address: `0x${string}`): CursorList<WalletActivity> {
  return useCursorList<WalletActivity>({
    key: ['activities', address],
    load: (page, call) => reading.listTraderActivities({ address, ...page }, call),
    everyMs: usePolling(SOMETIMES_MS, SELDOM_MS),
  })
}

export function useChart(id: string, interval: ChartInterval) {
  return useQuery({
    queryKey: ['chart', id, interval],
    queryFn: ({ signal }) => reading.getChart({ id, interval }, { signal }),
    refetchInterval: usePolling(SOMETIMES_MS),
  })
}
