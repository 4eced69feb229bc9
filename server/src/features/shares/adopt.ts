import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'
import { nextPriceWei } from './figures.js'
import { dayMovesAt, daySupply } from './past-supply.js'

/**
 * Fills in the share figures of a new agent whose shares already exist on the chain, as after the loss of a database: the
 * same wallet and username give the same subject. Runs in the transaction that adds the agent.
 */
export async function adoptShares(db: Db, agent: AgentRow, now: Date): Promise<AgentRow> {
  const { subject, wallet_address } = agent
  await db.run(sql`
    insert into stale_value (address, is_subject)
    select ${wallet_address}, false where exists (select 1 from share_holding where holder = ${wallet_address})
    on conflict (address) do update set is_subject = excluded.is_subject`)
  const launched = await db.find(sql`select 1 from share_launch where subject = ${subject}`)
  if (!launched) return agent
  // The follower locks this row while it applies blocks, so no block is applied in between.
  await db.run(sql`select 1 from chain_cursor for update`)
  return db.one<AgentRow>(sql`
    update agent set supply = totals.supply, price_wei = ${nextPriceWei(sql`totals.supply`)}, holders_count = totals.holders,
      trades_count = totals.trades, volume_wei = totals.volume, launched_at = totals.launched_at,
      day_supply = ${daySupply(sql`${subject}`, sql`${now}::timestamptz`)},
      day_moves_at = ${dayMovesAt(sql`${subject}`, sql`${now}::timestamptz`)}, version = agent.version + 1
    from (
      select (select at from share_launch where subject = ${subject}) as launched_at,
        (select count(*)::integer from share_holding where subject = ${subject}) as holders,
        coalesce((array_agg(supply order by position desc))[1], 0) as supply,
        count(*)::integer as trades, coalesce(sum(price_wei), 0) as volume
      from trade where subject = ${subject}) totals
    where agent.id = ${agent.id} returning ${agentColumns}`)
}
