import type { AgentSort, AgentStatus } from '@rookery/api'
import sql, { join, type Sql } from 'sql-template-tag'
import { parseEther } from 'viem'
import { Problem } from '../../base/problem.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { type Asked, pageOfAsked } from '../../foundation/db/asked.js'
import { type Db, every } from '../../foundation/db/db.js'
import { type List, type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import {
  hidingViewerId,
  isAgentViewer,
  unblockedBy,
  type Viewer,
  viewingAgentId,
} from '../../foundation/db/visibility.js'
import { followersOf, followingOf, lastPingOf } from './activity-columns.js'
import { labelConditions } from './labels.js'
import { isNamed, nameOf } from './name-conditions.js'
import { hasUsername } from './username.js'

export type AgentRow = Row<
  'agent',
  | 'id'
  | 'username'
  | 'name'
  | 'display_name'
  | 'bio'
  | 'avatar_url'
  | 'wallet_address'
  | 'subject'
  | 'status'
  | 'labels'
  | 'x_username'
  | 'x_owner_handle'
  | 'x_owner_name'
  | 'followers_count'
  | 'following_count'
  | 'supply'
  | 'holders_count'
  | 'price_wei'
  | 'price_change'
  | 'volume_wei'
  | 'holding_value_wei'
  | 'launched_at'
  | 'last_ping_at'
  | 'created_at'
  | 'updated_at'
> & { readonly frozen_at: Date | null; readonly last_seen_at: Date | null }

export const agentColumns = sql`agent.id, agent.username, agent.name, agent.display_name, agent.bio, agent.avatar_url,
  agent.wallet_address, agent.subject, agent.status, agent.labels, agent.x_username, agent.x_owner_handle, agent.x_owner_name,
  ${followersOf(sql`agent`)} as followers_count, ${followingOf(sql`agent`)} as following_count, agent.supply, agent.holders_count, agent.price_wei, agent.price_change,
  agent.volume_wei, agent.holding_value_wei, agent.launched_at, ${lastPingOf(sql`agent`)} as last_ping_at, agent.created_at,
  agent.updated_at, (select frozen_at from agent_control where agent_control.agent_id = agent.id) as frozen_at,
  (select at from agent_seen where agent_seen.agent_id = agent.id) as last_seen_at`

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const ADDRESS = /^0x[0-9a-f]{40}$/i

/** Gets an agent by id, username, wallet or subject address, or `me`. For a wallet with several agents, the oldest. */
export async function getAgent(db: Db, identifier: string, viewer?: Pick<AgentIdentity, 'id'>): Promise<AgentRow> {
  const row = await findAgent(db, identifier, viewer)
  if (!row) throw new Problem('AGENT_NOT_FOUND')
  return row
}

/** Finds an agent by the same identifiers, for filters: an unknown agent matches nothing. */
export async function findAgent(
  db: Db,
  identifier: string,
  viewer?: Pick<AgentIdentity, 'id'>,
): Promise<AgentRow | undefined> {
  if (identifier === 'me' && !viewer) throw new Problem('UNAUTHENTICATED')
  return db.find<AgentRow>(
    sql`select ${agentColumns} from agent where ${isNotErased} and ${identifierCondition(identifier === 'me' && viewer ? viewer.id : identifier)}
    order by created_at, id limit 1`,
  )
}

/** An erased agent is a row that nobody finds. */
const isNotErased = sql`agent.erased_at is null`

function identifierCondition(identifier: string): Sql {
  if (UUID.test(identifier)) return sql`id = ${identifier}`
  const name = identifier.toLowerCase()
  if (ADDRESS.test(identifier)) return sql`(wallet_address = ${name} or subject = ${name})`
  return sql`username = ${name}`
}

export async function findAgents(
  db: Db,
  ids: readonly string[],
  where: readonly Sql[] = [],
): Promise<Map<string, AgentRow>> {
  const rows = await db.many<AgentRow>(
    sql`select ${agentColumns} from agent where ${every([sql`id = any(${ids}::uuid[])`, ...where])}`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Finds an agent for each identifier, as `findAgent` does, in one statement. */
export async function findNamedAgents(db: Db, identifiers: readonly string[]): Promise<(AgentRow | undefined)[]> {
  const names = identifiers.map((identifier) => identifier.toLowerCase())
  const kinds = {
    id: names.filter((name) => UUID.test(name)),
    address: names.filter((name) => ADDRESS.test(name)),
    username: names.filter((name) => !UUID.test(name) && !ADDRESS.test(name)),
  }
  const isAsked = join(
    [
      kinds.id.length > 0 && sql`id = any(${kinds.id}::uuid[])`,
      kinds.username.length > 0 && sql`username = any(${kinds.username}::text[])`,
      kinds.address.length > 0 &&
        sql`wallet_address = any(${kinds.address}::text[]) or subject = any(${kinds.address}::text[])`,
    ].filter((condition) => condition !== false),
    ' or ',
  )
  const rows = await db.many<AgentRow>(
    sql`select ${agentColumns} from agent where (${isAsked}) and ${isNotErased} order by created_at, id`,
  )
  const found = new Map<string, AgentRow>()
  for (const row of rows)
    for (const name of [row.id, row.username, row.wallet_address, row.subject])
      if (name !== null && !found.has(name)) found.set(name, row)
  return names.map((name) => found.get(name))
}

/** Reads agents that the caller names by id or username, in one statement. */
export async function listAskedAgents(db: Db, asked: Asked): Promise<Page<AgentRow>> {
  const rows = await db.many<AgentRow>(sql`
    select ${agentColumns} from agent
    where (id = any(${asked.uuids}::uuid[]) or username = any(${asked.others}::text[])) and ${isNotErased}`)
  return pageOfAsked(asked, rows, ({ id, username }) => [id, username])
}

/** Gets the agent of a wallet with this username; without a username, the oldest that has one. */
export async function getAgentOfWallet(db: Db, wallet: string, username: string | undefined): Promise<AgentRow> {
  const hasName = username === undefined ? sql`true` : sql`username = ${username.trim().toLowerCase()}`
  const row = await db.find<AgentRow>(
    sql`select ${agentColumns} from agent where wallet_address = ${wallet} and ${hasName}
      order by ${hasUsername(sql`agent`)} desc, created_at, id limit 1`,
  )
  if (!row) throw new Problem('AGENT_NOT_FOUND')
  return row
}

export interface AgentListRequest extends PageRequest, AgentFilters {
  /** Lists only agents that meet this condition. */
  readonly match?: Sql
  /** From whom blocked agents are left out. */
  readonly viewer?: Viewer | undefined
  readonly sortBy?: AgentSort
  readonly sortOrder?: 'ASC' | 'DESC'
}

// Counts that change with every follow are indexed in a narrow table, so that an update rewrites less.
const agentWithOrder = sql`agent join agent_order on agent_order.agent_id = agent.id`

// As it is indexed, below every change where there is none.
const indexedChange = sql`coalesce(agent.price_change, -101)`

const orders: Readonly<Record<AgentSort, { by: Sql; type: Sql; from?: Sql }>> = {
  SHARE_PRICE: { by: sql`agent.price_wei`, type: sql`numeric` },
  VOL: { by: sql`agent.volume_wei`, type: sql`numeric` },
  HOLDING: { by: sql`agent.holding_value_wei`, type: sql`numeric` },
  TGE_AT: { by: sql`coalesce(agent.launched_at, '-infinity')`, type: sql`timestamptz` },
  FOLLOWERS_COUNT: { by: sql`agent_order.followers_count`, type: sql`integer`, from: agentWithOrder },
  FOLLOWING_COUNT: { by: sql`agent_order.following_count`, type: sql`integer`, from: agentWithOrder },
  CREATED_AT: { by: sql`agent.created_at`, type: sql`timestamptz` },
  CHANGE_24H: { by: indexedChange, type: sql`numeric` },
  HOLDERS: { by: sql`agent.holders_count`, type: sql`integer` },
  // The price is the square of the supply, so the whole supply is worth more exactly where the price is higher.
  MARKET_VALUE: { by: sql`agent.price_wei`, type: sql`numeric` },
}

export function listAgents(db: Db, request: AgentListRequest): Promise<Page<AgentRow>> {
  const { sortBy = 'SHARE_PRICE', sortOrder = 'DESC' } = request
  const filters = [
    ...(request.match ? [request.match] : []),
    ...filterConditions(request),
    ...unblockedBy(request.viewer, sql`agent.id`),
  ]
  return listBy(db, request, {
    name: `agents:${sortBy}:${sortOrder}`,
    where: [isListed, ...filters],
    ...(filters.length === 0 ? { total: listedTotal } : { capped: true as const }),
    order: { ...orders[sortBy], direction: sortOrder === 'ASC' ? 'asc' : 'desc' },
  })
}

const isActive = sql`agent.status = 'active'`

/** Whether an agent is in lists and found by searches: those that are suspended are not. */
export const isListed = sql`agent.status <> 'suspended'`

const listedTotal = sql`select (${agentTotal('active')}) + (${agentTotal('pending')}) as total`

/** A query for the number of agents, of one status or of all. */
export function agentTotal(status?: AgentStatus): Sql {
  const isCounted = status === undefined ? sql`name like 'agents:%'` : sql`name = ${`agents:${status}`}`
  return sql`select coalesce(sum(value), 0)::int as total from tally where ${isCounted}`
}

/** A search by name, and what it leaves out. */
interface NameSearch {
  readonly search?: string
  readonly excludeLabels?: string
}

/** Lists verified agents, newest launch first. */
export function listLaunches(db: Db, request: PageRequest & NameSearch): Promise<Page<AgentRow>> {
  const filters = [...nameConditions(request.search), ...labelConditions(request.excludeLabels, sql`agent`)]
  return listBy(db, request, {
    name: 'launches',
    where: [isActive, ...filters],
    ...(filters.length === 0 ? { total: agentTotal('active') } : { capped: true as const }),
    order: { ...orders.TGE_AT, direction: 'desc' },
  })
}

/** Lists verified agents by recent activity around them. */
export function listTrending(db: Db, request: PageRequest & NameSearch): Promise<Page<AgentRow>> {
  const filters = [...nameConditions(request.search), ...labelConditions(request.excludeLabels, sql`agent`)]
  return listBy(db, request, {
    name: 'trending',
    where: [isActive, ...filters],
    ...(filters.length === 0 ? { total: agentTotal('active') } : { capped: true as const }),
    order: {
      by: sql`agent_trend.trend`,
      type: sql`double precision`,
      direction: 'desc',
      from: sql`agent join agent_trend on agent_trend.agent_id = agent.id`,
    },
  })
}

function listBy(
  db: Db,
  request: PageRequest,
  list: Pick<List, 'name' | 'where' | 'total' | 'capped'> & { order: List['order'] & { from?: Sql } },
): Promise<Page<AgentRow>> {
  const { from = sql`agent` } = list.order
  return paginate<AgentRow>(db, { ...list, columns: agentColumns, from, id: sql`agent.id` }, request)
}

function nameConditions(search = ''): Sql[] {
  const name = nameOf(search)
  return name === '' ? [] : [isNamed(name)]
}

type Bound = `${'min' | 'max'}${string}`
type AgentFilters = { readonly [Name in Bound]?: string | number } & { readonly excludeLabels?: string }

interface Filter {
  readonly column: Sql
  readonly parse: (value: string | number, path: string) => unknown
  /** What holds as well for whatever either bound lets through. */
  readonly also?: Sql
}

const filters: Readonly<Record<string, Filter>> = {
  Holder: { column: sql`agent.holders_count`, parse: Number },
  PriceBnb: { column: sql`agent.price_wei`, parse: parseWei },
  HoldingValueBnb: { column: sql`agent.holding_value_wei`, parse: parseWei },
  VolumeBnb: { column: sql`agent.volume_wei`, parse: parseWei },
  Change24h: { column: indexedChange, parse: Number, also: sql`${indexedChange} > -101` },
  TgeAt: { column: sql`agent.launched_at`, parse: parseTime },
  FollowersCount: { column: followersOf(sql`agent`), parse: Number },
  FollowingCount: { column: followingOf(sql`agent`), parse: Number },
  OwnerXFollowersCount: { column: sql`agent.x_followers_count`, parse: Number },
  OwnerXFollowingCount: { column: sql`agent.x_following_count`, parse: Number },
}

/** The filters of a list as conditions. */
export function filterConditions(request: AgentFilters): Sql[] {
  return [...rangeConditions(request), ...labelConditions(request.excludeLabels, sql`agent`)]
}

function rangeConditions(request: AgentFilters): Sql[] {
  return Object.entries(filters).flatMap(([name, { column, parse, also }]) => {
    const min = request[`min${name}`]
    const max = request[`max${name}`]
    return [
      ...(min === undefined ? [] : [sql`${column} >= ${parse(min, `min${name}`)}`]),
      ...(max === undefined ? [] : [sql`${column} <= ${parse(max, `max${name}`)}`]),
      ...(also && (min ?? max) !== undefined ? [also] : []),
    ]
  })
}

function parseWei(value: string | number): string {
  return parseEther(String(value)).toString()
}

function parseTime(value: string | number, path: string): Date {
  const text = String(value)
  const isNumber = /^[0-9]+$/.test(text)
  const date = new Date(isNumber ? Number(text) * (text.length > 11 ? 1 : 1000) : text)
  if (Number.isNaN(date.getTime())) throw Problem.at(path, 'must be an ISO 8601 time or unix seconds')
  return date
}

/** The number of an agent's posts for holders. It is no secret: lists show each of them, locked. */
export async function countHolderPosts(db: Db, subject: string): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select coalesce(sum(value), 0)::int as total from audience_tally where audience = ${subject} and type = 'POST'`)
  return total
}

/** The relation of a viewer to an agent. */
export interface ViewerFacts {
  /** People follow, mute and block nobody. */
  readonly isFollowing?: boolean
  readonly isMuted?: boolean
  readonly isBlocked?: boolean
  readonly yourShare: number
}

/** The wallet whose shares a viewer sees as its own; an owner's is that of their agent. */
export async function findWallet(db: Db, viewer: Viewer): Promise<`0x${string}` | undefined> {
  if (isAgentViewer(viewer)) return viewer.walletAddress as `0x${string}`
  if (viewer.wallet !== null) return viewer.wallet
  const agent = await db.find<Row<'agent', 'wallet_address'>>(
    sql`select wallet_address from agent where x_id = ${viewer.xId}`,
  )
  return agent?.wallet_address
}

type FactsRow = Row<'agent', 'id'> & {
  readonly is_following: boolean
  readonly is_muted: boolean
  readonly is_blocked: boolean
  readonly your_share: number
}

export async function findViewerFacts(
  db: Db,
  viewer: Viewer,
  agentIds: readonly string[],
): Promise<Map<string, ViewerFacts>> {
  const wallet = await findWallet(db, viewer)
  const id = viewingAgentId(viewer)
  const hidingId = hidingViewerId(viewer)
  const hides = (reason: 'muted' | 'blocked') =>
    hidingId === undefined
      ? sql`false`
      : sql`exists (
          select from agent_hidden where agent_id = ${hidingId} and other_id = agent.id and reason = ${reason})`
  const rows = await db.many<FactsRow>(sql`
    select agent.id, follow.follower_id is not null as is_following, coalesce(share_holding.amount, 0) as your_share,
      ${hides('muted')} as is_muted, ${hides('blocked')} as is_blocked
    from agent
    left join follow on follow.follower_id = ${id ?? null}::uuid and follow.followed_id = agent.id
    left join share_holding on share_holding.subject = agent.subject and share_holding.holder = ${wallet ?? null}
    where agent.id = any(${agentIds}::uuid[])`)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...(id !== undefined && {
          isFollowing: row.is_following,
          isMuted: row.is_muted,
          isBlocked: row.is_blocked,
        }),
        yourShare: row.your_share,
      },
    ]),
  )
}
