import type { AgentSort } from '@rookery/sdk'
import { type AgentQuery, isAgentSort } from '../../api/agents.js'

/** The members of the address that narrow the table. */
export const filterNames = ['q', 'minPrice', 'maxPrice', 'minFollowers', 'minHolders', 'launched'] as const
export type FilterName = (typeof filterNames)[number]

/** How the table is ordered and narrowed; both members of an order are always there. */
export interface TableQuery extends AgentQuery {
  readonly sortBy: AgentSort
  readonly sortOrder: 'ASC' | 'DESC'
}

export type ChangeQuery = (changes: Partial<Record<FilterName | 'sort' | 'order', string | undefined>>) => void

export const AMOUNT = /^[0-9]{1,30}(\.[0-9]{1,18})?$/
export const WHOLE = /^[0-9]{1,9}$/

/** What the address asks for. A value that cannot be is left out. */
export function readAgentQuery(query: URLSearchParams): TableQuery {
  const text = (name: FilterName, form: RegExp) => {
    const value = query.get(name)
    return value !== null && form.test(value) ? value : undefined
  }
  const search = query.get('q')?.slice(0, 100)
  const sort = query.get('sort')
  const minPriceBnb = text('minPrice', AMOUNT)
  const maxPriceBnb = text('maxPrice', AMOUNT)
  const minFollowersCount = text('minFollowers', WHOLE)
  const minHolder = text('minHolders', WHOLE)
  return {
    sortBy: isAgentSort(sort) ? sort : 'SHARE_PRICE',
    sortOrder: query.get('order') === 'ASC' ? 'ASC' : 'DESC',
    ...(search && { search }),
    ...(minPriceBnb && { minPriceBnb }),
    ...(maxPriceBnb && { maxPriceBnb }),
    ...(minFollowersCount && { minFollowersCount: Number(minFollowersCount) }),
    ...(minHolder && { minHolder: Number(minHolder) }),
    // Only what has launched has a time of launch, so any bound on it leaves the rest out.
    ...(query.get('launched') === '1' && { minTgeAt: '0' }),
  }
}
