import type { Hex } from 'viem'
import { openEvm } from './evm.js'
import type { RpcBlock } from './history.js'
import type { BlockId } from './journal.js'
import type { RpcHandler } from './json-rpc.js'
import { type Ledger, openLedger } from './ledger.js'
import type { Genesis } from './manifest.js'

/** A running chain. */
export interface Node {
  readonly ledger: Ledger
  readonly head: BlockId
  /** Calls the EVM, which holds the blocks after the ledger's history. */
  readonly evm: RpcHandler
  /** Mines a signed transaction in its own block and resolves with its hash. */
  send(raw: Hex): Promise<Hex>
  close(): Promise<void>
}

export interface NodeOptions {
  readonly folder: string
  readonly genesis: Genesis
  readonly clock: { now(): Date }
  /** How many transactions the journal collects before it is compacted. */
  readonly compactAfter: number
  onProgress(replayed: number, total: number): void
  /** Called when there are new blocks. */
  onBlocks(): void
  /** Called when the chain cannot continue; the files on disk are intact. */
  onFailure(error: Error): void
}

interface Head extends BlockId {
  readonly timestamp: number
}

interface Waiting {
  readonly raw: Hex
  done?(hash: Hex): void
  refuse?(error: unknown): void
}

const BATCH = 64
const CONFIRM_EVERY = 100
const COMPACT_AT_CLOSE_FROM = 100

/** Opens the chain in a folder, or creates a new one, and replays its journal. */
export async function openNode(options: NodeOptions): Promise<Node> {
  const ledger = await openLedger(options.folder, options.genesis)
  try {
    return await startNode(ledger, options)
  } catch (error) {
    await ledger.close()
    throw error
  }
}

async function startNode(ledger: Ledger, options: NodeOptions): Promise<Node> {
  const { genesis, clock } = options
  let evm = await openEvm(ledger.beginning())
  let head = await readHead(evm)
  if (ledger.base) checkHash(options.folder, ledger.base, head.hash)

  /** Mines a transaction. Only a refusal by the EVM leaves the head unchanged. */
  async function execute(timestamp: number, raw: string): Promise<{ hash: Hex } | { refusal: unknown }> {
    const before = head.number
    const outcome = await evm('evm_setNextBlockTimestamp', [timestamp])
      .then(() => evm('eth_sendRawTransaction', [raw]))
      .then(
        (hash) => ({ hash: hash as Hex }),
        (refusal: unknown) => ({ refusal }),
      )
    head = await readHead(evm)
    if (head.number !== before + ('hash' in outcome ? 1 : 0))
      throw new Error(`The EVM is at block ${head.number} after a transaction on block ${before}.`)
    return outcome
  }

  let confirmed = -1

  async function confirm(): Promise<void> {
    if (confirmed !== head.number) await ledger.journal.confirm(head)
    confirmed = head.number
  }

  async function replay(): Promise<void> {
    const { entries, journal } = ledger
    const total = entries.filter(({ kind }) => kind === 'transaction').length
    let replayed = 0
    options.onProgress(0, total)
    for (const entry of entries) {
      if (entry.kind === 'block') {
        checkHash(options.folder, entry, await hashOf(evm, entry.number))
        confirmed = entry.number
        continue
      }
      if (++replayed % CONFIRM_EVERY === 0 || replayed === total) options.onProgress(replayed, total)
      const outcome = await execute(entry.timestamp, entry.raw)
      if ('hash' in outcome) continue
      // The process was killed between a refusal and its record; only the last transactions can be in this state.
      if (entry.position < journal.length - BATCH)
        throw diverged(options.folder, `a transaction that was mined is refused (${messageOf(outcome.refusal)})`)
      await journal.refuse(entry.position)
    }
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const { journal } = ledger
    const timestamp = Math.max(head.timestamp, Math.floor(clock.now().getTime() / 1000))
    const positions = await journal.add(batch.map(({ raw }) => ({ timestamp, raw })))
    for (const [index, { raw, done, refuse }] of batch.entries()) {
      const outcome = await execute(timestamp, raw)
      if ('hash' in outcome) {
        if (head.number % CONFIRM_EVERY === 0) await confirm()
        done?.(outcome.hash)
      } else {
        await journal.refuse(positions[index] ?? -1)
        refuse?.(outcome.refusal)
      }
    }
    options.onBlocks()
    if (journal.length >= options.compactAfter) await compact()
  }

  async function compact(): Promise<void> {
    await ledger.compact(evm, head)
    evm = await openEvm(ledger.beginning())
    // The memory of an EVM is outside the heap, so nothing else triggers the garbage collector.
    globalThis.gc?.()
  }

  await replay()
  for (const raw of genesis.transactions.slice(head.number)) await run([{ raw }])
  await ledger.remember()
  const lane = createLane(run, options.onFailure)

  return {
    ledger,
    get head() {
      return head
    },
    evm: (method, params) => evm(method, params),
    send: (raw) => new Promise((done, refuse) => lane.add({ raw: raw.toLowerCase() as Hex, done, refuse })),
    async close() {
      if (await lane.stop()) {
        if (ledger.journal.length >= COMPACT_AT_CLOSE_FROM) await ledger.compact(evm, head)
        else await confirm()
        await ledger.remember()
      }
      await ledger.close()
    },
  }
}

/** Runs one batch at a time, in the order of arrival. Transactions that arrive meanwhile share the next write to disk. */
function createLane(run: (batch: readonly Waiting[]) => Promise<void>, onFailure: (error: Error) => void) {
  const waiting: Waiting[] = []
  let working: Promise<void> | undefined
  let stopped: Error | undefined

  async function work(): Promise<void> {
    while (waiting.length > 0 && !stopped) {
      const batch = waiting.splice(0, BATCH)
      await run(batch).catch((error: Error) => {
        stopped = error
        for (const { refuse } of [...batch, ...waiting.splice(0)]) refuse?.(error)
        onFailure(error)
      })
    }
    working = undefined
  }

  return {
    add(transaction: Waiting): void {
      if (stopped) transaction.refuse?.(stopped)
      else waiting.push(transaction)
      working ??= work()
    },
    /** Finishes the running batch; returns false if one has failed before. */
    async stop(): Promise<boolean> {
      await working
      const isWhole = stopped === undefined
      stopped ??= new Error('The chain is closed.')
      return isWhole
    },
  }
}

async function readHead(evm: RpcHandler): Promise<Head> {
  const block = (await evm('eth_getBlockByNumber', ['latest', false])) as RpcBlock
  return { number: Number(block.number), hash: block.hash, timestamp: Number(block.timestamp) }
}

async function hashOf(evm: RpcHandler, number: number): Promise<string | undefined> {
  const block = (await evm('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])) as RpcBlock | null
  return block?.hash
}

function checkHash(folder: string, { number, hash }: BlockId, actual: string | undefined): void {
  if (hash === actual) return
  throw diverged(folder, `block ${number} should have hash ${hash}, but is ${actual ?? 'missing'}`)
}

function diverged(folder: string, what: string): Error {
  return new Error(
    `the chain in ${folder} does not come out as it was: ${what}. Its files were changed, or written by another version`,
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
