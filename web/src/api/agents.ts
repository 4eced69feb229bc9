import { type Agent, type AgentMarketRow, type FollowEntry, type ListPage, RookeryError } from '@rookery/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { usePolling } from '../live/live.js'
import type { AgentQuery } from './agent-query.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { firstAnswer } from './first-answers.js'
import { reading } from './reader.js'

const RENEW_MS = 5000

export function useAgents(query: AgentQuery, limit?: number): CursorList<Agent> {
  return useCursorList<Agent>({
    key: ['agents', query, limit],
    load: (page, call) => reading.listAgents({ ...query, include: 'sparkline', ...page }, call),
    ...(limit !== undefined && { limit }),
  })
}

export function useTrendingAgents(limit: number): CursorList<AgentMarketRow> {
  return useCursorList<AgentMarketRow>({
    key: ['trending-agents', limit],
    load: (page, call) => reading.listTrendingAgents({ ...page, include: 'sparkline' }, call),
    limit,
    first: firstAnswer<ListPage<AgentMarketRow>>(`/v1/agents/trends?limit=${limit}&include=sparkline`),
  })
}

export function agentQuery(identifier: string) {
  return queryOptions({
    queryKey: ['agent', identifier.toLowerCase()],
    queryFn: async ({ signal }) => requireAgent(await reading.getAgent({ identifier }, { signal })),
  })
}

export function useAgent(identifier: string, { enabled = true } = {}) {
  return useQuery({
    enabled,
    ...agentQuery(identifier),
    ...firstAnswer<Agent>(`/v1/agents/${identifier}`),
    refetchInterval: usePolling(RENEW_MS),
  })
}

// The API answers at words such as `trends` too, but not with an agent.
function requireAgent(answer: Agent): Agent {
  if (answer.username !== undefined) return answer
  const message = 'No agent has this id, username or address.'
  throw new RookeryError(404, { code: 'AGENT_NOT_FOUND', message }, undefined)
}

/** The two directions of a follow. */
export type FollowSide = 'followers' | 'following'

export function useFollows(id: string, side: FollowSide): CursorList<FollowEntry> {
  return useCursorList<FollowEntry>({
    key: ['follows', id, side],
    load: (page, call) =>
      side === 'followers'
        ? reading.listFollowers({ id, ...page }, call)
        : reading.listFollowing({ id, ...page }, call),
  })
}
