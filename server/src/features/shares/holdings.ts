import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { type AgentRow, agentColumns, findWallet, getAgent } from '../agents/queries.js'
import { sellPriceWei } from './figures.js'

/** An agent, with the amount of its shares in a wallet. */
export type HoldingRow = AgentRow & Row<'share_holding', 'amount'>

/** A wallet's holdings, most valuable first. */
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

/** The wallet whose shares are the caller's own. */
export async function getOwnWallet(db: Db, viewer: Viewer): Promise<`0x${string}`> {
  const wallet = await findWallet(db, viewer)
  if (!wallet) throw new Problem('UNAUTHENTICATED')
  return wallet
}

/** Resolves an identifier to a wallet. An address that is no agent's subject is a wallet itself. */
export async function getWallet(db: Db, identifier: string, viewer: Viewer | undefined): Promise<`0x${string}`> {
  const address = identifier.toLowerCase()
  if (identifier === 'me' && viewer) return getOwnWallet(db, viewer)
  if (!ADDRESS.test(address)) return (await getAgent(db, identifier)).wallet_address
  const agent = await db.find<Pick<AgentRow, 'wallet_address'>>(
    sql`select wallet_address from agent where subject = ${address}`,
  )
  return agent?.wallet_address ?? (address as `0x${string}`)
}

export type HolderRow = Row<'share_holding', 'holder' | 'amount'>

/** The holders of an agent's shares, largest first. */
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

/** By wallet, the time since which it has held shares of an agent without interruption. */
export async function findHoldingSince(
  db: Db,
  subject: string,
  holders: readonly string[],
): Promise<Map<string, Date>> {
  // A balance equal to the amount that came in means that the wallet held nothing before.
  const rows = await db.many<{ holder: string; since: Date }>(sql`
    select input.holder, greatest(
      (select at from trade where trader = input.holder and subject = ${subject} and is_buy and balance = amount
        order by position desc limit 1),
      (select at from share_transfer where receiver = input.holder and subject = ${subject} and receiver_balance = amount
        order by position desc limit 1)) as since
    from unnest(${holders}::text[]) as input (holder)`)
  return new Map(rows.map(({ holder, since }) => [holder, since]))
}
