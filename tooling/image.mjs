// npm run image: builds the container image with docker or podman, whichever answers, and says how large it is.
//   -- --try         then starts it from nothing, as it is meant to run: read-only, as nobody, with an empty volume;
//                    kills it, stops it, and starts it again for another account
//   -- -- <options>  what the build gets besides, such as --network=host or --build-arg BASE_IMAGE=mirror.example/debian:bookworm-slim
import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const IMAGE = 'localhost/rookery:latest'
const MAX_BYTES = 500e6
const READY_WITHIN_MS = 120_000
// What compose.yaml and the chart give it, and nothing more.
const STRICT = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
// An account that the image does not know.
const OTHER = '12345:12345'

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

/** Starts it with everything embedded, on this machine alone, and on one volume for everything it goes through. */
async function tryImage(engine) {
  const volume = ask(engine, ['volume', 'create'])
  try {
    await tryContainer(engine, volume, [], async (container, port) => {
      if (ask(engine, ['exec', container, 'id', '-u']) === '0') throw new Error('It runs as root.')
      for (const folder of ['/opt/rookery', '/usr/local/bin'])
        if (spawnSync(engine, ['exec', container, 'touch', `${folder}/x`]).status === 0)
          throw new Error(`It can write to ${folder}.`)
      const [, ...check] = JSON.parse(ask(engine, inspect(container, '{{json .Config.Healthcheck.Test}}')))
      ask(engine, ['exec', container, ...check])
      ask(engine, ['exec', container, 'node', 'server/dist/operate.js', 'backup', '/tmp/backup'])
      ask(engine, ['kill', container])
      ask(engine, ['start', container])
      await becomeReady(engine, container, port, 'again after it was killed')
    })
    ask(engine, ['run', '--rm', '--user', '0:0', '--volume', `${volume}:/data`, IMAGE, 'chown', '-R', OTHER, '/data'])
    await tryContainer(engine, volume, ['--user', OTHER])
  } finally {
    spawnSync(engine, ['volume', 'rm', volume])
  }
}

/** Starts a container, does with it what is to be done, and stops it. */
async function tryContainer(engine, volume, options, act = async () => {}) {
  const port = await freePort()
  const place = ['--publish', `127.0.0.1:${port}:3000`, '--volume', `${volume}:/data`]
  const settings = ['--env', 'ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes']
  const container = ask(engine, ['run', '--detach', ...STRICT, ...place, ...settings, ...options, IMAGE])
  try {
    await becomeReady(engine, container, port, `read-only, as ${options[1] ?? 'the account of the image'}`)
    await act(container, port)
    ask(engine, ['stop', '--time', '15', container])
    const code = ask(engine, inspect(container, '{{.State.ExitCode}}'))
    if (code !== '0') throw new Error(`It ended with ${code}.`)
  } catch (error) {
    spawnSync(engine, ['logs', container], { stdio: 'inherit' })
    throw error
  } finally {
    spawnSync(engine, ['rm', '--force', container])
  }
}

async function becomeReady(engine, container, port, how) {
  const startedAt = Date.now()
  while (!(await isReady(port))) {
    const isRunning = ask(engine, inspect(container, '{{.State.Running}}')) === 'true'
    if (!isRunning || Date.now() - startedAt > READY_WITHIN_MS) throw new Error(`It does not become ready, ${how}.`)
    await wait(250)
  }
  const { status } = await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json()
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10
  console.log(`It is ready after ${seconds} s, ${how}; health says ${status}.`)
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

function inspect(container, format) {
  return ['inspect', '--format', format, container]
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
