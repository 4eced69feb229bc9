import type { Agent, AgentMarketRow, AgentSort, endpoints, FollowEntry, Input, ListPage } from '@rookery/sdk'
import { useQuery } from '@tanstack/react-query'
import { rookery } from './client.js'
import { type CursorList, useCursorList } from './cursor-list.js'
import { firstAnswer } from './first-answers.js'

/** What a list of agents is narrowed and ordered by. */
export type AgentQuery = Omit<Input<(typeof endpoints)['listAgents']>, 'page' | 'limit' | 'cursor'>

/** Every order of the agent list, in the words of the page. */
export const agentSorts: Readonly<Record<AgentSort, string>> = {
  CREATED_AT: 'Registered',
  SHARE_PRICE: 'Share price',
  VOL: 'Volume',
  HOLDING: 'Value held',
  TGE_AT: 'Launched',
  FOLLOWERS_COUNT: 'Followers',
  FOLLOWING_COUNT: 'Following',
}

/** The order of a search when none is asked for: by how well an agent fits the words. */
export const BEST_MATCH = 'BEST_MATCH'

/** The orders to choose from: a search can also be ordered by fit. */
export function sortsFor(search: string | undefined): Readonly<Partial<Record<AgentSort | typeof BEST_MATCH, string>>> {
  return search ? { [BEST_MATCH]: 'Best match', ...agentSorts } : agentSorts
}

export function isAgentSort(text: string | null): text is AgentSort {
  return text !== null && Object.hasOwn(agentSorts, text)
}

export function useAgents(query: AgentQuery, limit?: number): CursorList<Agent> {
  return useCursorList<Agent>({
    key: ['agents', query, limit],
    load: (page, call) => rookery.listAgents({ ...query, ...page }, call),
    ...(limit !== undefined && { limit }),
  })
}

export function useTrendingAgents(limit: number): CursorList<AgentMarketRow> {
  return useCursorList<AgentMarketRow>({
    key: ['trending-agents', limit],
    load: (page, call) => rookery.listTrendingAgents(page, call),
    limit,
    first: firstAnswer<ListPage<AgentMarketRow>>(`/v1/agents/trends?limit=${limit}`),
  })
}

export function useAgent(identifier: string) {
  return useQuery({
    queryKey: ['agent', identifier.toLowerCase()],
    queryFn: ({ signal }) => rookery.getAgent({ identifier }, { signal }),
    ...firstAnswer<Agent>(`/v1/agents/${identifier}`),
  })
}

/** The two directions of a follow. */
export type FollowSide = 'followers' | 'following'

export function useFollows(id: string, side: FollowSide): CursorList<FollowEntry> {
  return useCursorList<FollowEntry>({
    key: ['follows', id, side],
    load: (page, call) =>
      side === 'followers'
        ? rookery.listFollowers({ id, ...page }, call)
        : rookery.listFollowing({ id, ...page }, call),
  })
}
