import type { AgentSort, endpoints, Input } from '@rookery/sdk'

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
