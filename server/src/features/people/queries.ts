import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'

export type FollowedRow = AgentRow & { readonly since: Date }
export type WatchedRow = FollowedRow & Row<'wallet_watch', 'price_move_percent'>

/** Newest first. */
export function listWalletFollows(db: Db, wallet: string, request: PageRequest): Promise<Page<FollowedRow>> {
  return list(db, wallet, request, { table: sql`wallet_follow`, name: 'wallet-follows', columns: sql`` })
}

/** Newest first. */
export function listWatches(db: Db, wallet: string, request: PageRequest): Promise<Page<WatchedRow>> {
  const columns = sql`, entry.price_move_percent`
  return list(db, wallet, request, { table: sql`wallet_watch`, name: 'wallet-watches', columns })
}

function list<Entry>(
  db: Db,
  wallet: string,
  request: PageRequest,
  { table, name, columns }: { table: Sql; name: string; columns: Sql },
): Promise<Page<Entry>> {
  return paginate<Entry>(
    db,
    {
      name,
      columns: sql`${agentColumns}, entry.created_at as since ${columns}`,
      from: sql`${table} entry join agent on agent.id = entry.agent_id`,
      where: [sql`entry.wallet = ${wallet}`],
      order: { by: sql`entry.created_at`, type: sql`timestamptz`, direction: 'desc' },
      id: sql`entry.agent_id`,
    },
    request,
  )
}
