import { type ChildProcess, fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findProgram, sourceArguments } from '@rookery/host'
import { type Address, createPublicClient, type Hex, http } from 'viem'
import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import type { ChainLog } from './chain-log.js'
import type { ProcessMessage, ProcessOptions, ProcessOrder } from './chain-process.js'
import { createFaucet } from './faucet.js'
import { createBank, createGenesis } from './genesis.js'
import { ChainRefusal } from './refusal.js'
import { createReplayProgress } from './replay-progress.js'
import type { SharedAccess } from './shared-methods.js'

export { FAUCET_WEI } from './faucet.js'

/** The embedded chain, which runs in a separate process. */
export interface EmbeddedChain {
  readonly chainId: number
  readonly rpcUrl: string
  /** The share contract. */
  readonly contract: Address
  /** A Chainlink-style BNB/USD feed. */
  readonly priceFeed: Address
  /** The id of its process. */
  readonly pid: number | undefined
  /** Resolves when the chain answers after a start or restart; until then calls get error -32000. */
  readonly ready: Promise<void>
  /** How much of the journal has been replayed. */
  readonly progress: { readonly replayed: number; readonly total: number }
  /** Calls `listener` when there are new blocks, and whenever the chain answers again. */
  onBlocks(listener: () => void): void
  /** Sends test BNB; resolves with the transaction's hash when it is mined. */
  faucet(address: Address): Promise<Hex>
  /** Sets how far its clock is behind the real one; the next block has the new time. */
  setLate(lateMs: number): Promise<void>
  close(): Promise<void>
}

export interface EmbeddedChainOptions {
  readonly dataDir: string
  /** 0 takes any free one. */
  readonly port: number
  /** The account that permits launches. */
  readonly operator: Address
  /** The key of the account that deploys the contracts, receives the protocol's fees and fills wallets. */
  readonly bankKey: Hex
  readonly log: ChainLog
  /** How many transactions the journal collects before it is compacted. */
  readonly compactAfter?: number
  /** The id of the installation that the chain must belong to. */
  readonly identity?: string
  /** Whether a missing chain may be created; true by default. */
  readonly mayMake?: boolean
  /** How far the clock for its blocks is behind the real one; 0 by default. No block is older than the one before it. */
  readonly lateMs?: number
  /** The origins of pages that may call its JSON-RPC, besides wallets; none by default. */
  readonly origins?: readonly string[]
  /** Where other services reach it; by default only this machine does. */
  readonly shared?: Omit<SharedAccess, 'bankKey'>
  /** Turns a refusal into the error to throw; by default the refusal itself. */
  readonly explain?: (refusal: ChainRefusal) => Error
}

const COMPACT_AFTER = 500
const STOP_WITHIN_MS = 8_000
const RESTART_AFTER_MS = 500

/** Starts the embedded chain. It listens when this resolves, and answers when `ready` does. */
export async function startEmbeddedChain(options: EmbeddedChainOptions): Promise<EmbeddedChain> {
  const { log } = options
  const bank = createBank(options.bankKey)
  const genesis = await createGenesis(options.operator, bank)
  const folder = join(resolve(options.dataDir), 'chain')
  const { compactAfter = COMPACT_AFTER, origins = [] } = options
  const replayProgress = createReplayProgress(log)
  let progress = { replayed: 0, total: 0 }
  let pid: number | undefined
  let isClosing = false
  let lateMs = options.lateMs ?? 0
  // After the first start, a chain that disappears must not be created again.
  let mayMake = options.mayMake ?? true
  const listeners: (() => void)[] = []
  const announce = () => {
    for (const listener of listeners) listener()
  }
  const explained = (error: Error) => (error instanceof ChainRefusal ? (options.explain?.(error) ?? error) : error)
  const fail = (error: Error) => Promise.reject(explained(error))
  let run = startRun(options.port)
  const { port } = await run.catch(fail)
  const rpcUrl = `http://127.0.0.1:${port}`

  async function startRun(port: number): Promise<Run> {
    const started = await startProcess(
      {
        ...{ folder, port, genesis, compactAfter, lateMs, origins },
        ownership: { identity: options.identity, mayMake },
        ...(options.shared && { shared: { ...options.shared, bankKey: options.bankKey } }),
      },
      {
        onProgress(replayed, total) {
          progress = { replayed, total }
          replayProgress.show(replayed, total)
        },
        onBlocks: announce,
      },
    )
    pid = started.pid
    mayMake = false
    started.ready.then(
      (block) => {
        log.info({ block, port: started.port }, 'the embedded chain is ready')
        announce()
      },
      () => {},
    )
    started.ended.then((end) => {
      if (isClosing) return
      run = isFinal(end) ? Promise.reject(end) : restart()
      run.catch(() => {})
      log.error({ message: explained(end).message }, 'the embedded chain ended')
    })
    return started
  }

  async function restart(): Promise<Run> {
    for (;;) {
      await new Promise((done) => setTimeout(done, RESTART_AFTER_MS))
      if (isClosing) throw new Error('The chain is closed.')
      const again = await startRun(port).catch((error: Error) => error)
      if (!(again instanceof Error)) return again
      log.error({ message: explained(again).message }, 'the embedded chain cannot start again')
      if (isFinal(again)) throw again
    }
  }

  const { request } = createPublicClient({ transport: http(rpcUrl, { retryCount: 0 }) })
  const call = request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>
  const faucet = createFaucet(bank, (method, params) => call({ method, params }))

  return {
    chainId: EMBEDDED_CHAIN_ID,
    rpcUrl,
    ...bank.contracts,
    get pid() {
      return pid
    },
    get ready() {
      return run.then(({ ready }) => ready).then(() => {}, fail)
    },
    get progress() {
      return progress
    },
    onBlocks: (listener) => void listeners.push(listener),
    faucet,
    async setLate(ms) {
      lateMs = ms
      // A process that ends meanwhile is started again with the new value.
      await (await run.catch(() => undefined))?.setLate(ms)
    },
    async close() {
      isClosing = true
      await (await run.catch(() => undefined))?.stop()
    },
  }
}

/** One life of the process. */
interface Run {
  readonly port: number
  readonly pid: number | undefined
  /** The head's number, when the chain answers. */
  readonly ready: Promise<number>
  /** Why it ended. */
  readonly ended: Promise<Error>
  setLate(lateMs: number): Promise<void>
  stop(): Promise<void>
}

/** The process gave up by itself and reported why. */
class ChainFailure extends Error {
  override readonly name = 'ChainFailure'
}

// After a kill the files are intact, so a restart helps. A failure that the process reports would only happen again.
function isFinal(end: Error): boolean {
  return end instanceof ChainFailure || end instanceof ChainRefusal
}

interface ProcessNews {
  onProgress(replayed: number, total: number): void
  onBlocks(): void
}

function startProcess(options: ProcessOptions, news: ProcessNews): Promise<Run> {
  const child = forkProcess()
  const ended = new Promise<Error>((done) => {
    child.on('message', (message: ProcessMessage) => {
      if (message.is !== 'failed') return
      done(message.refusal ? new ChainRefusal(message.refusal) : new ChainFailure(message.message))
    })
    child.once('error', done)
    child.once('exit', (code, signal) => done(new Error(`The chain's process ended (${signal ?? code}).`)))
  })
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  const ready = new Promise<number>((done, fail) => {
    child.on('message', (message: ProcessMessage) => {
      if (message.is === 'replaying') news.onProgress(message.replayed, message.total)
      if (message.is === 'grown') news.onBlocks()
      if (message.is === 'ready') done(message.block)
    })
    ended.then(fail)
  })
  ready.catch(() => {})

  const send = (order: ProcessOrder) => child.send(order)

  async function setLate(lateMs: number): Promise<void> {
    const done = new Promise<void>((resolve) => {
      const listen = (message: ProcessMessage) => {
        if (message.is !== 'late' || message.lateMs !== lateMs) return
        child.off('message', listen)
        resolve()
      }
      child.on('message', listen)
    })
    if (child.connected) send({ is: 'late', lateMs })
    await Promise.race([done, exited])
  }

  async function stop(): Promise<void> {
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    if (child.connected) send({ is: 'close' })
    await exited
    clearTimeout(timer)
  }

  child.send(options)
  return new Promise<Run>((done, fail) => {
    child.on('message', (message: ProcessMessage) => {
      if (message.is === 'listening') done({ port: message.port, pid: child.pid, ready, ended, setLate, stop })
    })
    ended.then(fail)
  })
}

// It gets no environment: neither secrets, nor a proxy that would intercept its local connections.
function forkProcess(): ChildProcess {
  const { url, isSource } = findProgram('./chain-process.js', import.meta.url)
  return fork(fileURLToPath(url), [], {
    env: {},
    execArgv: ['--expose-gc', ...(isSource ? sourceArguments() : [])],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
