import type { Logger } from 'pino'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { createAdvance, type Progress } from './advance.js'
import type { BlockSink } from './block-sink.js'
import type { Chain } from './chain.js'
import { LeaseLost, openCursor, releaseLease, takeLease } from './cursor.js'
import { createBlockReader } from './read-blocks.js'
import { createSleep, type Sleep } from './sleep.js'
import { WrongAnswer } from './wrong-answer.js'

/** Keeps the database up to date with the chain. */
export interface Follower {
  /** Follows the chain until `stop`. */
  start(): void
  /** Checks the chain now instead of at the next turn. */
  wake(): void
  /** Resolves when the database has caught up with the chain. */
  catchUp(): Promise<void>
  /** Stops after the current step and lets another process follow. */
  stop(): Promise<void>
}

export interface FollowerOptions<Prepared> {
  readonly db: Db
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Logger, 'debug' | 'warn' | 'error'>
  readonly chain: Pick<Chain, 'id' | 'contract' | 'rpc'>
  /** Where the contract's logs go. */
  readonly sink: BlockSink<Prepared>
  /** The first block to read; the contract is not older. */
  readonly startBlock?: number
  readonly confirmations?: number
  /** How often to check the chain. */
  readonly pollMs?: number
  readonly sleep?: Sleep
  readonly onProgress?: (progress: Progress) => void
}

const STANDBY_MS = 2_000
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30_000
const FAILURES_BEFORE_GIVING_UP = 50

export function createFollower<Prepared>(options: FollowerOptions<Prepared>): Follower {
  const { db, clock, log, chain, sink } = options
  const { startBlock = 0, confirmations = 3, pollMs = 1_000, sleep = createSleep() } = options
  const follower = options.ids.next()
  const reader = createBlockReader(chain.rpc, chain.contract, sink.topics)
  let stopping = false
  let checked = false
  let failures = 0
  let lastError: Error | undefined
  let running: Promise<void> | undefined

  const retryMs = (times: number) => Math.min(FIRST_RETRY_MS * 2 ** (times - 1), LAST_RETRY_MS)
  const advance = createAdvance({
    db,
    clock,
    log,
    reader,
    sink,
    follower,
    startBlock,
    confirmations,
    pause: (times) => sleep.for(retryMs(times)),
    stopped: () => stopping,
    onProgress: options.onProgress,
  })

  /** Checks once that the node serves the right chain and that the contract exists. */
  async function requireChain(): Promise<void> {
    if (checked) return
    const [id, code] = await Promise.all([
      chain.rpc.request('eth_chainId', []),
      chain.rpc.request('eth_getCode', [chain.contract, 'latest']),
    ])
    if (Number(id) !== chain.id) throw new WrongAnswer(`the node is of chain ${Number(id)}, not ${chain.id}`)
    if (code === '0x') throw new WrongAnswer(`there is no contract at ${chain.contract}`)
    await openCursor(db, { chainId: chain.id, contract: chain.contract, startBlock, now: clock.now() })
    checked = true
  }

  /** Runs one turn; returns whether the database has caught up, and when the next turn is due. */
  async function takeTurn(): Promise<{ arrived: boolean; waitMs: number }> {
    try {
      await requireChain()
      const cursor = await takeLease(db, follower)
      if (!cursor) return { arrived: false, waitMs: STANDBY_MS }
      const arrived = await advance(cursor, await reader.tip())
      failures = 0
      if (!arrived) return { arrived, waitMs: 0 }
      const isSettled = await sink.settle(db)
      return { arrived: isSettled, waitMs: isSettled ? pollMs : 0 }
    } catch (error) {
      lastError = error as Error
      failures++
      const kind = error instanceof LeaseLost ? 'debug' : failures === 1 ? 'warn' : 'error'
      log[kind]({ message: lastError.message, failures }, 'following the chain failed and is tried again')
      return { arrived: false, waitMs: retryMs(failures) }
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      const { waitMs } = await takeTurn()
      if (waitMs > 0 && !stopping) await sleep.for(waitMs)
    }
  }

  return {
    start() {
      running ??= run()
    },
    wake: () => sleep.wake(),
    async catchUp() {
      for (;;) {
        const { arrived, waitMs } = await takeTurn()
        if (arrived || stopping) return
        if (failures >= FAILURES_BEFORE_GIVING_UP) throw lastError
        if (waitMs > 0) await sleep.for(waitMs)
      }
    },
    async stop() {
      stopping = true
      sleep.wake()
      await running
      await releaseLease(db, follower).catch((error: Error) => log.warn({ message: error.message }, 'lease kept'))
    },
  }
}
