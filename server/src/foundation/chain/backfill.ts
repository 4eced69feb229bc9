import type { BlockSink } from './block-sink.js'
import type { BlockReader, Header } from './read-blocks.js'
import { RpcError } from './rpc.js'

/** How many blocks to request at once: more while that works, fewer when a node refuses. */
export interface RangeSize {
  next(): number
  succeeded(blocks: number, events: number): void
  failed(blocks: number): void
}

const FIRST_BLOCKS = 512
const MOST_BLOCKS = 65_536
const WANTED_EVENTS = 20_000
const SUCCESSES_BEFORE_HIGHER = 32

export function createRangeSize(): RangeSize {
  let size = FIRST_BLOCKS
  let ceiling = MOST_BLOCKS
  let successes = 0
  const within = (blocks: number) => Math.max(1, Math.min(Math.floor(blocks), ceiling))
  return {
    next: () => size,
    succeeded(blocks, events) {
      // A node's limit may depend on its load, so try a higher ceiling again after a while.
      if (++successes % SUCCESSES_BEFORE_HIGHER === 0) ceiling = Math.min(MOST_BLOCKS, Math.ceil(ceiling * 1.25))
      const fitting = events > 0 ? (blocks * WANTED_EVENTS) / events : Number.POSITIVE_INFINITY
      size = within(Math.min(Math.max(size, blocks) * 2, fitting))
    },
    failed(blocks) {
      successes = 0
      ceiling = Math.max(1, Math.floor(blocks / 2))
      size = within(size)
    },
  }
}

/** A range that has been read and can be applied. */
export interface ReadRange<Prepared> {
  readonly prepared: Prepared
  /** The last block of the range. */
  readonly end: Header
  readonly events: number
}

export interface RangeOptions<Prepared> {
  readonly reader: Pick<BlockReader, 'range'>
  readonly sink: Pick<BlockSink<Prepared>, 'prepare'>
  readonly size: RangeSize
  /** Waits before a request is repeated. */
  readonly pause: (failures: number) => Promise<void>
  /** Ends the reading early. */
  readonly stopped: () => boolean
  readonly onRefused: (error: Error, blocks: number) => void
}

// While one range is written, the next ones are being read.
const AHEAD = 2

/** Reads and prepares blocks in order, several ranges ahead of the consumer. */
export async function* readRanges<Prepared>(
  options: RangeOptions<Prepared>,
  from: number,
  to: number,
): AsyncGenerator<ReadRange<Prepared>> {
  const { size, stopped } = options
  const coming: Promise<ReadRange<Prepared>[]>[] = []
  let next = from
  while (next <= to || coming.length > 0) {
    while (next <= to && coming.length < AHEAD) {
      const last = Math.min(to, next + size.next() - 1)
      const range = readRange(options, next, last)
      // If the consumer stops early, a failed range must not become an unhandled rejection.
      range.catch(() => {})
      coming.push(range)
      next = last + 1
    }
    for (const range of (await coming.shift()) ?? []) yield range
    if (stopped()) return
  }
}

/** Reads a range, in halves if the node refuses it as a whole. */
async function readRange<Prepared>(
  options: RangeOptions<Prepared>,
  from: number,
  to: number,
): Promise<ReadRange<Prepared>[]> {
  const { reader, sink, size, pause, stopped, onRefused } = options
  const blocks = to - from + 1
  for (let failures = 1; ; failures++) {
    try {
      const range = await reader.range(from, to)
      const prepared = sink.prepare(range.blocks)
      const events = range.blocks.reduce((sum, block) => sum + block.logs.length, 0)
      size.succeeded(blocks, events)
      return [{ prepared, end: range.end, events }]
    } catch (error) {
      if (stopped()) throw error
      onRefused(error as Error, blocks)
      const isBusy = error instanceof RpcError && error.code === 429
      if (!isBusy) size.failed(blocks)
      await pause(failures)
      if (blocks === 1 || isBusy) continue
      const middle = from + Math.floor(blocks / 2) - 1
      return [...(await readRange(options, from, middle)), ...(await readRange(options, middle + 1, to))]
    }
  }
}
