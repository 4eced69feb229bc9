import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { Chain } from './chain.js'
import { findChainState } from './cursor.js'

/** How far the database is behind the chain. */
export interface ChainLag {
  /** The newest block of the chain. */
  readonly block: number
  /** The age of that block. */
  readonly headAgeSeconds: number
  readonly lagBlocks: number
  /** How much older the newest applied block is. */
  readonly lagSeconds: number
  /** Whether any process has checked the chain for new blocks in the last minute. */
  readonly isFollowed: boolean
}

const UNFOLLOWED_AFTER_MS = 60_000

/** Compares the database with the newest block of the chain; undefined when the chain does not answer. */
export async function findChainLag({
  db,
  chain,
  clock,
  startBlock,
}: {
  readonly db: Db
  readonly chain: Pick<Chain, 'head'> | undefined
  readonly clock: Clock
  readonly startBlock: number
}): Promise<ChainLag | undefined> {
  const head = await chain?.head().catch(() => undefined)
  if (!head) return undefined
  const state = await findChainState(db)
  const now = clock.now().getTime()
  const applied = state?.number ?? startBlock - 1
  const appliedAt = state?.time ?? head.at.getTime() / 1000
  return {
    block: head.number,
    headAgeSeconds: Math.max(0, (now - head.at.getTime()) / 1000),
    lagBlocks: Math.max(0, head.number - applied),
    lagSeconds: Math.max(0, head.at.getTime() / 1000 - appliedAt),
    isFollowed: state !== undefined && now - state.checkedAt.getTime() < UNFOLLOWED_AFTER_MS,
  }
}
