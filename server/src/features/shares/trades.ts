import { MOST_IDS } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Asked, pageOfAsked } from '../../foundation/db/asked.js'
import type { Db } from '../../foundation/db/db.js'
import { type List, type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import type { TradeEvent } from './decode.js'
import { type SettledRow, type TradeRow, tradeColumns, tradeOf } from './event-rows.js'

export interface TradeFilters {
  readonly subject?: string
  readonly trader?: string
  readonly username?: string
  readonly agentId?: string
}

/** Reads trades by the hashes of their transactions, in one statement. */
export async function listAskedTrades(db: Db, asked: Asked): Promise<Page<TradeEvent>> {
  const hashes = asked.names.filter((name) => HASH.test(name)).map((hash) => hash.slice(2))
  const rows = await db.many<TradeRow>(sql`
    with wanted as (select decode(hash, 'hex') as transaction_hash from unnest(${hashes}::text[]) as input (hash))
    select ${tradeColumns} from trade join wanted using (transaction_hash) order by position limit ${MOST_IDS}`)
  return pageOfAsked(asked, rows.map(tradeOf), ({ transactionHash }) => [transactionHash])
}

const HASH = /^0x[0-9a-f]{64}$/

/** Trades, newest first. */
export async function listTrades(db: Db, request: PageRequest & TradeFilters): Promise<Page<TradeEvent>> {
  const subject = await subjectOf(db, request)
  const trader = request.trader?.toLowerCase()
  const where = [
    ...(subject === undefined ? [] : [sql`trade.subject = ${subject}`]),
    ...(trader === undefined ? [] : [sql`trade.trader = ${trader}`]),
  ]
  const total = totalOf(subject, trader)
  const list = { columns: tradeColumns, from: sql`trade`, where, ...(total ? { total } : { capped: true as const }) }
  const order = subject !== undefined && trader === undefined ? bySubject : byPosition
  const { rows, meta } = await paginate<TradeRow>(db, { ...list, ...order }, request)
  return { rows: rows.map(tradeOf), meta }
}

type Order = Pick<List, 'name' | 'order' | 'id' | 'idType'>

const byPosition: Order = {
  name: 'trades',
  order: { by: sql`trade.position`, type: sql`bigint`, direction: 'desc' },
  id: sql`trade.id`,
}

// The same order, expressed as in the database index of an agent's trades.
const bySubject: Order = {
  name: 'trades:subject',
  order: { by: sql`trade.at`, type: sql`timestamptz`, direction: 'desc' },
  id: sql`trade.position`,
  idType: sql`bigint`,
}

function totalOf(subject: string | undefined, trader: string | undefined): Sql | undefined {
  if (subject !== undefined && trader !== undefined) return undefined
  if (subject !== undefined)
    return sql`select coalesce((select trades_count from agent where subject = ${subject}), 0) as total`
  if (trader !== undefined)
    return sql`select coalesce((select trades_count from trader where address = ${trader}), 0) as total`
  return sql`select trades_count::int as total from trade_total`
}

// An unknown agent matches no trades, rather than removing the filter.
const NOBODY = ''

async function subjectOf(db: Db, { subject, username, agentId }: TradeFilters): Promise<string | undefined> {
  if (username === undefined && agentId === undefined) return subject?.toLowerCase()
  const agent = await db.find<Row<'agent', 'subject'>>(sql`
    select subject from agent
    where ${username === undefined ? sql`true` : sql`username = ${username.replace(/^@/, '').toLowerCase()}`}
      and ${agentId === undefined ? sql`true` : sql`id = ${agentId}`}
      and ${subject === undefined ? sql`true` : sql`subject = ${subject.toLowerCase()}`}`)
  return agent?.subject ?? NOBODY
}

export type TraderRow = Row<'trader'>

/** Wallets that trade, largest volume first. */
export function listTraders(db: Db, request: PageRequest): Promise<Page<TraderRow>> {
  return paginate<TraderRow>(
    db,
    {
      name: 'traders',
      columns: sql`address, volume_wei, trades_count, subjects_count, latest_trade_at`,
      from: sql`trader`,
      where: [],
      order: { by: sql`volume_wei`, type: sql`numeric`, direction: 'desc' },
      id: sql`address`,
      idType: sql`text`,
    },
    request,
  )
}

/** A trade or transfer, from one wallet's side. */
export type ActivityRow = SettledRow &
  Nullable<Row<'trade', 'price_wei' | 'supply'>> & {
    readonly action: 'bought' | 'sold' | 'sent' | 'received'
    readonly counterparty: `0x${string}` | null
  }

/** Trades and transfers of a wallet, newest first. */
export function listActivities(db: Db, wallet: string, request: PageRequest): Promise<Page<ActivityRow>> {
  const settled = sql`id, position, transaction_hash, at, subject, amount`
  const from = sql`(
    select ${settled}, case when is_buy then 'bought' else 'sold' end as action, null::text as counterparty, price_wei,
      supply from trade where trader = ${wallet}
    union all
    select ${settled}, 'sent', receiver, null, null from share_transfer where sender = ${wallet}
    union all
    select ${settled}, 'received', sender, null, null from share_transfer where receiver = ${wallet}) activity`
  return paginate<ActivityRow>(
    db,
    {
      name: 'activities',
      columns: sql`${settled}, action, counterparty, price_wei, supply`,
      from,
      where: [],
      order: { by: sql`position`, type: sql`bigint`, direction: 'desc' },
      id: sql`id`,
      capped: true,
    },
    request,
  )
}
