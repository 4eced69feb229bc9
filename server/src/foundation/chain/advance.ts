import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { createRangeSize, readRanges } from './backfill.js'
import { type BlockSink, LostLogs } from './block-sink.js'
import { type Cursor, deleteHashes, type Mark, moveCursor, storeHashes } from './cursor.js'
import type { BlockReader, Header, Tip } from './read-blocks.js'
import { findCommonAncestor } from './reorg.js'
import { WrongAnswer } from './wrong-answer.js'

/** The progress of reading old blocks. */
export interface Progress {
  readonly from: number
  readonly at: number
  readonly to: number
  /** Events applied since `from`. */
  readonly events: number
}

export interface AdvanceOptions<Prepared> {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Logger, 'debug' | 'warn' | 'error'>
  readonly reader: BlockReader
  readonly sink: BlockSink<Prepared>
  /** The id of the process that follows. */
  readonly follower: string
  readonly startBlock: number
  /** How many blocks confirm a block, including itself. */
  readonly confirmations: number
  readonly pause: (failures: number) => Promise<void>
  readonly stopped: () => boolean
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** The changes of one transaction. */
interface Change<Prepared> {
  readonly from: Cursor
  readonly to: Mark
  readonly tip: Tip
  readonly undoFrom?: number
  readonly headers?: readonly Header[]
  readonly prepared?: Prepared
  readonly catchingUp?: boolean
}

// Up to this many blocks behind, blocks are read one by one; further behind in ranges, up to a safe distance from the head.
const TAIL_BLOCKS = 128
const SAFE_DISTANCE = 64
const FINAL_DEPTH = 64
// Behind a load balancer, a lagging node looks like a chain that lost its newest blocks, but not for long.
const DOUBTS = 10
const REWIND_BLOCKS = 1_000
const ATTEMPTS_BEFORE_REWIND = 3

/** An event that does not follow from those before it, and how often it was read. */
interface Lost {
  readonly subject: string
  readonly block: number
  readonly times: number
  readonly isDue: boolean
}

/** Brings the database up to the chain step by step. A step returns whether it has caught up. */
export function createAdvance<Prepared>(
  options: AdvanceOptions<Prepared>,
): (cursor: Cursor, tip: Tip) => Promise<boolean> {
  const { db, clock, log, reader, sink, follower, startBlock, confirmations, pause, stopped, onProgress } = options
  const size = createRangeSize()
  const nothing: Mark = { number: startBlock - 1, hash: null, time: null }
  let doubts = 0
  let lost: Lost | undefined

  function cursorAt(mark: Mark, { head, final }: Tip): Cursor {
    const lastFinal = Math.min(mark.number, final ?? head.number - FINAL_DEPTH + 1)
    const lastConfirmed = Math.min(mark.number, head.number - confirmations + 1)
    return {
      ...mark,
      head: head.number,
      final: Math.max(nothing.number, lastFinal),
      confirmed: Math.max(nothing.number, lastFinal, lastConfirmed),
    }
  }

  async function commit(change: Change<Prepared>): Promise<Cursor> {
    const { from, to, tip, undoFrom, headers = [], prepared, catchingUp = false } = change
    const next = cursorAt(to, tip)
    await db.transaction(async (db) => {
      await moveCursor(db, follower, from, next, clock.now())
      if (undoFrom !== undefined) {
        await sink.undo(db, undoFrom)
        await deleteHashes(db, undoFrom)
      }
      if (prepared) await sink.apply(db, prepared, { catchingUp })
      if (headers.length > 0) await storeHashes(db, headers)
      if (!catchingUp && next.confirmed > from.confirmed)
        await sink.afterConfirmed(db, { from: from.confirmed, to: next.confirmed })
      if (!catchingUp && next.final > from.final) await sink.afterFinal(db, { from: from.final, to: next.final })
    })
    return next
  }

  /** Reads the headers after a block and checks that each follows the one before. */
  async function readBranch(after: Mark, upTo: number): Promise<Header[]> {
    const numbers = Array.from({ length: upTo - after.number }, (_, index) => after.number + 1 + index)
    const results = await reader.headers(numbers)
    const missing = results.indexOf(undefined)
    const headers = (missing < 0 ? results : results.slice(0, missing)) as Header[]
    if (headers.length === 0) throw new WrongAnswer(`the node does not have block ${after.number + 1} yet`)
    let hash = after.hash
    for (const header of headers) {
      if (hash !== null && header.parentHash !== hash) throw new WrongAnswer('the chain changed while it was read')
      hash = header.hash
    }
    return headers
  }

  async function readTail(cursor: Cursor, tip: Tip, after: Mark): Promise<boolean> {
    const upTo = Math.min(tip.head.number, after.number + TAIL_BLOCKS)
    const headers = await readBranch(after, upTo)
    const prepared = sink.prepare(await reader.blocks(headers))
    const to = headers.at(-1) ?? after
    const isUndo = after.number < cursor.number
    await commit({ from: cursor, to, tip, headers, prepared, ...(isUndo && { undoFrom: after.number + 1 }) })
    return to.number === tip.head.number
  }

  async function backfill(cursor: Cursor, tip: Tip): Promise<boolean> {
    const from = cursor.number + 1
    const to = tip.head.number - SAFE_DISTANCE
    const onRefused = (error: Error, blocks: number) =>
      log.debug({ message: error.message, blocks }, 'the node refused a range of blocks')
    let at = cursor
    let events = 0
    for await (const range of readRanges({ reader, sink, size, pause, stopped, onRefused }, from, to)) {
      const { prepared, end } = range
      at = await commit({ from: at, to: end, tip, headers: [end], prepared, catchingUp: true })
      events += range.events
      onProgress?.({ from, at: end.number, to, events })
      if (stopped()) break
    }
    return false
  }

  /** Handles a chain that has another block at the cursor, or none. */
  async function reorganise(cursor: Cursor, tip: Tip): Promise<boolean> {
    const upTo = Math.min(cursor.number, tip.head.number)
    const { ancestor, isNewest } = await findCommonAncestor(db, reader, upTo)
    const isShorter = isNewest && tip.head.number < cursor.number
    if ((isShorter || !ancestor) && ++doubts < DOUBTS) return true
    doubts = 0
    if (!ancestor) {
      log.error({ block: cursor.number }, 'the chain is another one than before; everything is read anew')
      await commit({ from: cursor, to: nothing, tip, undoFrom: startBlock })
      return false
    }
    const depth = cursor.number - ancestor.number
    log.warn({ depth, block: ancestor.number }, 'the chain was reorganised')
    if (tip.head.number > ancestor.number && tip.head.number - ancestor.number <= TAIL_BLOCKS)
      return readTail(cursor, tip, ancestor)
    await commit({ from: cursor, to: ancestor, tip, undoFrom: ancestor.number + 1 })
    return ancestor.number === tip.head.number
  }

  /** Rewinds to before the logs that the node left out; further each time that did not help. */
  async function rewind(cursor: Cursor, tip: Tip, { subject, times }: Lost): Promise<void> {
    const lastBlock = times === ATTEMPTS_BEFORE_REWIND ? await sink.findLastBlock(db, subject) : undefined
    const further = cursor.number - REWIND_BLOCKS * 10 ** (times - ATTEMPTS_BEFORE_REWIND)
    const target = Math.max(startBlock, lastBlock ?? further)
    const [header] = target > startBlock ? await reader.headers([target - 1]) : []
    const to = header ?? nothing
    log.error({ subject, block: to.number + 1 }, 'events are missing; blocks are read again')
    await commit({ from: cursor, to, tip, undoFrom: to.number + 1 })
  }

  async function step(cursor: Cursor, tip: Tip): Promise<boolean> {
    const { head } = tip
    if (head.number < cursor.number) return reorganise(cursor, tip)
    if (cursor.hash !== null) {
      const [there] = head.number === cursor.number ? [head] : await reader.headers([cursor.number])
      if (there?.hash !== cursor.hash) return reorganise(cursor, tip)
    }
    doubts = 0
    if (head.number === cursor.number) {
      await commit({ from: cursor, to: cursor, tip })
      return true
    }
    return head.number - cursor.number > TAIL_BLOCKS ? backfill(cursor, tip) : readTail(cursor, tip, cursor)
  }

  return async (cursor, tip) => {
    if (lost && cursor.number >= lost.block) lost = undefined
    if (lost?.isDue) {
      await rewind(cursor, tip, lost)
      lost = { ...lost, isDue: false }
      return false
    }
    try {
      return await step(cursor, tip)
    } catch (error) {
      if (!(error instanceof LostLogs)) throw error
      const times = lost?.block === error.block ? lost.times + 1 : 1
      lost = { subject: error.subject, block: error.block, times, isDue: times >= ATTEMPTS_BEFORE_REWIND }
      // A node may lose logs because the range is too large for it.
      size.failed(size.next())
      throw error
    }
  }
}
