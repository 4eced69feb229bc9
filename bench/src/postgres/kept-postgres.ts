import { type ExecFileOptions, execFile, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { serverAccount } from '@rookery/tooling/postgres'
import { requirePostgres } from '@rookery/tooling/require-postgres'

const execute = promisify(execFile)

/** A PostgreSQL server on a socket, whose data stays in its folder when it is stopped. */
export interface KeptPostgres {
  readonly folder: string
  url(database: string): string
  stop(): Promise<void>
}

export const KEPT_FOLDER = join(tmpdir(), 'rookery-bench')

// What a small production server would have. Everything else is PostgreSQL's default, fsync included.
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '1GB',
  effective_cache_size: '4GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
}

/** Starts the server of a folder unless it is running. Creates the data directory the first time. */
export async function startKeptPostgres(folder = KEPT_FOLDER): Promise<KeptPostgres> {
  const programs = requirePostgres()
  const path = resolve(folder)
  const account = serverAccount()
  const program = (name: string, args: string[], options: ExecFileOptions = {}) =>
    execute(join(programs, name), args, { cwd: path, ...options })
  const isReady = () =>
    program('pg_isready', ['-q', '-h', path]).then(
      () => true,
      () => false,
    )

  mkdirSync(path, { recursive: true })
  if (account) chownSync(path, account.uid, account.gid)
  const data = join(path, 'data')
  if (!existsSync(join(data, 'PG_VERSION')))
    await program(
      'initdb',
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8'],
      account,
    )
  if (!(await isReady())) {
    const flags = Object.entries({ ...SETTINGS, unix_socket_directories: path })
    const args = ['-D', data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    // Detached, so that Ctrl-C reaches only this process, which stops the server after its last statement.
    spawn(join(programs, 'postgres'), args, { ...account, cwd: path, stdio: 'ignore', detached: true }).unref()
    for (let attempt = 0; !(await isReady()); attempt++) {
      if (attempt === 300) throw new Error(`PostgreSQL in ${path} did not become ready`)
      await new Promise((done) => setTimeout(done, 100))
    }
  }
  return {
    folder: path,
    url: (database) => `postgresql://postgres@/${database}?host=${encodeURIComponent(path)}`,
    stop: async () => void (await program('pg_ctl', ['stop', '-D', data, '-m', 'fast', '-s'], account)),
  }
}
