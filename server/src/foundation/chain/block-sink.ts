import type { Hex } from 'viem'
import type { Db } from '../db/db.js'
import type { LogBlock } from './order-logs.js'

/** Blocks after `from`, up to `to`. */
export interface BlockSpan {
  readonly from: number
  readonly to: number
}

/**
 * Interprets and stores the logs of a followed contract. The follower decides which blocks count, and calls every method
 * except `prepare` and `settle` in the transaction that moves its cursor, so that a block is applied once or not at all.
 */
export interface BlockSink<Prepared> {
  /** First topics of the logs to request. */
  readonly topics: readonly Hex[]
  /**
   * Decodes blocks, which come in order, and does everything that needs no database, which may be busy meanwhile.
   * @throws WrongAnswer when a log cannot come from the contract
   * @throws LostLogs when a log between the blocks is missing
   */
  prepare(blocks: readonly LogBlock[]): Prepared
  /**
   * Writes the contents of blocks. `catchingUp` marks old blocks, about which listeners need not be told.
   * @throws LostLogs when a log between the stored blocks and these is missing
   */
  apply(db: Db, prepared: Prepared, options: { readonly catchingUp: boolean }): Promise<void>
  /** Reverts everything that happened in a block and those after it. */
  undo(db: Db, fromBlock: number): Promise<void>
  /** Not called for blocks applied while catching up; nor is `afterFinal`. */
  afterConfirmed(db: Db, blocks: BlockSpan): Promise<void>
  afterFinal(db: Db, blocks: BlockSpan): Promise<void>
  /** The newest applied block with a log about the subject of a `LostLogs`. */
  findLastBlock(db: Db, subject: string): Promise<number | undefined>
  /** Does part of the work that can wait until the newest block is applied; returns whether all of it is done. */
  settle(db: Db): Promise<boolean>
}

/** A log does not continue what came before it: the node left one out. */
export class LostLogs extends Error {
  override readonly name = 'LostLogs'

  constructor(
    /** What the log is about, in the sink's own terms. */
    readonly subject: string,
    readonly block: number,
    what: string,
  ) {
    super(`The event in block ${block} does not follow from those before it: ${what}`)
  }
}
