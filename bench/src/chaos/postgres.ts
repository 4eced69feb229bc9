import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { serverAccount } from '@rookery/tooling/postgres'
import { requirePostgres } from '@rookery/tooling/require-postgres'
import { Client } from 'pg'
import { withChildren } from '../program/cpu-seconds.js'

const execute = promisify(execFile)

/** A PostgreSQL server that can be stopped, frozen and filled up. */
export interface ChaosPostgres {
  readonly socket: string
  readonly url: string
  /** Signals the server and all its processes. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>
  /** Stops it as `pg_ctl stop` does: `fast` in good order, `immediate` like a crash. */
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Starts the server unless it is running, and waits until it answers. */
  start(): Promise<void>
  /** Runs a statement on a separate connection that bypasses all lines. */
  run<Row extends object>(statement: string): Promise<Row[]>
  fillDisk(): Promise<void>
  freeDisk(): Promise<void>
  remove(): Promise<void>
}

/** Why the disk cannot be filled on this machine, if so: it has to be a separate file system, which only root can mount. */
export function whyNoDisk(): string | undefined {
  if (process.platform !== 'linux') return 'it needs a file system in memory, which only Linux has'
  if (process.getuid?.() !== 0) return 'only root can give PostgreSQL its own disk'
  const folder = mkdtempSync(join(tmpdir(), 'rookery-chaos-mount-'))
  try {
    mount(folder)
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'this machine does not let root mount a file system'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const DISK = '4g'
const ROOM_BYTES = 64 * 1024
const ANSWER_WITHIN_MS = 60_000

const SETTINGS = {
  listen_addresses: '',
  // A killed process loses nothing without fsync; only a crashed machine would.
  fsync: 'off',
  max_connections: 300,
  max_wal_size: '128MB',
  min_wal_size: '32MB',
}

/** With `disk`, the data is on a small separate disk. */
export async function startChaosPostgres({ disk }: { readonly disk: boolean }): Promise<ChaosPostgres> {
  const programs = requirePostgres()
  const folder = mkdtempSync(join(tmpdir(), 'rookery-chaos-pg-'))
  if (disk) mount(folder)
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder)}`
  let server: ChildProcess | undefined
  let ended: Promise<unknown> = Promise.resolve()

  const removeFolder = () => {
    if (disk) execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const endWithUs = () => {
    server?.kill('SIGCONT')
    server?.kill('SIGQUIT')
    removeFolder()
  }
  process.once('exit', endWithUs)

  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']
  await execute(join(programs, 'initdb'), initdb, { ...account, cwd: folder })

  async function run<Row extends object>(statement: string): Promise<Row[]> {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 30_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(statement)).rows
    } finally {
      // Not awaited: a stopped server never answers.
      void client.end().catch(() => {})
    }
  }

  function spawnServer(): void {
    const flags = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
    const args = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const child = spawn(join(programs, 'postgres'), args, { ...account, cwd: folder, stdio: 'ignore' })
    server = child
    ended = new Promise<void>((resolve) => {
      child.once('exit', () => {
        if (server === child) server = undefined
        resolve()
      })
    })
  }

  async function start(): Promise<void> {
    const until = performance.now() + ANSWER_WITHIN_MS
    for (;;) {
      // A server that could not write to a full disk has exited by itself.
      if (!server) spawnServer()
      const isThere = await run('select 1').then(
        () => true,
        () => false,
      )
      if (isThere) return
      if (performance.now() > until) throw new Error('PostgreSQL did not become ready')
      await wait(20)
    }
  }

  await start()
  return {
    socket: join(folder, '.s.PGSQL.5432'),
    url,
    run,
    start,
    async signal(name) {
      if (!server?.pid) return
      // The server first, so that it starts no process while the others are listed.
      sendSignal(server.pid, name)
      for (const pid of await withChildren(server.pid)) sendSignal(pid, name)
    },
    async stop(mode) {
      server?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      await ended
    },
    async fillDisk() {
      const { blocks, bfree, bsize } = statfsSync(folder)
      const size = (blocks - bfree) * bsize + ROOM_BYTES
      await execute('mount', ['-o', `remount,size=${size}`, folder])
    },
    async freeDisk() {
      await execute('mount', ['-o', `remount,size=${DISK}`, folder])
    },
    async remove() {
      server?.kill('SIGQUIT')
      await ended
      process.off('exit', endWithUs)
      removeFolder()
    },
  }
}

function mount(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder], { stdio: 'ignore' })
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}
