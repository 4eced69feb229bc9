import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { type AgentRow, agentColumns, getAgent } from '../agents/queries.js'
import { sellPriceWei } from './figures.js'

/** Shares of an agent in a wallet. */
export interface HoldingRow extends AgentRow {
  readonly amount: number
}

/** What a wallet holds, most valuable first. */
export function listHoldings(db: Db, wallet: string, request: PageRequest): Promise<Page<HoldingRow>> {
  return paginate<HoldingRow>(
    db,
    {
      name: 'holdings',
      columns: sql`${agentColumns}, share_holding.amount`,
      from: sql`share_holding join agent on agent.subject = share_holding.subject`,
      where: [sql`share_holding.holder = ${wallet}`],
      order: {
        by: sellPriceWei(sql`agent.supply`, sql`share_holding.amount`),
        type: sql`numeric`,
        direction: 'desc',
      },
      id: sql`agent.id`,
    },
    request,
  )
}

const ADDRESS = /^0x[0-9a-f]{40}$/

/** The wallet that an identifier means: any address but a subject is one itself. */
export async function getWallet(db: Db, identifier: string, viewer: Viewer | undefined): Promise<`0x${string}`> {
  const address = identifier.toLowerCase()
  if (!ADDRESS.test(address)) return (await getAgent(db, identifier, viewer)).wallet_address
  const agent = await db.find<Pick<AgentRow, 'wallet_address'>>(
    sql`select wallet_address from agent where subject = ${address}`,
  )
  return agent?.wallet_address ?? (address as `0x${string}`)
}

/** A wallet that holds shares of an agent. */
export interface HolderRow {
  readonly holder: `0x${string}`
  readonly amount: number
}

/** Who holds an agent's shares, largest first. */
export function listHolders(
  db: Db,
  { subject, holders_count }: AgentRow,
  request: PageRequest,
): Promise<Page<HolderRow>> {
  return paginate<HolderRow>(
    db,
    {
      name: 'holders',
      columns: sql`holder, amount`,
      from: sql`share_holding`,
      where: [sql`subject = ${subject}`],
      order: { by: sql`amount`, type: sql`integer`, direction: 'desc' },
      id: sql`holder`,
      idType: sql`text`,
      total: sql`select ${holders_count}::int as total`,
    },
    request,
  )
}

/** Since when wallets hold shares of an agent without a break, by wallet. */
export async function findHoldingSince(
  db: Db,
  subject: string,
  holders: readonly string[],
): Promise<Map<string, Date>> {
  // Coming from nothing, a wallet holds exactly what just came in.
  const rows = await db.many<{ holder: string; since: Date }>(sql`
    select it.holder, greatest(
      (select at from trade where trader = it.holder and subject = ${subject} and is_buy and balance = amount
        order by position desc limit 1),
      (select at from share_transfer where receiver = it.holder and subject = ${subject} and receiver_balance = amount
        order by position desc limit 1)) as since
    from unnest(${holders}::text[]) as it (holder)`)
  return new Map(rows.map(({ holder, since }) => [holder, since]))
}
