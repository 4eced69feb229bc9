import sql from 'sql-template-tag'
import { ConfigError } from '../../base/config-error.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'

/** The newest applied block; without a hash while nothing has been applied. */
export interface Mark {
  readonly number: number
  readonly hash: string | null
  /** Seconds. */
  readonly time: number | null
}

/** How far the chain has been read. */
export interface Cursor extends Mark {
  readonly confirmed: number
  readonly final: number
  readonly head: number
}

/** Another process has taken over following the chain. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** How many block hashes are kept: the depth to which a reorganisation can be traced. */
const KEPT_HASHES = 256
const LEASE_SECONDS = 10

type CursorRow = Row<'chain_cursor', 'number' | 'hash' | 'at' | 'confirmed_number' | 'final_number' | 'head_number'>

function toCursor(row: CursorRow): Cursor {
  return {
    number: Number(row.number),
    hash: row.hash,
    time: row.at && row.at.getTime() / 1000,
    confirmed: Number(row.confirmed_number),
    final: Number(row.final_number),
    head: Number(row.head_number),
  }
}

/** Creates the cursor if there is none; refuses one of another chain or contract. */
export async function openCursor(
  db: Db,
  { chainId, contract, startBlock, now }: { chainId: number; contract: string; startBlock: number; now: Date },
): Promise<void> {
  const before = startBlock - 1
  await db.run(sql`
    insert into chain_cursor (chain_id, contract, number, confirmed_number, final_number, head_number, checked_at)
    values (${chainId}, ${contract}, ${before}, ${before}, ${before}, ${before}, ${now}) on conflict do nothing`)
  const row = await db.one<Row<'chain_cursor', 'chain_id' | 'contract'>>(
    sql`select chain_id, contract from chain_cursor`,
  )
  if (Number(row.chain_id) !== chainId || row.contract !== contract)
    throw new ConfigError(
      `CONTRACT_ADDRESS is ${contract} on chain ${chainId}, but this database follows ${row.contract} on chain ` +
        `${row.chain_id}. Use the same, or another database.`,
    )
}

/** Takes or renews the lease to follow the chain; undefined when another process has it. */
export async function takeLease(db: Db, follower: string): Promise<Cursor | undefined> {
  const row = await db.find<CursorRow>(sql`
    update chain_cursor set leased_by = ${follower}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where leased_by is null or leased_by = ${follower} or leased_until < now()
    returning number, hash, at, confirmed_number, final_number, head_number`)
  return row && toCursor(row)
}

export async function releaseLease(db: Db, follower: string): Promise<void> {
  await db.run(sql`update chain_cursor set leased_by = null, leased_until = null where leased_by = ${follower}`)
}

/** Moves the cursor. Throws, and so rolls the transaction back, if another process has moved it meanwhile. */
export async function moveCursor(db: Db, follower: string, from: Mark, to: Cursor, now: Date): Promise<void> {
  const moved = await db.run(sql`
    update chain_cursor set number = ${to.number}, hash = ${to.hash},
      at = to_timestamp(${to.time}::double precision), confirmed_number = ${to.confirmed}, final_number = ${to.final},
      head_number = ${to.head}, checked_at = ${now}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where leased_by = ${follower} and number = ${from.number} and hash is not distinct from ${from.hash}`)
  if (moved !== 1) throw new LeaseLost('another process follows the chain')
}

/** Stores the hashes of applied blocks and deletes those that are too old to matter. */
export async function storeHashes(
  db: Db,
  blocks: readonly { number: number; hash: string; time: number }[],
): Promise<void> {
  const kept = blocks.slice(-KEPT_HASHES)
  await db.run(sql`
    insert into chain_block (number, hash, at)
    select number, hash, to_timestamp(time) from unnest(${kept.map((block) => block.number)}::bigint[],
      ${kept.map((block) => block.hash)}::text[],
      ${kept.map((block) => block.time)}::double precision[]) as block (number, hash, time)
    on conflict (number) do update set hash = excluded.hash, at = excluded.at`)
  await db.run(sql`
    delete from chain_block where number < (
      select number from chain_block order by number desc offset ${KEPT_HASHES - 1} limit 1)`)
}

export async function deleteHashes(db: Db, from: number): Promise<void> {
  await db.run(sql`delete from chain_block where number >= ${from}`)
}

/** Lists the stored hashes up to a block, newest first. */
export async function listHashes(
  db: Db,
  upTo: number,
): Promise<{ readonly number: number; readonly hash: string; readonly time: number }[]> {
  const rows = await db.many<Row<'chain_block', 'number' | 'hash' | 'at'>>(
    sql`select number, hash, at from chain_block where number <= ${upTo} order by number desc`,
  )
  return rows.map((row) => ({ number: Number(row.number), hash: row.hash, time: row.at.getTime() / 1000 }))
}

/** The stored state of the follower; undefined if no process has ever followed the chain. */
export interface ChainState extends Cursor {
  /** When the chain was last checked. */
  readonly checkedAt: Date
}

export async function findChainState(db: Db): Promise<ChainState | undefined> {
  const row = await db.find<CursorRow & Row<'chain_cursor', 'checked_at'>>(sql`
    select number, hash, at, confirmed_number, final_number, head_number, checked_at from chain_cursor`)
  return row && { ...toCursor(row), checkedAt: row.checked_at }
}
