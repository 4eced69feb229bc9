import type { ChainState } from './cursor.js'
import type { Block } from './newest-block.js'

/** How far the database is behind the chain. */
export interface ChainLag {
  /** The newest block of the chain. */
  readonly block: number
  /** The age of that block. */
  readonly headAgeSeconds: number
  readonly lagBlocks: number
  /** How much older the newest applied block is, and no more than blocks can have waited to be applied. */
  readonly lagSeconds: number
  /** Whether any process has checked the chain for new blocks in the last minute. */
  readonly isFollowed: boolean
}

const UNFOLLOWED_AFTER_SECONDS = 60

/** Compares the stored state of the follower, undefined if there is none yet, with the newest block of the chain. */
export function chainLag(
  head: Block,
  state: ChainState | undefined,
  { now, startBlock }: { readonly now: Date; readonly startBlock: number },
): ChainLag {
  const applied = state?.number ?? startBlock - 1
  const appliedAt = state?.time ?? head.at.getTime() / 1000
  const uncheckedSeconds = state && Math.max(0, (now.getTime() - state.checkedAt.getTime()) / 1000)
  // Blocks may be days apart: what came after a check that left nothing open has waited since that check at most.
  const most = state && state.number >= state.head ? uncheckedSeconds : undefined
  return {
    block: head.number,
    headAgeSeconds: Math.max(0, (now.getTime() - head.at.getTime()) / 1000),
    lagBlocks: Math.max(0, head.number - applied),
    lagSeconds: Math.max(0, Math.min(head.at.getTime() / 1000 - appliedAt, most ?? Number.POSITIVE_INFINITY)),
    isFollowed: uncheckedSeconds !== undefined && uncheckedSeconds < UNFOLLOWED_AFTER_SECONDS,
  }
}
