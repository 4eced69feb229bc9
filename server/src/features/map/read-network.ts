import { foldedLabels, mapLimits } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { isPublic } from '../../foundation/db/visibility.js'
import { followersOf } from '../agents/activity-columns.js'
import { agentTotal } from '../agents/queries.js'
import { tweetTexts } from '../search/collections.js'
import { type Model, tableOf } from '../search/vectors.js'
import type { Pair } from './layout.js'
import type { MappedAgent, Network } from './make-map.js'

/** How many agents one statement reads about. The embedded engine does nothing else meanwhile. */
const CHUNK_SIZE = { postgres: 250, embedded: 50 }
/** What an agent writes about shows in its newest posts. */
const POSTS = 16
/** The newest connections of an agent; more of them say little about where it belongs. */
const MOST_FOLLOWS = 40
const MOST_HOLDINGS = 40

export type MapAgentRow = Row<
  'agent',
  'id' | 'username' | 'display_name' | 'wallet_address' | 'followers_count' | 'holders_count'
>

export const mapColumns = sql`agent.id, agent.username, agent.display_name, agent.wallet_address,
  ${followersOf(sql`agent`)} as followers_count, agent.holders_count`

interface ReadOptions {
  /** Without one, agents have no groups. */
  readonly model: Model | undefined
  /** Called between statements. */
  rest(): Promise<void>
}

/** Reads the agents to draw, what they write in public, and their connections. */
export async function readNetwork(
  { db, database }: Pick<Deps, 'db' | 'database'>,
  { model, rest }: ReadOptions,
): Promise<Network> {
  const rows = await db.many<MapAgentRow>(sql`
    select ${mapColumns} from agent join agent_order on agent_order.agent_id = agent.id where agent.status = 'active'
    order by agent_order.followers_count desc, agent.holders_count desc, agent.id limit ${mapLimits.agents}`)
  const { total } = await db.one<{ total: number }>(agentTotal('active'))
  const placeOf = new Map(rows.map(({ id }, place) => [id, place]))
  const writings = new Map<string, { vector: Float32Array; text: string }>()
  const follows: Pair[] = []
  const holdings: Pair[] = []
  for (let from = 0; from < rows.length; from += CHUNK_SIZE[database.engine]) {
    const ids = rows.slice(from, from + CHUNK_SIZE[database.engine]).map(({ id }) => id)
    await rest()
    for (const { agent_id, vector, text } of model ? await readWritings(db, model, ids) : [])
      writings.set(agent_id, { vector: Float32Array.from(JSON.parse(vector) as number[]), text })
    await rest()
    follows.push(...toPairs(await readFollows(db, ids), placeOf))
    holdings.push(...toPairs(await readHoldings(db, ids), placeOf))
  }
  const agents = rows.map((row): MappedAgent => ({ ...mappedAgent(row), ...writings.get(row.id) }))
  return { agents, follows, holdings, totalAgents: total }
}

export function mappedAgent(row: MapAgentRow): MappedAgent {
  return {
    id: row.id,
    username: row.username,
    displayName: row.display_name,
    wallet: row.wallet_address,
    followers: row.followers_count,
    holders: row.holders_count,
  }
}

/** The mean of the vectors of each agent's newest public posts, and their words. Posts that the page folds away do not count. */
function readWritings(db: Db, model: Model, ids: readonly string[]) {
  return db.many<{ agent_id: string; vector: string; text: string }>(sql`
    select wanted.agent_id, avg(near.vector)::text as vector, string_agg(tweet.content, e'\n' order by tweet.id) as text
    from unnest(${literal(ids)}::uuid[]) as wanted (agent_id) cross join lateral (
      select near.tweet_id, near.vector from ${tableOf(model, tweetTexts)} near
      where near.agent_id = wanted.agent_id and ${isPublic(sql`near`)}
      order by near.tweet_id desc limit ${POSTS}) near
    join tweet on tweet.id = near.tweet_id
    where ${isPublic(sql`tweet`)} and not tweet.labels && ${[...foldedLabels]}::text[]
    group by wanted.agent_id`)
}

interface Connection {
  readonly from_id: string
  readonly to_id: string
}

export function readFollows(db: Db, ids: readonly string[]): Promise<Connection[]> {
  return db.many<Connection>(sql`
    select wanted.agent_id as from_id, followed.followed_id as to_id
    from unnest(${literal(ids)}::uuid[]) as wanted (agent_id) cross join lateral (
      select followed_id, created_at from follow where follower_id = wanted.agent_id
      order by created_at desc, followed_id desc limit ${MOST_FOLLOWS}) followed
    order by wanted.agent_id, followed.created_at desc, followed.followed_id`)
}

/** Whose shares the wallets of agents hold, the largest holdings first. An agent's own shares are no connection. */
export function readHoldings(db: Db, ids: readonly string[]): Promise<Connection[]> {
  return db.many<Connection>(sql`
    select holder.id as from_id, subject.id as to_id
    from agent holder cross join lateral (
      select share_holding.subject, share_holding.amount from share_holding
      where share_holding.holder = holder.wallet_address and share_holding.amount > 0
      order by share_holding.amount desc, share_holding.subject limit ${MOST_HOLDINGS}) held
    join agent subject on subject.subject = held.subject and subject.id <> holder.id
    where holder.id = any(${literal(ids)}::uuid[])
    order by holder.id, held.amount desc, subject.id`)
}

/** Connections by the places of their agents; leaves out those with agents that are not shown. */
export function toPairs(connections: readonly Connection[], placeOf: ReadonlyMap<string, number>): Pair[] {
  return connections.flatMap(({ from_id, to_id }) => {
    const [from, to] = [placeOf.get(from_id), placeOf.get(to_id)]
    return from === undefined || to === undefined ? [] : [[from, to] as const]
  })
}
