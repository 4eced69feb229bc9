import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProgram } from './start-program.js'
import { registerAgent } from './web/agents.js'

const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

// The folder is open to others; the files the program creates in it must be private all the same.
const dataDir = await mkdtemp(join(tmpdir(), 'rookery-folder-'))
const at = (...path: string[]) => join(dataDir, ...path)
const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', CHAIN_PORT: '0', LOG_LEVEL: 'warn' }
const umask = process.umask()

beforeAll(() => {
  process.umask(0)
  return chmod(dataDir, 0o777)
})
afterAll(async () => {
  process.umask(umask)
  await rm(dataDir, { recursive: true, force: true })
})

let agent: Awaited<ReturnType<typeof registerAgent>>

/** Starts the program and kills it as soon as the file exists. */
async function killOnce(file: string): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM], {
    cwd: dataDir,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  const ended = new Promise((done) => child.once('exit', done))
  while (!existsSync(at(file)) && !said.includes('ready at')) {
    if (child.exitCode !== null) throw new Error(`The program ended before it made ${file}: ${said}`)
    await wait(1)
  }
  child.kill('SIGKILL')
  await ended
}

/** Reads what the program prints when it refuses to start. */
function readRefusal(): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: dataDir, env, encoding: 'utf8' })
  expect([status, stdout]).toEqual([1, ''])
  const [message = '', ...rest] = stderr.trimEnd().split('\n')
  expect(rest).toEqual([])
  expect(message).toMatch(/^Rookery cannot start: /)
  return message
}

test('a first start may be killed at any step', async () => {
  const steps = [
    'manifest.json',
    'operator-key',
    'bank-key',
    'database.new',
    'database',
    'chain/journal-0',
    'chain/chain.json',
  ]
  for (const file of [...steps, 'server-secret', 'files/identity', 'scratch']) await killOnce(file)
  const program = await startProgram({ dataDir })
  agent = await registerAgent(program.url, { username: 'survivor' })
  await program.stop()
}, 180_000)

test('every file is for the account of the program alone, whoever made the folder', () => {
  const tooOpen: string[] = []
  let count = 0
  function look(path: string): void {
    const found = lstatSync(path)
    count++
    const mode = found.mode & 0o777
    if (mode !== (found.isFile() ? 0o600 : 0o700)) tooOpen.push(`${path} ${mode.toString(8)}`)
    if (found.isDirectory()) for (const name of readdirSync(path)) look(join(path, name))
  }
  look(dataDir)
  expect(tooOpen).toEqual([])
  expect(count).toBeGreaterThan(500)
})

test.each([
  ['manifest.json', 'manifest.json is missing'],
  ['database', 'The database of DATA_DIR'],
  ['database/PG_VERSION', 'PG_VERSION is missing'],
  ['chain', 'The embedded chain of DATA_DIR'],
  ['chain/chain.json', 'chain.json is missing'],
  ['files', 'The folder of uploads of DATA_DIR'],
  ['server-secret', 'The generated secret of DATA_DIR'],
  ['operator-key', 'The generated operator key of DATA_DIR'],
  ['bank-key', 'The generated key of the embedded chain’s bank of DATA_DIR'],
])('without %s it does not start', (path, reason) => {
  const before = readdirSync(dataDir)
  renameSync(at(path), `${dataDir}.aside`)
  const message = readRefusal()
  expect(message).toContain(reason)
  expect(message).toContain(at(path))
  expect(message).toMatch(/Restore .* backup.*To begin anew.* on purpose/)
  expect(existsSync(at(path))).toBe(false)
  renameSync(`${dataDir}.aside`, at(path))
  expect(readdirSync(dataDir)).toEqual(before)
})

function damaged(path: string, damage: () => void): string {
  const whole = readFileSync(at(path))
  damage()
  const message = readRefusal()
  expect(message).toMatch(/cannot be used: .* It is left as it is\. Restore .* from a backup/)
  writeFileSync(at(path), whole)
  return message
}

test('with a damaged database or chain it does not start, and says where', () => {
  const control = 'global/pg_control'
  const zeros = Buffer.alloc(8192)
  expect(damaged(`database/${control}`, () => writeFileSync(at('database', control), zeros))).toContain(at('database'))
  expect(damaged('chain/journal-0', () => truncateSync(at('chain/journal-0'), 50))).toContain(at('chain/journal-0'))
}, 120_000)

test('with a chain that turns out to be another one while it is replayed, it stops', () => {
  const journal = at('chain/journal-0')
  const whole = readFileSync(journal)
  appendFileSync(journal, `# 2 0x${'1'.repeat(64)}\n`)
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd: dataDir, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Rookery cannot start: .* does not come out as it was/m)])
  expect(stderr).not.toMatch(/^ {4}at /m)
  writeFileSync(journal, whole)
})

test('put back together, it has lost nothing', async () => {
  const program = await startProgram({ dataDir })
  const client = createClient({ ...agent.client.options, baseUrl: program.url })
  expect((await client.getMe()).username).toBe('survivor')
  await program.stop()
}, 60_000)
