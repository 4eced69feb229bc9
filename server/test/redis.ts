import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRedis } from '@rookery/tooling/find-programs'
import { createClient } from 'redis'
import { describe } from 'vitest'

/** For tests that are skipped without Redis. */
export const describeWithRedis: typeof describe.skip = describe.skipIf(!findRedis())

/** A Redis server for one test. */
export interface TestRedis {
  readonly url: string
  /** Kills it like a crash. */
  kill(): Promise<void>
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startRedis(): Promise<TestRedis> {
  const program = findRedis()
  if (!program) throw new Error('Redis is not installed')
  const folder = await mkdtemp(join(tmpdir(), 'rookery-redis-'))
  const socket = join(folder, 'redis.sock')
  let server: ChildProcess

  async function start(file: string): Promise<void> {
    const flags = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--daemonize', 'no']
    server = spawn(file, flags, { stdio: 'ignore' })
    const probe = createClient({ socket: { path: socket, reconnectStrategy: 50 } }).on('error', () => {})
    await probe.connect()
    probe.destroy()
  }

  async function kill(): Promise<void> {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await ended
  }

  await start(program)
  return {
    url: `unix://${socket}`,
    kill,
    restart: () => start(program),
    async stop() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
