import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { AgentViewer } from '../../foundation/db/visibility.js'
import { followingOf } from '../agents/activity-columns.js'

/** A fingerprint of what a viewer follows and holds; `viewer` is a row with id and wallet_address. */
export function stateOf(viewer: Sql): Sql {
  return sql`concat(
    (select ${followingOf(sql`agent`)} from agent where agent.id = ${viewer}.id), ' ',
    (select followed_id from follow where follower_id = ${viewer}.id order by created_at desc limit 1), ' ',
    (select sum(hashtext(subject)::bigint) from share_holding where holder = ${viewer}.wallet_address))`
}

export async function findState(db: Db, { id, walletAddress }: AgentViewer): Promise<string | null> {
  const { state } = await db.one<{ state: string | null }>(sql`
    select ${stateOf(sql`viewer`)} as state
    from (values (${id}::uuid, ${walletAddress}::text)) as viewer (id, wallet_address)`)
  return state
}
