import type { ClaimInfo } from '@rookery/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { rookery } from './client.js'

const POLL_MS = 3000

const claimKey = (token: string) => ['claim', token]

/** The agent behind a claim link. Polls while it is unverified, because it may be verified elsewhere. */
export function useClaim(token: string) {
  return useQuery({
    queryKey: claimKey(token),
    queryFn: ({ signal }) => rookery.getAgentByClaim({ code: token }, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? POLL_MS : false),
  })
}

/** Verifies the agent by its post; without a URL the service searches for the post. */
export function useVerifyAgent(token: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (tweetUrl: string | undefined) =>
      rookery.verifyAgent({ verifyToken: token, ...(tweetUrl !== undefined && { tweetUrl }) }),
    onSuccess: async ({ status, xOwnerHandle, xOwnerName }) => {
      // What was asked for before the change would undo it here.
      await queries.cancelQueries({ queryKey: claimKey(token) })
      queries.setQueryData<ClaimInfo>(
        claimKey(token),
        (claim) => claim && { ...claim, status, ownerXHandle: xOwnerHandle, ownerXName: xOwnerName },
      )
      for (const name of ['agent', 'agents', 'trending-agents']) void queries.invalidateQueries({ queryKey: [name] })
    },
  })
}
