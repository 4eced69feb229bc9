import { RookeryError, type ShareTransaction, type TradeSide, type TradeStatus } from '@rookery/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Address, Hash, Wallet } from '../wallet/provider.js'
import { reading } from './reader.js'
import { asOwnerIfAny } from './session.js'

const QUOTE_LIVES_MS = 60_000
const SETTLING_MS = 2000
// The service waits for the index, so the next question may follow at once.
const WAIT_SECONDS = 10
const AGAIN_MS = 200
const BALANCE_MS = 15_000

export interface QuoteRequest {
  readonly side: TradeSide
  readonly agentId: string
  readonly amount: number
  readonly slippageBps: number
  readonly walletAddress?: Address
}

/** How long a quote stays valid, by this machine’s clock, which may differ from the service’s. */
export function msLeft(expiresAt: string, now = Date.now()): number {
  return Math.max(0, Math.min(QUOTE_LIVES_MS, new Date(expiresAt).getTime() - now))
}

/** The quote of a trade. Fetched again when it expires. */
export function useQuote(request: QuoteRequest | undefined) {
  return useQuery({
    queryKey: ['quote', request],
    enabled: request !== undefined,
    queryFn: ({ signal }) => {
      if (!request) throw new Error('a quote needs a request')
      return asOwnerIfAny((client) => client.getShareQuote(request, { signal }))
    },
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data ? Math.max(1000, msLeft(state.data.expiresAt)) : false),
  })
}

export function useWalletShares(address: Address | undefined, agentId: string) {
  return useQuery({
    queryKey: ['wallet-shares', address, agentId],
    enabled: address !== undefined,
    queryFn: async ({ signal }) => {
      const { data } = await reading.listHoldings({ address: address ?? '', limit: 100 }, { signal })
      return data.find((holding) => holding.agentId === agentId)?.amount ?? 0
    },
  })
}

/** In wei. */
export function useWalletBalance(wallet: Wallet | undefined) {
  return useQuery({
    queryKey: ['wallet-balance', wallet?.address, wallet?.chainId],
    enabled: wallet !== undefined,
    queryFn: () => wallet?.connection.balance() ?? 0n,
    refetchInterval: BALANCE_MS,
    // Structural sharing cannot compare a bigint.
    structuralSharing: false,
  })
}

/** The status of a transaction; null while the service has not indexed its block. */
export function useSettling(hash: Hash | undefined) {
  return useQuery({
    queryKey: ['settling', hash],
    enabled: hash !== undefined,
    queryFn: async ({ signal }): Promise<{ status: TradeStatus; blockNumber: number } | null> => {
      if (hash === undefined) return null
      const wanted = { transactionHash: hash, wait: WAIT_SECONDS }
      const { indexed, status, blockNumber } = await reading.getTrade(wanted, { signal }).catch(notFound)
      return indexed && blockNumber !== null ? { status: status as TradeStatus, blockNumber } : null
    },
    staleTime: 0,
    refetchInterval: ({ state }) => {
      if (state.data?.status === 'final') return false
      return state.data || state.error ? SETTLING_MS : AGAIN_MS
    },
  })
}

// The wallet's node may be ahead of the service's.
function notFound(error: unknown): Pick<ShareTransaction, 'indexed' | 'status' | 'blockNumber'> {
  if (error instanceof RookeryError && error.code === 'TRANSACTION_NOT_FOUND')
    return { indexed: false, status: 'sent', blockNumber: null }
  throw error
}
