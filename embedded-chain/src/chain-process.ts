import { mkdir } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { lockFolder } from '@rookery/host'
import { RpcError, type RpcHandler, serveJsonRpc } from './json-rpc.js'
import { checkFiles, type Genesis, type Ownership, readOrMakeManifest } from './manifest.js'
import type { Node } from './node.js'
import { ChainRefusal, type Reason } from './refusal.js'
import { addSharedMethods, type SharedAccess } from './shared-methods.js'

export interface ProcessOptions {
  readonly folder: string
  readonly port: number
  readonly genesis: Genesis
  readonly compactAfter: number
  /** How far its clock is behind the real one. */
  readonly lateMs: number
  readonly ownership: Ownership
  /** The pages that may call it. */
  readonly origins: readonly string[]
  /** Where others than this machine reach it. */
  readonly shared?: SharedAccess
}

/** What its parent asks of it, once it listens. */
export type ProcessOrder = { readonly is: 'close' } | { readonly is: 'late'; readonly lateMs: number }

export type ProcessMessage =
  | { readonly is: 'listening'; readonly port: number }
  | { readonly is: 'replaying'; readonly replayed: number; readonly total: number }
  | { readonly is: 'ready'; readonly block: number }
  | { readonly is: 'grown' }
  | { readonly is: 'late'; readonly lateMs: number }
  | { readonly is: 'failed'; readonly message: string; readonly refusal?: Reason }

const LOCK_WITHIN_MS = 2_000
const LOCK_AGAIN_AFTER_MS = 50

// A signal from the terminal reaches this process too; its parent decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
process.once('message', (options: ProcessOptions) => {
  start(options).catch((error: Error) => fail(error))
})

async function start(options: ProcessOptions): Promise<void> {
  const { folder, port, genesis, compactAfter, ownership, origins, shared } = options
  let { lateMs } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await lockOnceFree(folder)
  // Configuration errors stop the start, and so does damage that is found at once.
  const manifest = await readOrMakeManifest(folder, genesis, ownership)
  await checkFiles(folder, manifest).catch(toDamage(folder))
  let node: Node | undefined
  let handle: RpcHandler = async () => {
    throw new RpcError(-32000, 'The chain is replaying its journal. Try again in a moment.')
  }
  const server = await serveJsonRpc(port, (method, params) => handle(method, params), {
    origins,
    ...shared,
  }).catch(portError(port))
  process.on('message', async (order: ProcessOrder) => {
    if (order.is === 'late') {
      lateMs = order.lateMs
      return post(order)
    }
    // Before the chain is ready there is nothing to finish.
    await server.close()
    await node?.close()
    process.exit(0)
  })
  await post({ is: 'listening', port: server.port })

  // The EVM takes a while to load, so the port is opened first.
  const { openNode } = await import('./node.js')
  const { createMethods } = await import('./methods.js')
  node = await openNode({
    folder,
    genesis,
    compactAfter,
    clock: { now: () => new Date(Date.now() - lateMs) },
    onProgress: (replayed, total) => void post({ is: 'replaying', replayed, total }),
    onBlocks: () => void post({ is: 'grown' }),
    onFailure: (error) => void fail(error),
  }).catch(toDamage(folder))
  const methods = createMethods(node)
  handle = shared ? addSharedMethods(methods, genesis.operator, shared) : methods
  await post({ is: 'ready', block: node.head.number })
}

// The process of a service that was just killed may live a moment longer.
async function lockOnceFree(folder: string): Promise<void> {
  for (let waited = 0; !(await lockFolder(folder)); waited += LOCK_AGAIN_AFTER_MS) {
    if (waited >= LOCK_WITHIN_MS) throw new ChainRefusal({ is: 'folder in use', folder })
    await wait(LOCK_AGAIN_AFTER_MS)
  }
}

/** A chain that cannot be opened has damaged files. */
function toDamage(folder: string): (error: Error) => never {
  return (error) => {
    throw error instanceof ChainRefusal ? error : new ChainRefusal({ is: 'damaged', folder, why: error.message })
  }
}

function portError(port: number): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error
    throw new ChainRefusal({ is: 'port in use', port, code: error.code })
  }
}

function post(message: ProcessMessage): Promise<void> {
  return new Promise((done) => {
    if (!process.send) return done()
    process.send(message, () => done())
  })
}

async function fail(error: Error): Promise<void> {
  const refusal = error instanceof ChainRefusal ? { refusal: error.reason } : {}
  await post({ is: 'failed', message: error.message, ...refusal })
  process.exit(1)
}
