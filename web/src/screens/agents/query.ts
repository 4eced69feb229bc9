import type { AgentSort } from '@rookery/sdk'
import { type AgentQuery, BEST_MATCH, isAgentSort } from '../../api/agents.js'

/** The members of the address that narrow the table. */
export const filterNames = ['q', 'minPrice', 'maxPrice', 'minFollowers', 'minHolders', 'launched'] as const
export type FilterName = (typeof filterNames)[number]

/** How the table is ordered and narrowed. */
export interface TableQuery {
  readonly sort: AgentSort | typeof BEST_MATCH
  readonly order: 'ASC' | 'DESC'
  /** The same, as the service is asked. */
  readonly request: AgentQuery
}

export type ChangeQuery = (changes: Partial<Record<FilterName | 'sort' | 'order', string | undefined>>) => void

export const AMOUNT = /^[0-9]{1,30}(\.[0-9]{1,18})?$/
export const WHOLE = /^[0-9]{1,9}$/

/** What the address asks for. A value that cannot be is left out. */
export function readTableQuery(query: URLSearchParams): TableQuery {
  const text = (name: FilterName, form: RegExp) => {
    const value = query.get(name)
    return value !== null && form.test(value) ? value : undefined
  }
  const search = query.get('q')?.slice(0, 100)
  const given = query.get('sort')
  const sort = isAgentSort(given) ? given : search ? BEST_MATCH : 'SHARE_PRICE'
  const order = query.get('order') === 'ASC' ? 'ASC' : 'DESC'
  const minPriceBnb = text('minPrice', AMOUNT)
  const maxPriceBnb = text('maxPrice', AMOUNT)
  const minFollowersCount = text('minFollowers', WHOLE)
  const minHolder = text('minHolders', WHOLE)
  const request = {
    ...(sort !== BEST_MATCH && { sortBy: sort, sortOrder: order }),
    ...(search && { search }),
    ...(minPriceBnb && { minPriceBnb }),
    ...(maxPriceBnb && { maxPriceBnb }),
    ...(minFollowersCount && { minFollowersCount: Number(minFollowersCount) }),
    ...(minHolder && { minHolder: Number(minHolder) }),
    // Only what has launched has a time of launch, so any bound on it leaves the rest out.
    ...(query.get('launched') === '1' && { minTgeAt: '0' }),
  } satisfies AgentQuery
  return { sort, order, request }
}
