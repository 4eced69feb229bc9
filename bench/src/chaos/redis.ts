import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { UsageError } from '@rookery/tooling/command'
import { findRedis } from '@rookery/tooling/find-programs'

/** A Redis server that can be frozen and killed. */
export interface ChaosRedis {
  readonly socket: string
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  kill(): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
}

export function requireRedis(): string {
  const program = findRedis()
  if (program === undefined)
    throw new UsageError('Redis is not installed. On Debian, "sudo npm run provision" installs it.')
  return program
}

export async function startChaosRedis(): Promise<ChaosRedis> {
  const program = requireRedis()
  const folder = await mkdtemp(join(tmpdir(), 'rookery-chaos-redis-'))
  const socket = join(folder, 'redis.sock')
  let server: ChildProcess | undefined
  const endWithUs = () => void server?.kill('SIGKILL')
  process.once('exit', endWithUs)

  async function start(): Promise<void> {
    const flags = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--daemonize', 'no']
    server = spawn(program, flags, { stdio: 'ignore' })
    while (!(await canConnect(socket))) await wait(20)
  }

  async function kill(): Promise<void> {
    const running = server
    if (!running) return
    server = undefined
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    socket,
    signal: (name) => void server?.kill(name),
    kill,
    start,
    async remove() {
      await kill()
      process.off('exit', endWithUs)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function canConnect(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
