// npm test: installs what the tests need from the system, then checks format, types and import rules and runs every test.
// Arguments go to the test runner: npm test -- follows
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { provision } from './provision.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
// Each of hundreds of databases has a thousand small files: creating and removing them is many times faster in memory.
const MEMORY = '/dev/shm'
const WANTED_BYTES = 6 * 2 ** 30

const args = process.argv.slice(2)
const isCi = Boolean(process.env.CI)

const missing = provision()
for (const name of missing)
  console.error(`\n!!! ${name} is missing and could not be installed: the tests that need it are SKIPPED.\n`)
if (missing.length > 0 && isCi) fail('With CI set, nothing may be skipped.')

if (args.length === 0)
  step('format and lint', 'node_modules/@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '.'])
console.log('\n— build and types')
await build({ everything: true })

const folder = makeFolder()
const report = join(folder, 'report.json')
const skip = missing.includes('PostgreSQL') ? ['--project', '!server:postgres'] : []
const status = step(
  'tests',
  'node_modules/vitest/vitest.mjs',
  ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${report}`, ...skip, ...args],
  { mustPass: false, env: { TMPDIR: folder } },
)
if (!existsSync(report)) fail('The tests did not run to their end.')
const {
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: skipped,
  numTotalTests,
  testResults: files,
} = JSON.parse(readFileSync(report, 'utf8'))
for (const line of args.length === 0 ? slowest(files) : []) console.log(line)
for (const line of failures(files)) console.log(line)
console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
if (isCi && skipped > 0) fail('With CI set, nothing may be skipped.')
if (numTotalTests === 0) fail('No test ran.')
process.exit(status)

function step(name, program, args, { mustPass = true, env = {} } = {}) {
  console.log(`\n— ${name}`)
  const { status } = spawnSync(process.execPath, [join(ROOT, program), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (mustPass && status !== 0) process.exit(status ?? 1)
  return status ?? 1
}

/** Creates a folder for everything the tests write, removed when this program exits. */
function makeFolder() {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), 'rookery-tests-'))
  // The account that runs PostgreSQL needs access.
  chmodSync(folder, 0o755)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  // An interrupt reaches the tests too; this process ends when they have.
  process.on('SIGINT', () => {})
  return folder
}

function hasRoom(folder) {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > WANTED_BYTES
}

/** Where the time goes, so that the suite stays short. A file that runs on both engines is there twice. */
function slowest(files) {
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1000
  const line = (time, name) => `${time.toFixed(0).padStart(5)} s  ${name}`
  const nameOf = (file) => file.name.replace(ROOT, '')
  const bySeconds = (entries) => entries.toSorted(([, a], [, b]) => b - a)
  const parts = new Map()
  for (const file of files) {
    const part = nameOf(file).split('/').slice(0, 3).join('/')
    parts.set(part, (parts.get(part) ?? 0) + seconds(file))
  }
  const top = (entries, count) =>
    bySeconds(entries)
      .slice(0, count)
      .map(([name, time]) => line(time, name))
  return [
    '\nThe slowest files:',
    ...top(
      files.map((file) => [nameOf(file), seconds(file)]),
      25,
    ),
    '\nThe slowest parts:',
    ...top([...parts], 15),
  ]
}

/** One line per failure: the long report above may have scrolled away. */
function failures(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter(({ status }) => status === 'failed')
    const file = name.replace(ROOT, '')
    const line = (what, why = '') => `✗ ${file}${what}: ${why.split('\n')[0].slice(0, 300)}`
    if (tests.length === 0 && status === 'failed') return [line('', message)]
    return tests.map(({ fullName, failureMessages }) => line(` > ${fullName}`, failureMessages[0]))
  })
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
