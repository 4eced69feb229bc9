import type { Deps } from '../deps.js'
import type { LastSeen } from '../features/agents/last-seen.js'
import { createTradeWatch } from '../features/control/watch-trades.js'
import { createShareSink, type PreparedBlocks } from '../features/shares/sink.js'
import type { TradeWatch } from '../features/shares/trade-watch.js'
import { createFollower, type Follower, type FollowerOptions } from '../foundation/chain/follow-chain.js'
import { createProgressBar } from '../foundation/chain/progress.js'

type FollowerDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'identities' | 'log' | 'events' | 'peers'>
type ShareFollowerOptions = Omit<FollowerOptions<PreparedBlocks>, 'db' | 'clock' | 'ids' | 'log' | 'sink'>

export function createShareFollower(
  deps: FollowerDeps,
  options: ShareFollowerOptions,
  lastSeen?: Pick<LastSeen, 'traded'>,
): Follower {
  const { db, clock, ids, log } = deps
  const rules = createTradeWatch(deps)
  const watch = lastSeen ? alsoNoting(lastSeen, rules) : rules
  return createFollower({ ...options, db, clock, ids, log, sink: createShareSink(deps, watch) })
}

/** A wallet that trades was seen, however its transaction reached the chain. */
function alsoNoting(lastSeen: Pick<LastSeen, 'traded'>, watch: TradeWatch): TradeWatch {
  return {
    ...watch,
    applied(db, events) {
      db.afterCommit(() => {
        for (const { trader, time } of events.trades) lastSeen.traded(trader, new Date(time * 1000))
      })
      return watch.applied(db, events)
    },
  }
}

// Where the log is JSON, nothing else is printed, not even on a terminal.
const NO_TERMINAL = { isTTY: false, write() {} }

// The embedded chain announces its blocks. Occasional polling only keeps the stored state fresh.
const EMBEDDED_POLL_MS = 20_000

/** Creates the configured follower; undefined without a chain. */
export function openShareFollower(deps: Deps, lastSeen: LastSeen): Follower | undefined {
  const { chain, embeddedChain, config, log, clock } = deps
  if (!chain) return undefined
  const options = {
    chain,
    startBlock: config.CHAIN_START_BLOCK,
    confirmations: config.CHAIN_CONFIRMATIONS,
    pollMs: embeddedChain && !config.STAGING_CHAIN_URL ? EMBEDDED_POLL_MS : config.CHAIN_POLL_MS,
    onProgress: createProgressBar(log, clock, config.LOG_FORMAT === 'json' ? NO_TERMINAL : undefined).show,
  }
  const follower = createShareFollower(deps, options, lastSeen)
  embeddedChain?.onBlocks(follower.wake)
  return follower
}
