import type { ShareTransaction } from '@rookery/api'
import type { Hex } from 'viem'
import type { Deps } from '../../deps.js'
import { openTransactionWaits } from './transaction-waits.js'
import { findTransaction, readUnindexed } from './transactions.js'

/** What the feature keeps while the process runs: the callers that wait for transactions. */
export interface Shares {
  /** Reads a transaction, and waits for some seconds until it is indexed. */
  readTransaction(deps: Deps, caller: string, hash: Hex, waitSeconds: number): Promise<ShareTransaction>
  /** How many calls wait. */
  waiting(): number
  close(): void
}

export function openShares(deps: Pick<Deps, 'db' | 'peers' | 'log'>): Shares {
  const waits = openTransactionWaits(deps)
  return {
    async readTransaction(deps, caller, hash, waitSeconds) {
      const indexed = await findTransaction(deps.db, hash)
      if (indexed) return indexed
      if (waitSeconds > 0 && !(await isDecided(deps, hash))) await waits.wait(caller, hash, waitSeconds * 1000)
      return (await findTransaction(deps.db, hash)) ?? readUnindexed(deps, hash)
    },
    waiting: waits.count,
    close: waits.close,
  }
}

/** Whether waiting is in vain: a failed transaction is never indexed, nor is one in which the contract had no part. */
async function isDecided(deps: Deps, hash: Hex): Promise<boolean> {
  const found = await deps.chain?.findTransaction(hash).catch(() => undefined)
  if (!found || found.blockNumber === null) return false
  return found.isFailed || found.isElsewhere
}
