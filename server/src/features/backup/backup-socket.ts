import { chmod, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { socketPath } from '@rookery/host'
import type { Pool, PoolClient } from 'pg'
import { readLines } from './lines.js'

/** What the maker of a backup asks of the running service. */
export type Request =
  | { readonly ask: 'checkpoint' }
  /** Lets the database stand still, after writing `mark` into it. */
  | { readonly ask: 'hold'; readonly mark: string }
  | { readonly ask: 'release' }

/** What the service answers. */
export type Answer =
  | { readonly is: 'written' }
  | { readonly is: 'held' }
  | { readonly is: 'released'; readonly heldMs: number }
  | { readonly is: 'failed'; readonly message: string }

/** The setting that holds the mark of the last backup. */
export const MARK = 'last_backup'

export interface DoorOptions {
  readonly dataDir: string
  readonly pool: Pool
  onHeld(heldMs: number): void
  /** How long nobody may write at most; then there is no backup. */
  readonly holdAtMostMs?: number
}

export const doorPath = (dataDir: string) => socketPath(dataDir, 'backup')

const HOLD_AT_MOST_MS = 30_000

/**
 * Lets the maker of a backup hold the embedded database still while it copies the files. Everything the engine does is
 * asked over the one connection of its pool, so who has that connection has a database that nobody changes.
 */
export async function openBackupDoor(options: DoorOptions): Promise<{ close(): Promise<void> }> {
  const path = doorPath(options.dataDir)
  // Left by a process that was killed: the lock of the folder says that there is no other.
  await rm(path, { force: true })
  const guests = new Set<Socket>()
  const server = createServer((socket) => {
    guests.add(socket.once('close', () => guests.delete(socket)))
    serveGuest(socket, options)
  })
  await new Promise<void>((done, fail) => server.once('error', fail).listen(path, done))
  await chmod(path, 0o600)
  return {
    async close() {
      const closed = new Promise((done) => server.close(done))
      for (const socket of guests) socket.destroy()
      await closed
    },
  }
}

function serveGuest(socket: Socket, options: DoorOptions): void {
  const { pool } = options
  let held: Hold | undefined
  const say = (answer: Answer) => void socket.write(`${JSON.stringify(answer)}\n`)

  async function answer(request: Request): Promise<Answer> {
    if (request.ask === 'checkpoint') {
      await pool.query('checkpoint')
      return { is: 'written' }
    }
    if (request.ask === 'hold') {
      held ??= await hold(request.mark, options, () => socket.destroy())
      // Who asked may have gone meanwhile.
      if (socket.destroyed) held.release()
      return { is: 'held' }
    }
    return held ? { is: 'released', heldMs: held.release() } : { is: 'failed', message: 'nothing is held' }
  }

  socket.on('error', () => {})
  socket.on('close', () => held?.release())
  readLines<Request>(socket, async (request) => {
    say(await answer(request).catch((error: Error): Answer => ({ is: 'failed', message: error.message })))
  })
}

/** A database that stands still. */
interface Hold {
  /** Gives how long it stood still, in milliseconds. The first time counts. */
  release(): number
}

async function hold(
  mark: string,
  { pool, onHeld, holdAtMostMs = HOLD_AT_MOST_MS }: DoorOptions,
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

// What the copy has to contain: it is the last that was written before.
async function writeMark(client: PoolClient, mark: string): Promise<void> {
  await client.query(
    'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
    [MARK, mark],
  )
}
