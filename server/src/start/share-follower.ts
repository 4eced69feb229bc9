import type { Deps } from '../deps.js'
import { createTradeWatch } from '../features/control/watch-trades.js'
import { createShareSink, type PreparedBlocks } from '../features/shares/sink.js'
import { createFollower, type Follower, type FollowerOptions } from '../foundation/chain/follow-chain.js'
import { createProgressBar } from '../foundation/chain/progress.js'

type FollowerDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'identities' | 'log' | 'events' | 'peers'>
type ShareFollowerOptions = Omit<FollowerOptions<PreparedBlocks>, 'db' | 'clock' | 'ids' | 'log' | 'sink'>

export function createShareFollower(deps: FollowerDeps, options: ShareFollowerOptions): Follower {
  const { db, clock, ids, log } = deps
  return createFollower({ ...options, db, clock, ids, log, sink: createShareSink(deps, createTradeWatch(deps)) })
}

// The embedded chain announces its blocks. Occasional polling only keeps the stored state fresh.
const EMBEDDED_POLL_MS = 20_000

/** Creates the configured follower; undefined without a chain. */
export function openShareFollower(deps: Deps): Follower | undefined {
  const { chain, embeddedChain, config, log, clock } = deps
  if (!chain) return undefined
  const follower = createShareFollower(deps, {
    chain,
    startBlock: config.CHAIN_START_BLOCK,
    confirmations: config.CHAIN_CONFIRMATIONS,
    pollMs: embeddedChain ? EMBEDDED_POLL_MS : config.CHAIN_POLL_MS,
    onProgress: createProgressBar(log, clock).show,
  })
  embeddedChain?.onBlocks(follower.wake)
  return follower
}
