import type { FeeClaim } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Address } from '../wallet/provider.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { asOwner } from './session.js'

const WATCH_MS = 10_000
const DAYS = 30

/** What waits for the owner of an agent, and what was earned; without an agent, for all agents of the owner. */
export function useFees(agentId?: string) {
  return useQuery({
    queryKey: ['fees', agentId ?? 'all'],
    queryFn: ({ signal }) =>
      asOwner((client) => client.getFees({ ...(agentId !== undefined && { agentId }), days: DAYS }, { signal })),
    refetchInterval: WATCH_MS,
  })
}

export function useFeeClaims(agentId: string): CursorList<FeeClaim> {
  return useCursorList<FeeClaim>({
    key: ['fee-claims', agentId],
    load: (page, call) => asOwner((client) => client.listFeeClaims({ agentId, ...page }, call)),
    limit: 10,
  })
}

/** Prepares the transaction that collects the fees, to be signed by a wallet. */
export function prepareFeeClaim(agentId: string, walletAddress: Address) {
  return asOwner((client) => client.prepareFeeClaim({ agentId, walletAddress }))
}
