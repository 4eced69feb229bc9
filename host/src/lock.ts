import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** An exclusive lock on a folder. */
export interface Lock {
  close(): Promise<void>
}

const MAX_SOCKET_PATH = 100

/**
 * Locks a folder for this process, creating it if needed; undefined while another process holds the lock. The lock is a
 * listening socket, which the kernel releases however the process ends.
 */
export async function lockFolder(folder: string): Promise<Lock | undefined> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = socketPath(folder, 'lock')
  const server = (await listen(path)) ?? (await takeOver(path))
  return (
    server && {
      async close() {
        await new Promise((done) => server.close(done))
      },
    }
  )
}

/** The path of a named socket of a folder: in the folder, unless that path is too long. */
export function socketPath(folder: string, name: string): string {
  const path = join(resolve(folder), name)
  if (path.length <= MAX_SOCKET_PATH) return path
  return join(tmpdir(), `rookery-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)}.${name}`)
}

function listen(path: string): Promise<Server | undefined> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.end())
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? done(undefined) : fail(error),
    )
    server.listen(path, () => done(server.unref()))
  })
}

// A killed process leaves its socket file behind, but nothing answers there.
async function takeOver(path: string): Promise<Server | undefined> {
  if (await answers(path)) return undefined
  await rm(path, { force: true })
  return listen(path)
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path)
    socket.once('connect', () => done(true))
    socket.once('error', () => done(false))
    socket.once('close', () => socket.destroy())
  })
}
