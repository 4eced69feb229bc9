import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { writeWhole } from '@rookery/host'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { createHashIndex, INDEX_RECORD_BYTES, indexRecord } from './hash-index.js'
import { readLines } from './read-lines.js'

/** A block in the form of JSON-RPC, with whole transactions. */
export interface RpcBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly timestamp: Hex
  readonly baseFeePerGas: Hex
  readonly gasUsed: Hex
  readonly gasLimit: Hex
  readonly transactions: readonly { readonly hash: Hex; readonly gasPrice: Hex }[]
}

/** A log in the form of JSON-RPC. */
export interface RpcLog {
  readonly blockNumber: Hex
  readonly blockTimestamp?: Hex
  readonly address: Hex
  readonly topics: readonly Hex[]
}

/** A block and the receipts of its transactions. */
export interface BlockRecord {
  readonly block: RpcBlock
  readonly receipts: readonly { readonly logs: readonly RpcLog[] }[]
}

/** The blocks that the EVM no longer holds, in compressed files of a few hundred each. They never change. */
export interface History {
  /** The number of the newest block, or -1. */
  readonly last: number
  /** Appends the next blocks; they are on disk when it resolves. */
  append(records: readonly BlockRecord[]): Promise<void>
  block(number: number): Promise<BlockRecord | undefined>
  /** Finds the number of the block with this hash, or with a transaction of this hash. */
  find(hash: string): number | undefined
  /** Reads the blocks from one number to another, in order. */
  blocks(from: number, to: number): AsyncIterable<BlockRecord>
}

interface Segment {
  readonly first: number
  readonly last: number
}

const SEGMENTS_IN_MEMORY = 4
const NAME = /^blocks-(\d{9})\.gz$/
// Named only by the first block, so that the next write replaces a file that a crash left behind.
const nameOf = ({ first }: Segment) => `blocks-${String(first).padStart(9, '0')}.gz`

/** Opens the blocks up to `last`. Anything after it was left behind by a crash and is not part of the history. */
export async function openHistory(folder: string, last: number): Promise<History> {
  const segments = await listSegments(folder, last)
  const index = createHashIndex()
  const indexFile = join(folder, 'index')
  const bytes = last < 0 ? Buffer.alloc(0) : await readFile(indexFile)
  if (bytes.length < (last + 1) * INDEX_RECORD_BYTES) throw new Error(`${indexFile} is damaged: it is too short.`)
  index.add(bytes.subarray(0, (last + 1) * INDEX_RECORD_BYTES))

  const memory = new LRUCache<Segment, BlockRecord[]>({
    max: SEGMENTS_IN_MEMORY,
    fetchMethod: (segment) => readSegment(folder, segment),
  })
  const load = async (segment: Segment) => (await memory.fetch(segment)) ?? []

  async function* blocks(from: number, to: number): AsyncGenerator<BlockRecord> {
    for (let at = placeOf(segments, from); at < segments.length; at++) {
      const segment = segments[at]
      if (!segment || segment.first > to) return
      const records = await load(segment)
      yield* records.slice(Math.max(0, from - segment.first), to - segment.first + 1)
    }
  }

  return {
    get last() {
      return index.size - 1
    },
    async append(records) {
      const segment = { first: index.size, last: index.size + records.length - 1 }
      const text = records.map((record) => JSON.stringify(record)).join('\n')
      await writeWhole(join(folder, nameOf(segment)), await promisify(gzip)(text))
      const added = Buffer.concat(records.map(({ block }) => indexRecord(block.hash, block.transactions[0]?.hash)))
      await writeAt(indexFile, added, index.size * INDEX_RECORD_BYTES)
      segments.push(segment)
      index.add(added)
    },
    async block(number) {
      const segment = segments[placeOf(segments, number)]
      return segment && number >= segment.first ? (await load(segment))[number - segment.first] : undefined
    },
    find: (hash) => index.find(hash),
    blocks,
  }
}

async function listSegments(folder: string, last: number): Promise<Segment[]> {
  const numbers = (await readdir(folder)).map((name) => Number(NAME.exec(name)?.[1] ?? Number.NaN))
  const firsts = numbers.filter((first) => first <= last).sort((a, b) => a - b)
  if (last >= 0 && firsts[0] !== 0) throw new Error(`${folder} is damaged: its first blocks are missing.`)
  return firsts.map((first, index) => ({ first, last: (firsts[index + 1] ?? last + 1) - 1 }))
}

async function readSegment(folder: string, segment: Segment): Promise<BlockRecord[]> {
  const file = join(folder, nameOf(segment))
  const lines = await readLines(file)
  if (lines.length !== segment.last - segment.first + 1) throw new Error(`${file} is damaged: blocks are missing.`)
  return lines.map((line) => JSON.parse(line) as BlockRecord)
}

/** The first segment that does not end before the block. */
function placeOf(segments: readonly Segment[], number: number): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.last ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

async function writeAt(file: string, bytes: Buffer, position: number): Promise<void> {
  const handle = await open(file, position === 0 ? 'w' : 'r+')
  try {
    await handle.write(bytes, 0, bytes.length, position)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
