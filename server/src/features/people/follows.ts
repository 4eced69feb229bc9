import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'

type FollowDeps = Pick<Deps, 'db' | 'clock'>

/** How many agents one wallet may follow, and how many it may watch. */
const MOST_FOLLOWS = 1_000
const MOST_WATCHES = 100

export interface Relation {
  readonly is_following: boolean
  readonly price_move_percent: number | null
}

export function findRelation(db: Db, wallet: string, agentId: string): Promise<Relation> {
  return db.one<Relation>(sql`
    select exists (select from wallet_follow where wallet = ${wallet} and agent_id = ${agentId}) as is_following,
      (select price_move_percent from wallet_watch where wallet = ${wallet} and agent_id = ${agentId}) as price_move_percent`)
}

export function followAsWallet({ db, clock }: FollowDeps, wallet: string, agentId: string): Promise<Relation> {
  return db.transaction(async (db) => {
    await requireRoom(db, wallet, agentId, { table: sql`wallet_follow`, most: MOST_FOLLOWS })
    await db.run(sql`
      insert into wallet_follow (wallet, agent_id, created_at) values (${wallet}, ${agentId}, ${clock.now()})
      on conflict do nothing`)
    return findRelation(db, wallet, agentId)
  })
}

export async function unfollowAsWallet({ db }: FollowDeps, wallet: string, agentId: string): Promise<Relation> {
  await db.run(sql`delete from wallet_follow where wallet = ${wallet} and agent_id = ${agentId}`)
  return findRelation(db, wallet, agentId)
}

export function watchAgent(
  { db, clock }: FollowDeps,
  wallet: string,
  agentId: string,
  priceMovePercent: number,
): Promise<Relation> {
  return db.transaction(async (db) => {
    await requireRoom(db, wallet, agentId, { table: sql`wallet_watch`, most: MOST_WATCHES })
    await db.run(sql`
      insert into wallet_watch (wallet, agent_id, price_move_percent, created_at)
      values (${wallet}, ${agentId}, ${priceMovePercent}, ${clock.now()})
      on conflict (wallet, agent_id) do update set price_move_percent = excluded.price_move_percent`)
    return findRelation(db, wallet, agentId)
  })
}

export async function unwatchAgent({ db }: FollowDeps, wallet: string, agentId: string): Promise<Relation> {
  await db.run(sql`delete from wallet_watch where wallet = ${wallet} and agent_id = ${agentId}`)
  return findRelation(db, wallet, agentId)
}

/** Refuses one more than a wallet may have. */
async function requireRoom(
  db: Db,
  wallet: string,
  agentId: string,
  { table, most }: { table: Sql; most: number },
): Promise<void> {
  // Parallel calls wait for each other here; otherwise they would exceed the limit.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${wallet}, 205))`)
  const { others } = await db.one<{ others: number }>(sql`
    select count(*)::int as others from ${table} where wallet = ${wallet} and agent_id <> ${agentId}`)
  if (others >= most) throw new Problem('FOLLOW_LIMIT')
}
