import type { ShareTransaction } from '@rookery/api'
import type { Hex } from 'viem'
import { before } from '../../base/before.js'
import type { Deps } from '../../deps.js'
import { createFailureMemory } from './failure.js'
import { openQuoteReads, type QuoteReads } from './quote-reads.js'
import { openTransactionWaits } from './transaction-waits.js'
import { findTransaction, readUnindexed } from './transactions.js'

/** What the feature keeps while the process runs: the callers that wait for transactions, and why some failed. */
export interface Shares {
  readonly quoteReads: QuoteReads
  /** Reads a transaction, and waits for some seconds until it is indexed. */
  readTransaction(deps: Deps, caller: string, hash: Hex, waitSeconds: number): Promise<ShareTransaction>
  /** How many calls wait. */
  waiting(): number
  close(): void
}

export function openShares(deps: Pick<Deps, 'db' | 'peers' | 'log'>): Shares {
  const waits = openTransactionWaits(deps)
  const failures = createFailureMemory()
  return {
    quoteReads: openQuoteReads(deps),
    async readTransaction(deps, caller, hash, waitSeconds) {
      const indexed = await findTransaction(deps.db, hash)
      if (indexed) return indexed
      const endsAt = performance.now() + waitSeconds * 1000
      const left = () => endsAt - performance.now()
      // A chain that does not answer takes nothing but the time that the caller has.
      const isPointless = waitSeconds > 0 && (await before(willNeverBeIndexed(deps, hash), left(), () => false))
      if (!isPointless) await waits.wait(caller, hash, left())
      return (await findTransaction(deps.db, hash)) ?? readUnindexed(deps, failures, hash)
    },
    waiting: waits.count,
    close: waits.close,
  }
}

/** A failed transaction is never indexed, nor is one in which the contract had no part. */
async function willNeverBeIndexed(deps: Deps, hash: Hex): Promise<boolean> {
  const found = await deps.chain?.findTransaction(hash).catch(() => undefined)
  if (!found || found.blockNumber === null) return false
  return found.isFailed || found.isElsewhere
}
