// The poolers that the tests put in front of PostgreSQL: PgBouncer of the distribution, and the generation of Debian trixie,
// which keeps account of named statements. It runs on older systems with libraries of its own.
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { downloadFrom, must } from './debian.mjs'
import { findOnPath } from './find-programs.mjs'
import { serverAccount } from './postgres.mjs'

const KEPT = fileURLToPath(new URL('../node_modules/.cache/rookery-pgbouncer', import.meta.url))
// The first generation that keeps account of named statements.
const NAMING = [1, 21]
const RELEASE = 'trixie'
const PACKAGES = [
  ...['pgbouncer', 'libc6', 'libc-ares2', 'libevent-2.1-7t64', 'libpam0g', 'libssl3t64', 'libsystemd0', 'libcap2'],
  ...[
    'libaudit1',
    'libcap-ng0',
    'libzstd1',
    'libldap2',
    'libsasl2-2',
    'libgcrypt20',
    'liblz4-1',
    'liblzma5',
    'libgpg-error0',
  ],
]

/** How to run PgBouncer of a generation: older than 1.21, or newer. Undefined if it is not there. */
export function findPgbouncer(generation) {
  const own = ['/usr/sbin/pgbouncer', findOnPath('pgbouncer')].find((file) => file && existsSync(file))
  const candidates = [own && [own], generation === 'new' ? privateCommand() : undefined].filter(Boolean)
  return candidates.find((command) => isNaming(command) === (generation === 'new'))
}

function privateCommand() {
  if (!existsSync(KEPT)) return undefined
  const program = join(KEPT, 'usr/sbin/pgbouncer')
  const folders = ['lib', 'usr/lib'].flatMap((folder) => architectureFolders(join(KEPT, folder)))
  const loader = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .find((file) => /\/ld-linux[^/]*\.so\.\d+$/.test(file))
  return loader && existsSync(program) ? [loader, '--library-path', folders.join(':'), program] : undefined
}

function architectureFolders(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('-linux-gnu'))
    .map((name) => join(folder, name))
}

function isNaming([program, ...args]) {
  const { stdout } = spawnSync(program, [...args, '--version'], { encoding: 'utf8' })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/i.exec(stdout ?? '') ?? []
  if (major === undefined) return undefined
  return Number(major) > NAMING[0] || (Number(major) === NAMING[0] && Number(minor) >= NAMING[1])
}

/** Fetches the newer generation from Debian, without changing the system. Needs root and apt-get. */
export function fetchNewPgbouncer() {
  if (findPgbouncer('new')) return
  console.log('Fetching a newer PgBouncer …')
  mkdirSync(join(KEPT, '..'), { recursive: true })
  const folder = mkdtempSync(`${KEPT}-`)
  try {
    for (const file of downloadFrom(RELEASE, PACKAGES, folder)) must('dpkg-deb', ['-x', file, join(folder, 'root')])
    rmSync(KEPT, { recursive: true, force: true })
    renameSync(join(folder, 'root'), KEPT)
  } catch (error) {
    console.error(`PgBouncer could not be fetched: ${error.message}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Starts PgBouncer of a generation in front of the PostgreSQL whose sockets are in `folder`. `settings` are added to its
 * configuration. `configure` changes some of them while it runs.
 */
export async function startPgbouncer(generation, { folder: server, port = 5432, settings = {} }) {
  const [program, ...args] = findPgbouncer(generation) ?? []
  if (!program) throw new Error(`PgBouncer (${generation}) is not installed: run npm run provision`)
  const folder = mkdtempSync(join(tmpdir(), 'rookery-pgbouncer-'))
  const account = serverAccount()
  if (account) chownSync(folder, account.uid, account.gid)
  const listenPort = await freePort()
  let current = {
    listen_addr: '127.0.0.1',
    listen_port: listenPort,
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: 'postgres',
    pool_mode: 'transaction',
    default_pool_size: 5,
    ...settings,
  }
  const file = join(folder, 'pgbouncer.ini')
  const write = () => {
    const lines = Object.entries(current).map(([name, value]) => `${name} = ${value}`)
    const database = `* = host=${current.server ?? server} port=${current.serverPort ?? port} user=postgres`
    const known = lines.filter((line) => !line.startsWith('server'))
    writeFileSync(file, `[databases]\n${database}\n[pgbouncer]\n${known.join('\n')}\n`, { mode: 0o644 })
  }
  write()
  const asUser = account ? ['-u', 'postgres'] : []
  const child = spawn(program, [...args, '-q', ...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  const isEnded = () => child.exitCode !== null || child.signalCode !== null
  await untilListening(listenPort, isEnded, () => printed)
  return {
    url: (database) => `postgresql://postgres@127.0.0.1:${listenPort}/${database}`,
    /** Changes settings, as an operator does: by the file and a signal. */
    reconfigure(changes) {
      current = { ...current, ...changes }
      write()
      child.kill('SIGHUP')
    },
    output: () => printed,
    async stop() {
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

async function untilListening(port, isEnded, printed) {
  for (let attempt = 0; attempt < 600; attempt++) {
    if (isEnded()) throw new Error(`PgBouncer ended:\n${printed()}`)
    const isUp = await new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => resolve(false))
    })
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`PgBouncer does not listen:\n${printed()}`)
}
