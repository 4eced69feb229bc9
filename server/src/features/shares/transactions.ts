import type { ShareTransaction, TransactionStatus } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Hex } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { findChainState } from '../../foundation/chain/cursor.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { ClaimEvent, TradeEvent, TransferEvent } from './decode.js'
import { claimOf, type TradeRow, tradeColumns, tradeOf, transferOf } from './event-rows.js'
import type { FailureMemory } from './failure.js'
import { findBySubject, findByWallet } from './parties.js'
import { callChain } from './supply.js'
import { claimView, statusOf, tradeView, transferView } from './view.js'

/** Which of these transactions are indexed. */
export async function listIndexedHashes(db: Db, hashes: readonly Hex[]): Promise<Set<Hex>> {
  const wanted = hashes.map((hash) => hash.slice(2))
  const rows = await db.many<{ hash: string }>(sql`
    with wanted as (select decode(hash, 'hex') as transaction_hash from unnest(${wanted}::text[]) as input (hash))
    select distinct encode(transaction_hash, 'hex') as hash from (
      select transaction_hash from trade join wanted using (transaction_hash)
      union all select transaction_hash from share_transfer join wanted using (transaction_hash)
      union all select transaction_hash from fee_claim join wanted using (transaction_hash)) indexed`)
  return new Set(rows.map(({ hash }): Hex => `0x${hash}`))
}

/** What a transaction did, according to the index; undefined while it is not indexed. */
export async function findTransaction(db: Db, transactionHash: Hex): Promise<ShareTransaction | undefined> {
  const hash = Buffer.from(transactionHash.slice(2), 'hex')
  const trades = await db.many<TradeRow>(
    sql`select ${tradeColumns} from trade where transaction_hash = ${hash} order by position`,
  )
  const transfers = await db.many<Row<'share_transfer'>>(
    sql`select * from share_transfer where transaction_hash = ${hash} order by position`,
  )
  const claims = await db.many<Row<'fee_claim'>>(
    sql`select * from fee_claim where transaction_hash = ${hash} order by position`,
  )
  if (trades.length + transfers.length + claims.length === 0) return undefined
  return transactionView(db, transactionHash, {
    trades: trades.map(tradeOf),
    transfers: transfers.map(transferOf),
    claims: claims.map(claimOf),
  })
}

interface Events {
  readonly trades: TradeEvent[]
  readonly transfers: TransferEvent[]
  readonly claims: ClaimEvent[]
}

async function transactionView(
  db: Db,
  transactionHash: Hex,
  { trades, transfers, claims }: Events,
): Promise<ShareTransaction> {
  const all = [...trades, ...transfers, ...claims]
  const facts = {
    chain: await findChainState(db),
    wallets: await findByWallet(db, [
      ...trades.map(({ trader }) => trader),
      ...transfers.flatMap(({ sender, receiver }) => [sender, receiver]),
    ]),
    subjects: await findBySubject(
      db,
      all.map(({ subject }) => subject),
    ),
  }
  const blockNumber = all[0]?.block ?? 0
  return {
    transactionHash,
    status: statusOf(blockNumber, facts.chain),
    indexed: true,
    blockNumber,
    trades: trades.map((trade) => tradeView(trade, facts)),
    transfers: transfers.map((transfer) => transferView(transfer, facts)),
    feeClaims: claims.map((claim) => claimView(claim, facts)),
  }
}

/** What the chain says about a transaction that is not indexed. */
export async function readUnindexed(
  deps: Pick<Deps, 'db' | 'chain' | 'log'>,
  failures: FailureMemory,
  transactionHash: Hex,
): Promise<ShareTransaction> {
  if (!deps.chain) throw new Problem('TRANSACTION_NOT_FOUND')
  const found = await callChain(deps, (chain) => chain.findTransaction(transactionHash))
  if (!found || found.isElsewhere) throw new Problem('TRANSACTION_NOT_FOUND')
  const state = await findChainState(deps.db)
  const isPassed = found.blockNumber !== null && state !== undefined && found.blockNumber <= state.number
  if (isPassed && !found.isFailed) {
    // Its block is indexed: either it has been since the caller looked, or the transaction does not involve the contract.
    const indexed = await findTransaction(deps.db, transactionHash)
    if (!indexed) throw new Problem('TRANSACTION_NOT_FOUND')
    return indexed
  }
  const status: TransactionStatus = found.isFailed ? 'failed' : found.blockNumber === null ? 'sent' : 'mined'
  const { blockNumber, failed } = found
  return {
    transactionHash,
    status,
    indexed: false,
    blockNumber,
    ...(failed && { failure: await failures.explain(deps, transactionHash, failed) }),
    trades: [],
    transfers: [],
    feeClaims: [],
  }
}
