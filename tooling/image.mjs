// npm run image: builds the container image with docker or podman, whichever answers, and says how large it is.
//   -- --try         then starts it from nothing, as it is meant to run: read-only, as nobody, with an empty volume
//   -- -- <options>  what the build gets besides, such as --network=host
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IMAGE = 'localhost/rookery:latest'
const MAX_BYTES = 500e6
const HEALTHY_WITHIN_MS = 120_000
// What compose.yaml and the chart give it, and nothing more.
const STRICT = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']

async function main(args) {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  const engine = ['docker', 'podman'].find((name) => spawnSync(name, ['info'], { timeout: 30_000 }).status === 0)
  if (!engine) throw new Error('Neither docker nor podman answers. Install one of them, or start it.')
  // The format of Docker has health checks; podman would leave them out.
  const format = engine === 'podman' ? ['--format', 'docker'] : []
  await run(engine, ['build', ...format, '--tag', IMAGE, ...args.slice(own.length + 1), ROOT])
  const bytes = Number(ask(engine, ['image', 'inspect', '--format', '{{.Size}}', IMAGE]))
  console.log(`${IMAGE} has ${Math.round(bytes / 1e6)} MB.`)
  if (bytes > MAX_BYTES) throw new Error(`That is more than ${MAX_BYTES / 1e6} MB.`)
  if (own.includes('--try')) await tryImage(engine)
}

/** Starts it with everything embedded, on this machine alone. */
async function tryImage(engine) {
  const port = await freePort()
  const options = [
    '--detach',
    ...STRICT,
    '--publish',
    `127.0.0.1:${port}:3000`,
    '--env',
    'ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes',
  ]
  const container = ask(engine, ['run', ...options, IMAGE])
  try {
    const startedAt = Date.now()
    while (!(await isReady(port))) {
      const isRunning = ask(engine, ['inspect', '--format', '{{.State.Running}}', container]) === 'true'
      if (!isRunning || Date.now() - startedAt > HEALTHY_WITHIN_MS) throw new Error('It does not become ready.')
      await wait(250)
    }
    const user = ask(engine, ['exec', container, 'id', '-u'])
    const canWrite = spawnSync(engine, ['exec', container, 'touch', '/opt/rookery/x']).status === 0
    if (user === '0' || canWrite) throw new Error('It runs as root, or can write to its program.')
    const { status } = await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json()
    console.log(
      `It is ready after ${Math.round((Date.now() - startedAt) / 100) / 10} s, as ${user}, read-only; health says ${status}.`,
    )
    ask(engine, ['stop', '--time', '15', container])
    const code = ask(engine, ['inspect', '--format', '{{.State.ExitCode}}', container])
    if (code !== '0') throw new Error(`It ended with ${code}.`)
  } catch (error) {
    spawnSync(engine, ['logs', container], { stdio: 'inherit' })
    throw error
  } finally {
    spawnSync(engine, ['rm', '--force', '--volumes', container])
  }
}

async function isReady(port) {
  try {
    return (await fetch(`http://127.0.0.1:${port}/v1/ready`)).ok
  } catch {
    return false
  }
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

function ask(engine, args) {
  const { status, stdout, stderr } = spawnSync(engine, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${engine} ${args[0]}: ${stderr.trim()}`)
  return stdout.trim()
}

async function run(engine, args) {
  const child = spawn(engine, args, { stdio: 'inherit' })
  const code = await new Promise((done) => child.once('exit', done))
  if (code !== 0) throw new Error(`${engine} ${args[0]} ended with ${code}.`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
