import type { AgentSort } from '@rookery/sdk'
import { type AgentQuery, BEST_MATCH, isAgentSort } from '../../api/agent-query.js'
import { findView, type ViewName, views } from './views.js'

const AMOUNT = /^[0-9]{1,30}(\.[0-9]{1,18})?$/
const WHOLE = /^[0-9]{1,9}$/
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** One bound of the table: its label, its query to the service, and the form of its value. */
interface Bound {
  readonly label: string
  readonly kind: 'amount' | 'whole' | 'date'
  readonly toQuery: (value: string) => AgentQuery
}

const amount = (label: string, toQuery: Bound['toQuery']): Bound => ({ label, kind: 'amount', toQuery })
const whole = (label: string, toQuery: (count: number) => AgentQuery): Bound => ({
  label,
  kind: 'whole',
  toQuery: (value) => toQuery(Number(value)),
})
const date = (label: string, toQuery: Bound['toQuery']): Bound => ({ label, kind: 'date', toQuery })

/** In the order in which they are shown. */
export const bounds = {
  minPrice: amount('Min. price (BNB)', (minPriceBnb) => ({ minPriceBnb })),
  maxPrice: amount('Max. price (BNB)', (maxPriceBnb) => ({ maxPriceBnb })),
  minFollowers: whole('Min. followers', (minFollowersCount) => ({ minFollowersCount })),
  maxFollowers: whole('Max. followers', (maxFollowersCount) => ({ maxFollowersCount })),
  minHolders: whole('Min. holders', (minHolder) => ({ minHolder })),
  maxHolders: whole('Max. holders', (maxHolder) => ({ maxHolder })),
  minVolume: amount('Min. volume (BNB)', (minVolumeBnb) => ({ minVolumeBnb })),
  maxVolume: amount('Max. volume (BNB)', (maxVolumeBnb) => ({ maxVolumeBnb })),
  minHeld: amount('Min. value held (BNB)', (minHoldingValueBnb) => ({ minHoldingValueBnb })),
  maxHeld: amount('Max. value held (BNB)', (maxHoldingValueBnb) => ({ maxHoldingValueBnb })),
  minFollowing: whole('Min. following', (minFollowingCount) => ({ minFollowingCount })),
  maxFollowing: whole('Max. following', (maxFollowingCount) => ({ maxFollowingCount })),
  minOwnerFollowers: whole('Min. owner followers', (minOwnerXFollowersCount) => ({ minOwnerXFollowersCount })),
  maxOwnerFollowers: whole('Max. owner followers', (maxOwnerXFollowersCount) => ({ maxOwnerXFollowersCount })),
  launchedFrom: date('Launched on or after', (day) => ({ minTgeAt: `${day}T00:00:00.000Z` })),
  launchedTo: date('Launched on or before', (day) => ({ maxTgeAt: `${day}T23:59:59.999Z` })),
} as const satisfies Record<string, Bound>

export type BoundName = keyof typeof bounds

/** The form of a bound's value, and the message for an invalid one. */
export const forms: Readonly<Record<Bound['kind'], { form: RegExp; fault: string }>> = {
  amount: { form: AMOUNT, fault: 'Enter an amount like 0.05' },
  whole: { form: WHOLE, fault: 'Enter a whole number' },
  date: { form: DATE, fault: 'Choose a date' },
}

export const boundNames = Object.keys(bounds) as BoundName[]

/** The query members of the address that filter the table. */
export const filterNames = ['q', 'launched', ...boundNames] as const
export type FilterName = (typeof filterNames)[number]

/** The bounds beside the table; the others are in the panel. */
export const chosenBounds: readonly BoundName[] = ['minPrice', 'maxPrice']

/** The order and filters of the table. */
export interface TableQuery {
  /** Undefined in an order of the reader's own. */
  readonly view: ViewName | undefined
  readonly sort: AgentSort | typeof BEST_MATCH
  readonly order: 'ASC' | 'DESC'
  /** The same as a query to the service. */
  readonly request: AgentQuery
}

export type ChangeQuery = (changes: Partial<Record<FilterName | 'view' | 'sort' | 'order', string | undefined>>) => void

/** Reads the address. Ignores invalid values. An order that it names wins over that of its view. */
export function readTableQuery(query: URLSearchParams): TableQuery {
  const search = query.get('q')?.slice(0, 100)
  const given = query.get('sort')
  const named = findView(query.get('view'))
  const own = isAgentSort(given) ? given : undefined
  const isBest = own === undefined && named === undefined && Boolean(search)
  const view = views[named ?? 'all']
  const sort = own ?? (isBest ? BEST_MATCH : view.sort)
  const order = own === undefined ? view.order : query.get('order') === 'ASC' ? 'ASC' : 'DESC'
  const request = {
    ...(sort !== BEST_MATCH && { sortBy: sort, sortOrder: order }),
    ...(search && { search }),
    // Only launched agents have a time of launch, so any bound on it excludes the others.
    ...(query.get('launched') === '1' && { minTgeAt: '0' }),
    ...('within' in view && own === undefined && view.within),
    ...Object.assign({}, ...boundNames.map((name) => queryFor(name, query.get(name)))),
  } satisfies AgentQuery
  return { view: own === undefined && !isBest ? (named ?? 'all') : undefined, sort, order, request }
}

function queryFor(name: BoundName, value: string | null): AgentQuery {
  const { kind, toQuery } = bounds[name]
  return value !== null && forms[kind].form.test(value) ? toQuery(value) : {}
}
