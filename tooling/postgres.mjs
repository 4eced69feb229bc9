// A private PostgreSQL server for tests and benchmarks: its own folder and socket, removed when it stops.
import { execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasPgvector } from './pgvector.mjs'

const run = promisify(execFile)
const OLDEST = 15

const ROOT = '/usr/lib/postgresql'

/** The supported versions of PostgreSQL on this machine, newest first. */
export function postgresVersions() {
  const versions = existsSync(ROOT) ? readdirSync(ROOT).map(Number) : []
  return versions
    .filter((version) => version >= OLDEST && existsSync(`${ROOT}/${version}/bin/initdb`))
    .sort((a, b) => b - a)
}

/** The program folder of the newest PostgreSQL on this machine that has pgvector. */
export function findPostgres() {
  const version = postgresVersions().find(hasPgvector)
  return version === undefined ? undefined : `${ROOT}/${version}/bin`
}

/** Runs one of PostgreSQL's own programs under the account that runs the servers. */
export async function runPostgresProgram(program, args) {
  await run(join(findPostgres() ?? '', program), args, { ...serverAccount(), cwd: tmpdir() })
}

/**
 * Starts a server on a socket in a new folder. `settings` are added to its command line as `-c name=value`. `makeData`
 * provides existing files instead of a new database. A `port` of its own is for servers that also listen on TCP.
 */
export async function startPostgres(settings = {}, makeData = initialise) {
  const programs = findPostgres()
  if (!programs) throw new Error(`PostgreSQL ${OLDEST} or newer with pgvector is not installed: run npm run provision`)
  const folder = mkdtempSync(join(tmpdir(), 'rookery-pg-'))
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  await makeData(data)
  const options = { listen_addresses: '', unix_socket_directories: folder, ...settings }
  const flags = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...flags], { ...account, cwd: folder, stdio: 'ignore' })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  // The server must not outlive its starter.
  const endWithUs = () => {
    server.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  const { port = '' } = settings
  const url = (database) =>
    `postgresql://postgres@/${database}?host=${encodeURIComponent(folder)}${port && `&port=${port}`}`
  async function end(signal) {
    server.kill(signal)
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  await waitUntilReady(programs, folder, `${port || 5432}`)
  return {
    url,
    folder,
    stop: () => end('SIGINT'),
    // Nothing more is written or sent to a standby.
    crash: () => end('SIGQUIT'),
  }
}

function initialise(data) {
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']
  return runPostgresProgram('initdb', ['-D', data, ...options])
}

/** The account that runs PostgreSQL, if not the caller's: it refuses to run as root, so Debian's account is used. */
export function serverAccount() {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function waitUntilReady(programs, folder, port) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const ready = await run(join(programs, 'pg_isready'), ['-q', '-h', folder, '-p', port]).then(
      () => true,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('PostgreSQL did not become ready')
}
