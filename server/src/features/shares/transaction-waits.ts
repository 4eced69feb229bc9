import type { Hex } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { onIndexed } from './indexed.js'
import { listIndexedHashes } from './transactions.js'

/** The callers that wait until a transaction is indexed. However many they are, one statement looks for all of them. */
export interface TransactionWaits {
  /** Resolves when the transaction is indexed, when the time is over, or when the service stops. */
  wait(caller: string, hash: Hex, ms: number): Promise<void>
  count(): number
  close(): void
}

interface Waiter {
  readonly hash: Hex
  end(): void
}

const MOST_PER_CALLER = 20
const MOST = 10_000

export function openTransactionWaits({ db, peers, log }: Pick<Deps, 'db' | 'peers' | 'log'>): TransactionWaits {
  const waiters = new Set<Waiter>()
  const perCaller = new Map<string, number>()
  let isDue = false
  let isRunning = false
  let isClosed = false

  async function look(): Promise<void> {
    isDue = true
    if (isRunning) return
    isRunning = true
    try {
      while (isDue && waiters.size > 0) {
        isDue = false
        const indexed = await listIndexedHashes(db, [...new Set([...waiters].map(({ hash }) => hash))])
        for (const waiter of waiters) if (indexed.has(waiter.hash)) waiter.end()
      }
    } catch (error) {
      // Those who wait look for themselves when their time is over.
      log.warn({ message: (error as Error).message }, 'could not look for transactions')
    } finally {
      isRunning = false
    }
  }

  onIndexed({ peers }, () => void look())

  return {
    async wait(caller, hash, ms) {
      if (isClosed || ms <= 0) return
      const waiting = perCaller.get(caller) ?? 0
      if (waiting >= MOST_PER_CALLER || waiters.size >= MOST) throw tooMany()
      perCaller.set(caller, waiting + 1)
      await new Promise<void>((resolve) => {
        const waiter = {
          hash,
          end() {
            clearTimeout(timer)
            if (waiters.delete(waiter)) resolve()
          },
        }
        const timer = setTimeout(waiter.end, ms)
        waiters.add(waiter)
        // It may have been indexed since the caller looked.
        void look()
      })
      const left = (perCaller.get(caller) ?? 1) - 1
      if (left === 0) perCaller.delete(caller)
      else perCaller.set(caller, left)
    },
    count: () => waiters.size,
    close() {
      isClosed = true
      for (const waiter of waiters) waiter.end()
    },
  }
}

function tooMany(): Problem {
  return new Problem('RATE_LIMITED', {
    retryAfterSeconds: 1,
    message: `Too many calls wait for transactions: ${MOST_PER_CALLER} at a time are allowed. Wait for some to end.`,
  })
}
