/** A block of the chain, as far as readers of its state need it. */
export interface Block {
  readonly number: number
  readonly at: Date
  readonly hash?: string
}

/**
 * Finds the newest block of the chain. It never returns an older one than before, nor than `atLeast`: behind a load
 * balancer the next answer may come from a node that lags.
 */
export type FindNewestBlock = (atLeast?: Block | Promise<Block | undefined>) => Promise<Block>

/** No node lags for longer. After that, a lower block means that the chain itself has lost blocks. */
export const LONGEST_LAG_MS = 10_000

export function createNewestBlock(
  readHead: () => Promise<Block>,
  now: () => number = () => performance.now(),
): FindNewestBlock {
  let newest: (Block & { readonly seenAt: number }) | undefined
  return async (atLeast) => {
    const [head, known] = await Promise.all([readHead(), atLeast])
    const isLagging = newest && head.number < newest.number && now() - newest.seenAt < LONGEST_LAG_MS
    if (!newest || !isLagging) newest = { ...head, seenAt: now() }
    const { seenAt: _seenAt, ...block } = newest
    return known && known.number > block.number ? known : block
  }
}
