import type { AgentSort } from '@rookery/sdk'
import { type AgentQuery, BEST_MATCH, isAgentSort } from '../../api/agent-query.js'

const AMOUNT = /^[0-9]{1,30}(\.[0-9]{1,18})?$/
const WHOLE = /^[0-9]{1,9}$/
const DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/

/** One bound of the table: its name in the address, what it asks of the service, and how it is written. */
interface Bound {
  readonly label: string
  readonly kind: 'amount' | 'whole' | 'date'
  readonly ask: (value: string) => AgentQuery
}

const amount = (label: string, ask: Bound['ask']): Bound => ({ label, kind: 'amount', ask })
const whole = (label: string, ask: (count: number) => AgentQuery): Bound => ({
  label,
  kind: 'whole',
  ask: (value) => ask(Number(value)),
})
const date = (label: string, ask: Bound['ask']): Bound => ({ label, kind: 'date', ask })

/** Every bound, in the order it is shown. */
export const bounds = {
  minPrice: amount('Price from (BNB)', (minPriceBnb) => ({ minPriceBnb })),
  maxPrice: amount('Price to (BNB)', (maxPriceBnb) => ({ maxPriceBnb })),
  minFollowers: whole('Followers from', (minFollowersCount) => ({ minFollowersCount })),
  minHolders: whole('Holders from', (minHolder) => ({ minHolder })),
  maxHolders: whole('Holders to', (maxHolder) => ({ maxHolder })),
  minVolume: amount('Volume from (BNB)', (minVolumeBnb) => ({ minVolumeBnb })),
  maxVolume: amount('Volume to (BNB)', (maxVolumeBnb) => ({ maxVolumeBnb })),
  minHeld: amount('Value held from (BNB)', (minHoldingValueBnb) => ({ minHoldingValueBnb })),
  maxHeld: amount('Value held to (BNB)', (maxHoldingValueBnb) => ({ maxHoldingValueBnb })),
  maxFollowers: whole('Followers to', (maxFollowersCount) => ({ maxFollowersCount })),
  minFollowing: whole('Following from', (minFollowingCount) => ({ minFollowingCount })),
  maxFollowing: whole('Following to', (maxFollowingCount) => ({ maxFollowingCount })),
  minOwnerFollowers: whole('Owner’s reach from', (minOwnerXFollowersCount) => ({ minOwnerXFollowersCount })),
  maxOwnerFollowers: whole('Owner’s reach to', (maxOwnerXFollowersCount) => ({ maxOwnerXFollowersCount })),
  launchedFrom: date('Launched from', (day) => ({ minTgeAt: `${day}T00:00:00.000Z` })),
  launchedTo: date('Launched to', (day) => ({ maxTgeAt: `${day}T23:59:59.999Z` })),
} as const satisfies Record<string, Bound>

export type BoundName = keyof typeof bounds

/** How the value of a bound is written, and what is said of one that is not. */
export const forms: Readonly<Record<Bound['kind'], { form: RegExp; fault: string }>> = {
  amount: { form: AMOUNT, fault: 'Write an amount like 0.05' },
  whole: { form: WHOLE, fault: 'Write a whole number' },
  date: { form: DATE, fault: 'Choose a day' },
}

export const boundNames = Object.keys(bounds) as BoundName[]

/** The members of the address that narrow the table. */
export const filterNames = ['q', 'launched', ...boundNames] as const
export type FilterName = (typeof filterNames)[number]

/** How the table is ordered and narrowed. */
export interface TableQuery {
  readonly sort: AgentSort | typeof BEST_MATCH
  readonly order: 'ASC' | 'DESC'
  /** The same, as the service is asked. */
  readonly request: AgentQuery
}

export type ChangeQuery = (changes: Partial<Record<FilterName | 'sort' | 'order', string | undefined>>) => void

/** What the address asks for. A value that cannot be is left out. */
export function readTableQuery(query: URLSearchParams): TableQuery {
  const search = query.get('q')?.slice(0, 100)
  const given = query.get('sort')
  const sort = isAgentSort(given) ? given : search ? BEST_MATCH : 'SHARE_PRICE'
  const order = query.get('order') === 'ASC' ? 'ASC' : 'DESC'
  const request = {
    ...(sort !== BEST_MATCH && { sortBy: sort, sortOrder: order }),
    ...(search && { search }),
    // Only what has launched has a time of launch, so any bound on it leaves the rest out.
    ...(query.get('launched') === '1' && { minTgeAt: '0' }),
    ...Object.assign({}, ...boundNames.map((name) => askFor(name, query.get(name)))),
  } satisfies AgentQuery
  return { sort, order, request }
}

function askFor(name: BoundName, value: string | null): AgentQuery {
  const { kind, ask } = bounds[name]
  return value !== null && forms[kind].form.test(value) ? ask(value) : {}
}
