// Starts the compiled service in its own process, as an operator would: for tests, benchmarks and the demo.
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const programOf = (checkout) => join(checkout, 'server/dist/main.js')
// A line by itself on a terminal, and one of the log elsewhere.
const READY = /^(?:\{.*"msg":")?(?:Rookery is ready at ([^\s"]+)|The Rookery worker is ready)(?:"\})?$/m

// Most programs of tests live for seconds: optimising the code of the embedded database takes longer than it saves.
const TEST_FLAGS = process.env.VITEST === undefined ? [] : ['--liftoff-only']

const LOOK_EVERY_MS = 50

const DEFAULTS = {
  PORT: '0',
  CHAIN_PORT: '0',
  LOG_LEVEL: 'warn',
  // All calls come from one address.
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_SEARCHES: '0',
  RATE_LIMIT_DOCUMENTS: '0',
  RATE_LIMIT_SIGN_INS: '0',
  RATE_LIMIT_REGISTRATIONS: '0',
  RATE_LIMIT_DAILY_FOLLOWS: '0',
  RATE_LIMIT_DAILY_LIKES: '0',
  RATE_LIMIT_DAILY_BLOCKS: '0',
  REPEATED_POSTS_PER_HOUR: '0',
}

/** Whether the service is built. */
export function isBuilt(checkout = ROOT) {
  return existsSync(programOf(checkout))
}

/** Starts the service and waits until it is ready. */
export async function startProgram({
  checkout = ROOT,
  env = {},
  dataDir,
  node = process.execPath,
  script = programOf(checkout),
  nodeFlags = [],
  detached = false,
  showErrors = false,
  logFile,
  isToldTime = false,
  account,
  readyWithinMs,
} = {}) {
  if (!isBuilt(checkout)) throw new Error('The service is not built: run npm run build.')
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'rookery-program-')))
  await mkdir(folder, { recursive: true })
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a')
  const child = spawn(node, [...TEST_FLAGS, ...nodeFlags, script], {
    // In a folder without a .env, so that only these variables count.
    cwd: folder,
    env: { PATH: process.env.PATH, ...DEFAULTS, DATA_DIR: folder, ...env },
    stdio: ['ignore', log, showErrors ? 'inherit' : 'pipe', ...(isToldTime ? ['ipc'] : [])],
    detached,
    ...(account !== undefined && { uid: account, gid: account }),
  })
  if (logFile !== undefined) closeSync(log)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const output = () => (logFile === undefined ? '' : readFileSync(logFile, 'utf8')) + printed
  // The program must not outlive its starter.
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))

  async function end(signal) {
    child.kill(signal)
    const code = await ended
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    return code
  }
  const url = await ready(child, ended, output, readyWithinMs).catch(async (error) => {
    await end('SIGKILL')
    throw error
  })
  return {
    url,
    dataDir: folder,
    pid: child.pid,
    ended,
    output,
    tellTime: (time) => tellTime(child, ended, time),
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

/** Tells the program what time it is, and waits until it has heard. */
function tellTime(child, ended, time) {
  const clock = time === 'real' ? time : time.toISOString()
  return new Promise((resolve, reject) => {
    void ended.then((code) => reject(new Error(`The service ended with ${code ?? child.signalCode}.`)))
    child.on('message', function listen(message) {
      if (message.clock !== clock) return
      child.off('message', listen)
      resolve()
    })
    child.send({ clock }, (error) => error && reject(error))
  })
}

function ready(child, ended, output, withinMs) {
  return new Promise((resolve, reject) => {
    const fail = (what) => reject(new Error(`The service ${what}. It printed:\n${output()}`))
    const timer = withinMs === undefined ? undefined : setTimeout(() => fail('did not become ready'), withinMs)
    // A file does not say when it grows.
    const looking = child.stdout ? undefined : setInterval(look, LOOK_EVERY_MS)
    void ended.then((code) => {
      clearTimeout(timer)
      clearInterval(looking)
      fail(`ended with ${code ?? child.signalCode}`)
    })
    child.stdout?.on('data', look)

    function look() {
      const said = READY.exec(output())
      if (!said) return
      clearTimeout(timer)
      clearInterval(looking)
      resolve(said[1] ?? '')
    }
  })
}
