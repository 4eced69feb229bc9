import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type List, type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'

/** An agent with its place in a ranking. */
export type RankRow = AgentRow & Row<'wallet_balance', 'balance_wei'> & { readonly rank: number }

const balance = sql`coalesce(wallet_balance.balance_wei, 0)`

/** Agents by the balance of their wallets. */
export function listByBalance(db: Db, request: PageRequest): Promise<Page<RankRow>> {
  return rank(db, 'leaderboard:balance', balance, request)
}

/** Agents by the value of the shares that their wallets hold. */
export function listByPosition(db: Db, request: PageRequest): Promise<Page<RankRow>> {
  return rank(db, 'leaderboard:position', sql`agent.holding_value_wei`, request)
}

async function rank(db: Db, name: string, by: Sql, request: PageRequest): Promise<Page<RankRow>> {
  const list: List = {
    name,
    columns: sql`${agentColumns}, ${balance} as balance_wei, ${by} as ranked_by`,
    from: sql`agent left join wallet_balance on wallet_balance.address = agent.wallet_address`,
    where: [sql`agent.status <> 'suspended'`],
    order: { by, type: sql`numeric`, direction: 'desc' },
    id: sql`agent.id`,
  }
  const { rows, meta } = await paginate<Omit<RankRow, 'rank'> & { ranked_by: string }>(db, list, request)
  const [first] = rows
  const before =
    request.cursor === undefined ? (meta.page - 1) * meta.limit : first ? await countBefore(db, list, first) : 0
  return { rows: rows.map((row, index) => ({ ...row, rank: before + index + 1 })), meta }
}

async function countBefore(
  db: Db,
  { from, order }: List,
  first: { readonly id: string; readonly ranked_by: string },
): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from ${from} where agent.status <> 'suspended'
      and (${order.by}, agent.id) > (${first.ranked_by}::numeric, ${first.id}::uuid)`)
  return count
}
