import { chmod, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { socketPath } from '@rookery/host'
import type { Pool, PoolClient } from 'pg'
import { readLines } from './lines.js'

/** A request from the backup command to the running service. */
export type Request =
  | { readonly ask: 'checkpoint' }
  /** Writes `mark` into the database and pauses it. */
  | { readonly ask: 'hold'; readonly mark: string }
  | { readonly ask: 'release' }

export type Answer =
  | { readonly is: 'written' }
  | { readonly is: 'held' }
  | { readonly is: 'released'; readonly heldMs: number }
  | { readonly is: 'failed'; readonly message: string }

/** The setting that holds the mark of the last backup. */
export const MARK = 'last_backup'

export interface BackupSocketOptions {
  readonly dataDir: string
  readonly pool: Pool
  onHeld(heldMs: number): void
  /** The maximum time for which the database may be paused. After that, the backup fails. */
  readonly holdAtMostMs?: number
}

export const backupSocketPath = (dataDir: string) => socketPath(dataDir, 'backup')

const HOLD_AT_MOST_MS = 30_000

/**
 * Opens the socket over which the backup command pauses the embedded database while it copies the files. All statements
 * use the only connection of the engine's pool, so nothing changes while that connection is taken.
 */
export async function openBackupSocket(options: BackupSocketOptions): Promise<{ close(): Promise<void> }> {
  const path = backupSocketPath(options.dataDir)
  // A killed process leaves its socket behind. The lock on the folder ensures that no other process is using it.
  await rm(path, { force: true })
  const clients = new Set<Socket>()
  const server = createServer((socket) => {
    clients.add(socket.once('close', () => clients.delete(socket)))
    serveClient(socket, options)
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(path, done))
  await chmod(path, 0o600)
  return {
    async close() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of clients) socket.destroy()
      await closed
    },
  }
}

function serveClient(socket: Socket, options: BackupSocketOptions): void {
  const { pool } = options
  let held: Hold | undefined
  const send = (answer: Answer) => void socket.write(`${JSON.stringify(answer)}\n`)

  async function answer(request: Request): Promise<Answer> {
    if (request.ask === 'checkpoint') {
      await pool.query('checkpoint')
      return { is: 'written' }
    }
    if (request.ask === 'hold') {
      held ??= await hold(request.mark, options, () => socket.destroy())
      // The client may have disconnected meanwhile.
      if (socket.destroyed) held.release()
      return { is: 'held' }
    }
    return held ? { is: 'released', heldMs: held.release() } : { is: 'failed', message: 'nothing is held' }
  }

  socket.on('error', () => {})
  socket.on('close', () => held?.release())
  readLines<Request>(socket, async (request) => {
    send(await answer(request).catch((error: Error): Answer => ({ is: 'failed', message: error.message })))
  })
}

/** A paused database. */
interface Hold {
  /** Returns how long the database was paused, in milliseconds. Further calls return the same. */
  release(): number
}

async function hold(
  mark: string,
  { pool, onHeld, holdAtMostMs = HOLD_AT_MOST_MS }: BackupSocketOptions,
  onLate: () => void,
): Promise<Hold> {
  const client = await pool.connect()
  const startedAt = performance.now()
  let heldMs: number | undefined
  let broken: Error | undefined
  const onBroken = (error: Error) => {
    broken = error
    onLate()
  }
  client.on('error', onBroken)
  const timer = setTimeout(onLate, holdAtMostMs)

  function release(): number {
    if (heldMs !== undefined) return heldMs
    heldMs = Math.round(performance.now() - startedAt)
    clearTimeout(timer)
    client.off('error', onBroken)
    client.release(broken)
    onHeld(heldMs)
    return heldMs
  }

  try {
    await writeMark(client, mark)
    return { release }
  } catch (error) {
    release()
    throw error
  }
}

// The last write before the copy, which the copy must therefore contain.
async function writeMark(client: PoolClient, mark: string): Promise<void> {
  await client.query(
    'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [MARK, mark],
  )
}
