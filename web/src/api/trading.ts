import type { TradeSide, TradeStatus } from '@rookery/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Address, Hash, Wallet } from '../wallet/provider.js'
import { rookery } from './client.js'
import { asOwnerIfAny } from './session.js'

const QUOTE_LIVES_MS = 60_000
const SETTLING_MS = 2000
const BALANCE_MS = 15_000

/** What a quote is asked for. */
export interface QuoteRequest {
  readonly side: TradeSide
  readonly agentId: string
  readonly amount: number
  readonly slippageBps: number
  readonly walletAddress?: Address
}

/** How long a quote stays valid, by a clock that may differ from the service’s. */
export function msLeft(expiresAt: string, now = Date.now()): number {
  return Math.max(0, Math.min(QUOTE_LIVES_MS, new Date(expiresAt).getTime() - now))
}

/** What a trade would come to. Asked for again when it runs out. */
export function useQuote(request: QuoteRequest | undefined) {
  return useQuery({
    queryKey: ['quote', request],
    enabled: request !== undefined,
    queryFn: ({ signal }) => {
      if (!request) throw new Error('a quote is for something')
      return asOwnerIfAny((client) => client.getShareQuote(request, { signal }))
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data ? Math.max(1000, msLeft(state.data.expiresAt)) : false),
  })
}

/** Shares of one agent that a wallet holds. */
export function useWalletShares(address: Address | undefined, agentId: string) {
  return useQuery({
    queryKey: ['wallet-shares', address, agentId],
    enabled: address !== undefined,
    queryFn: async ({ signal }) => {
      const { data } = await rookery.listHoldings({ address: address ?? '', limit: 100 }, { signal })
      return data.find((holding) => holding.agentId === agentId)?.balance ?? 0
    },
  })
}

/** What a wallet can pay with, in wei. */
export function useWalletBalance(wallet: Wallet | undefined) {
  return useQuery({
    queryKey: ['wallet-balance', wallet?.address, wallet?.chainId],
    enabled: wallet !== undefined,
    queryFn: () => wallet?.connection.balance() ?? 0n,
    refetchInterval: BALANCE_MS,
    // A bigint has no place in the structure that is compared for sharing.
    structuralSharing: false,
  })
}

/** How settled a transaction of a wallet is; null while the service has not seen its block. */
export function useSettling(address: Address | undefined, hash: Hash | undefined) {
  return useQuery({
    queryKey: ['settling', hash],
    enabled: address !== undefined && hash !== undefined,
    queryFn: async ({ signal }): Promise<{ status: TradeStatus; blockNumber: number } | null> => {
      if (!address) return null
      const { data } = await rookery.listTraderActivities({ address, limit: 20 }, { signal })
      const { status, blockNumber } = data.find(({ transactionHash }) => transactionHash === hash) ?? {}
      return status === undefined || blockNumber === undefined ? null : { status, blockNumber }
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'final' ? false : SETTLING_MS),
  })
}
