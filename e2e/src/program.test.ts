import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@rookery/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { startProgram } from './start-program.js'
import { registerAgent } from './web/agents.js'

const dataDir = await mkdtemp(join(tmpdir(), 'rookery-program-'))
afterAll(() => rm(dataDir, { recursive: true, force: true }))

const OPERATE = fileURLToPath(new URL('../../server/dist/operate.js', import.meta.url))

/** Runs an operator command on the folder; returns its exit code and output. */
function operate(...args: string[]): [number | null, string] {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir }
  const { status, stdout, stderr } = spawnSync(process.execPath, [OPERATE, ...args], { env, encoding: 'utf8' })
  return [status, stdout + stderr]
}

const FAIL_ON_SIGNAL = new URL('./fail-on-signal.mjs', import.meta.url)
const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

describe('the program', () => {
  test('is loaded from the few files that the build has joined', async () => {
    const { findBundle } = await import(new URL('../../server/dist/start/bundle.js', import.meta.url).href)
    expect(findBundle()).toMatch(/server\/dist\/bundle\/run\.js$/)
  })

  test('sets up an empty folder, has it for itself, and obeys its operator', async () => {
    const first = await startProgram({ dataDir })
    const agent = await registerAgent(first.url, { username: 'survivor' })
    const second = spawnSync(process.execPath, [PROGRAM], {
      env: { DATA_DIR: dataDir, PORT: '0', CHAIN_PORT: '0' },
      encoding: 'utf8',
    })
    expect([second.status, second.stderr]).toEqual([1, expect.stringContaining('is in use by another process')])
    expect(await first.stop()).toBe(0)

    expect(operate('suspend', 'survivor')).toEqual([0, '@survivor is suspended.\n'])
    expect(operate('suspend', 'nobody_here')).toEqual([1, expect.stringContaining('No agent')])
    expect(operate('suspend')).toEqual([2, expect.stringContaining('npm run operate')])
    const again = await startProgram({ dataDir })
    const client = createClient({ ...agent.client.options, baseUrl: again.url })
    expect((await client.getMe()).status).toBe('suspended')
    await again.stop()
  }, 180_000)

  test('finishes the requests in flight and ends streams when it is told to stop, within ten seconds', async () => {
    const program = await startProgram()
    const client = createClient({ baseUrl: program.url, attempts: 1 })
    const stream = await fetch(`${program.url}/v1/events?topics=tweets`)
    const requests = Array.from({ length: 40 }, (_, index) =>
      client.createLocalPost({ handle: 'busy', text: `post ${index}` }),
    )
    await requests[0]
    const startedAt = performance.now()
    const [code, ...outcomes] = await Promise.all([
      program.stop(),
      ...requests.map((request) =>
        request.then(
          () => 'done',
          (error) => error,
        ),
      ),
    ])
    expect(code).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    // A request that the server accepted is answered; one that came too late is refused outright.
    for (const outcome of outcomes) expect(outcome === 'done' || outcome instanceof TypeError).toBe(true)
    expect(await stream.text()).toContain('"code":1001')
    expect(program.output()).not.toContain('"level":50')
  })

  test('outlives a promise that nobody waited for, and says so; after an exception it drains and leaves', async () => {
    const program = await startProgram({ env: { NODE_OPTIONS: `--import=${FAIL_ON_SIGNAL.href}` } })
    const client = createClient({ baseUrl: program.url, attempts: 1 })
    process.kill(program.pid, 'SIGUSR2')
    await expect
      .poll(async () => client.getHealth(), { timeout: 20_000 })
      .toMatchObject({ status: 'degraded', reasons: [expect.stringContaining('nobody waited for: see the log')] })
    expect(program.output()).toContain('a promise without an owner')
    await client.createLocalPost({ handle: 'calm', text: 'still here' })
    const stream = await fetch(`${program.url}/v1/events?topics=tweets`)
    process.kill(program.pid, 'SIGWINCH')
    expect(await program.ended).toBe(1)
    expect(await stream.text()).toContain('"code":1001')
    expect(program.output()).toMatch(/"level":60,.*an exception out of the blue/)
    await program.kill()
  })

  test('stops with the name of a variable that is wrong', () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM], { env: { PORT: 'eighty' }, encoding: 'utf8' })
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Rookery cannot start: PORT must/)])
  })
})
