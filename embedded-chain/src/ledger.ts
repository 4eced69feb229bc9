import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Beginning, systemAccounts } from './evm.js'
import { type BlockRecord, type History, openHistory, type RpcBlock } from './history.js'
import { type BlockId, createJournal, type Journal, type JournalEntry, openJournal } from './journal.js'
import { type RpcHandler, serveJsonRpc } from './json-rpc.js'
import { type Genesis, journalFile, type Manifest, readOrMakeManifest, stateFile, writeManifest } from './manifest.js'
import { createPast, createSource, type Past } from './past.js'
import { createWorldState, readWorldState, type StateDiff, type WorldState } from './world-state.js'

/**
 * The chain on disk: blocks that never change again, the state after them, and the journal of everything since. An EVM
 * starts after those blocks and reads what it needs of them from the ledger.
 */
export interface Ledger {
  readonly history: History
  readonly past: Past
  readonly journal: Journal
  /** The entries of the journal when it was opened. */
  readonly entries: readonly JournalEntry[]
  /** The newest block of the history, if there is one. */
  readonly base: BlockId | null
  /** The oldest block whose state can be read. */
  readonly oldestState: number
  /** Where an EVM begins, so that it produces the same blocks each time. */
  beginning(): Beginning
  /** Records the length of the journal, so that truncation is noticed. */
  remember(): Promise<void>
  /** Moves all blocks up to the head out of the EVM and empties the journal. The EVM must restart after it. */
  compact(evm: RpcHandler, head: BlockId): Promise<void>
  close(): Promise<void>
}

const PATIENTLY = { recursive: true, force: true, maxRetries: 5 }

/** Opens the chain in a folder, or creates a new one. */
export async function openLedger(folder: string, genesis: Genesis): Promise<Ledger> {
  const cacheDir = (generation: number) => join(folder, 'cache', String(generation))
  await rm(join(folder, 'cache'), PATIENTLY)
  let manifest = await readOrMakeManifest(folder, genesis)
  const history = await openHistory(folder, manifest.base?.number ?? -1)
  const state = await openState(folder, manifest)
  const past = createPast(history)
  const opened = await openJournal(journalFile(folder, manifest.generation), manifest.lines ?? 0)
  const source = await serveJsonRpc(0, createSource(history, past, state))
  let journal = opened.journal
  let oldestState = manifest.base?.number ?? 0

  return {
    history,
    past,
    entries: opened.entries,
    get journal() {
      return journal
    },
    get base() {
      return manifest.base
    },
    get oldestState() {
      return oldestState
    },
    beginning() {
      if (!manifest.base) return { accounts: startAccounts(manifest) }
      const url = `http://127.0.0.1:${source.port}`
      return { afterBlock: manifest.base.number, url, cacheDir: cacheDir(manifest.generation) }
    },
    async remember() {
      const { lines } = journal
      if (lines === manifest.lines) return
      // Otherwise a power cut could leave a journal that is shorter than recorded.
      await journal.flush()
      manifest = { ...manifest, lines }
      await writeManifest(folder, manifest)
    },
    async compact(evm, { number, hash }) {
      const { records, diffs } = await readBlocks(evm, history.last + 1, number)
      if (records.length > 0) await history.append(records)
      oldestState = number
      for (const diff of diffs) state.apply(diff)
      const { generation } = manifest
      const next = { ...manifest, generation: generation + 1, base: { number, hash }, lines: 1 }
      await state.save(stateFile(folder, next.generation))
      await createJournal(journalFile(folder, next.generation), next.base)
      await writeManifest(folder, next)
      manifest = next
      await journal.close()
      journal = (await openJournal(journalFile(folder, next.generation), next.lines)).journal
      await rm(journalFile(folder, generation), { force: true })
      await rm(stateFile(folder, generation), { force: true })
      // The EVM of this generation still writes its own file; that of the previous one is gone.
      await rm(cacheDir(generation - 1), PATIENTLY).catch(() => {})
    },
    async close() {
      await journal.close()
      await source.close()
    },
  }
}

async function openState(folder: string, manifest: Manifest): Promise<WorldState> {
  if (manifest.base) return readWorldState(stateFile(folder, manifest.generation))
  const state = createWorldState()
  for (const account of startAccounts(manifest)) state.put(account)
  return state
}

function startAccounts({ accounts }: Manifest) {
  return [...systemAccounts(), ...accounts]
}

const DIFF_TRACER = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }

async function readBlocks(evm: RpcHandler, from: number, to: number) {
  const records: BlockRecord[] = []
  const diffs: StateDiff[] = []
  for (let number = from; number <= to; number++) {
    const block = (await evm('eth_getBlockByNumber', [`0x${number.toString(16)}`, true])) as RpcBlock
    const receipts: BlockRecord['receipts'][number][] = []
    for (const { hash } of block.transactions) {
      receipts.push((await evm('eth_getTransactionReceipt', [hash])) as BlockRecord['receipts'][number])
      diffs.push(withoutOldCode((await evm('debug_traceTransaction', [hash, DIFF_TRACER])) as StateDiff))
    }
    records.push({ block, receipts })
  }
  return { records, diffs }
}

// The tracer repeats the code of every touched contract; a thousand diffs would keep all of that in memory.
function withoutOldCode({ pre, post }: StateDiff): StateDiff {
  const touched = Object.entries(pre).map(([address, { storage = {} }]) => [address, { storage }] as const)
  return { pre: Object.fromEntries(touched), post }
}
