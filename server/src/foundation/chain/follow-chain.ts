import type { Deps } from '../../deps.js'
import { valueHoldings } from '../../features/shares/actions.js'
import { createAdvance, type Progress } from './advance.js'
import type { Chain } from './chain.js'
import { LeaseLost, openCursor, releaseLease, takeLease } from './cursor.js'
import { WrongAnswer } from './decode.js'
import { createProgressBar } from './progress.js'
import { createBlockReader } from './read-blocks.js'
import { createSleep, type Sleep } from './sleep.js'

/** Keeps the database at where the chain is. */
export interface Follower {
  /** Begins to follow and keeps doing so. */
  start(): void
  /** Looks at the chain now instead of at the next turn. */
  wake(): void
  /** Goes on until the database is where the chain is, here and now. */
  catchUp(): Promise<void>
  /** Ends after the step under way and lets another process follow. */
  stop(): Promise<void>
}

export interface FollowerOptions {
  readonly deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'identities' | 'log' | 'events'>
  readonly chain: Pick<Chain, 'id' | 'contract' | 'rpc'>
  /** Where reading begins; nothing of the contract is older. */
  readonly startBlock?: number
  readonly confirmations?: number
  /** How often the chain is looked at. */
  readonly pollMs?: number
  readonly sleep?: Sleep
  readonly onProgress?: (progress: Progress) => void
}

// The embedded chain tells of its blocks. Looked at now and then, the database still says that it is followed.
const EMBEDDED_POLL_MS = 20_000

/** The follower that the configuration asks for; none without a chain. */
export function openFollower(deps: Deps): Follower | undefined {
  const { chain, embeddedChain, config, log, clock } = deps
  if (!chain) return undefined
  const follower = createFollower({
    deps,
    chain,
    startBlock: config.CHAIN_START_BLOCK,
    confirmations: config.CHAIN_CONFIRMATIONS,
    pollMs: embeddedChain ? EMBEDDED_POLL_MS : config.CHAIN_POLL_MS,
    onProgress: createProgressBar(log, clock).show,
  })
  embeddedChain?.onBlocks(follower.wake)
  return follower
}

const STANDBY_MS = 2_000
const FIRST_RETRY_MS = 250
const LAST_RETRY_MS = 30_000
const FAILURES_BEFORE_GIVING_UP = 50

export function createFollower(options: FollowerOptions): Follower {
  const { deps, chain, startBlock = 0, confirmations = 3, pollMs = 1_000, sleep = createSleep() } = options
  const { db, log } = deps
  const follower = deps.ids.next()
  const reader = createBlockReader(chain.rpc, chain.contract)
  let stopping = false
  let checked = false
  let failures = 0
  let lastError: Error | undefined
  let running: Promise<void> | undefined

  const retryMs = (times: number) => Math.min(FIRST_RETRY_MS * 2 ** (times - 1), LAST_RETRY_MS)
  const advance = createAdvance({
    deps,
    db,
    reader,
    follower,
    startBlock,
    confirmations,
    pause: (times) => sleep.for(retryMs(times)),
    stopped: () => stopping,
    onProgress: options.onProgress,
  })

  /** Makes sure once that the node is of the right chain and knows the contract. */
  async function requireChain(): Promise<void> {
    if (checked) return
    const [id, code] = await Promise.all([
      chain.rpc.request('eth_chainId', []),
      chain.rpc.request('eth_getCode', [chain.contract, 'latest']),
    ])
    if (Number(id) !== chain.id) throw new WrongAnswer(`the node is of chain ${Number(id)}, not ${chain.id}`)
    if (code === '0x') throw new WrongAnswer(`there is no contract at ${chain.contract}`)
    await openCursor(db, { chainId: chain.id, contract: chain.contract, startBlock, now: deps.clock.now() })
    checked = true
  }

  /** One turn. Says whether the database is where the chain is, and when the next turn is due. */
  async function turn(): Promise<{ arrived: boolean; waitMs: number }> {
    try {
      await requireChain()
      const cursor = await takeLease(db, follower)
      if (!cursor) return { arrived: false, waitMs: STANDBY_MS }
      const arrived = await advance(cursor, await reader.tip())
      failures = 0
      if (!arrived) return { arrived, waitMs: 0 }
      const areValued = await valueHoldings(db)
      return { arrived: areValued, waitMs: areValued ? pollMs : 0 }
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
      const { waitMs } = await turn()
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
        const { arrived, waitMs } = await turn()
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
