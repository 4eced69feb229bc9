import type { AgentSort, endpoints, Input } from '@rookery/sdk'

/** The filters and the order of a list of agents. */
export type AgentQuery = Omit<Input<(typeof endpoints)['listAgents']>, 'page' | 'limit' | 'cursor' | 'include'>

/** The label of every order of the agent list. */
export const agentSorts: Readonly<Record<AgentSort, string>> = {
  SHARE_PRICE: 'Price',
  CHANGE_24H: '24 h',
  MARKET_VALUE: 'Market value',
  VOL: 'Volume',
  HOLDERS: 'Holders',
  HOLDING: 'Value held',
  TGE_AT: 'Launched',
  FOLLOWERS_COUNT: 'Followers',
  FOLLOWING_COUNT: 'Following',
  CREATED_AT: 'Registered',
}

/** The default order of a search: by how well an agent matches the words. */
export const BEST_MATCH = 'BEST_MATCH'

/** The available orders: only a search can be ordered by best match. */
export function sortsFor(search: string | undefined): Readonly<Partial<Record<AgentSort | typeof BEST_MATCH, string>>> {
  return search ? { [BEST_MATCH]: 'Best match', ...agentSorts } : agentSorts
}

export function isAgentSort(text: string | null): text is AgentSort {
  return text !== null && Object.hasOwn(agentSorts, text)
}
