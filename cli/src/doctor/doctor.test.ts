import { chmodSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, startEchoServer } from '../../test/echo-server.js'
import { runHere, temporaryFolder } from '../../test/terminal.js'
import { configPath, saveProfile } from '../profiles.js'
import { checkNode } from './machine.js'
import { checkClock, checkLimits, checkVersion } from './service.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

interface Report {
  readonly ok: boolean
  readonly checks: readonly { name: string; state: string; found: string; todo?: string }[]
}

const config = { platformName: 'Rookery', version: '0.1.0', chain: null, features: { faucet: false } }
const json = { 'content-type': 'application/json' }

/** A service that answers as it is told by path, and the doctor's report about it. */
async function examine(answers: Readonly<Record<string, Answer>>, env: Record<string, string> = {}) {
  server = await startEchoServer(({ path }) => answers[path] ?? { body: {} })
  const { exitCode, out, err } = await runHere(['doctor'], {
    env: { HOME: temporaryFolder(), ROOKERY_URL: server.url, ...env },
  })
  expect(err).toBe('')
  const report = JSON.parse(out) as Report
  return { exitCode, report, of: (name: string) => report.checks.find((check) => check.name === name) }
}

const usual = {
  '/v1/config': { body: config },
  '/v1/health': { body: { status: 'ok', reasons: [] } },
  '/v1/agents/me/controls': { body: { frozenAt: null, frozenReason: null } },
}

describe('doctor', () => {
  test('says what to do without a key, and that this is no failure', async () => {
    const { exitCode, report, of } = await examine(usual)
    expect([exitCode, report.ok]).toEqual([0, true])
    expect(of('address')).toMatchObject({ state: 'ok', found: expect.stringContaining('is Rookery 0.1.0') })
    expect(of('key')).toMatchObject({ state: 'warning', todo: expect.stringContaining('rookery register') })
    expect(of('clock')).toMatchObject({ state: 'ok' })
  })

  test.each([
    ['pending', 0, 'warning', 'rookery verify'],
    ['suspended', 6, 'failed', 'appeal'],
    ['active', 0, 'ok', undefined],
  ])('tells what a %s agent can do', async (status, exitCode, state, todo) => {
    const answers = { ...usual, '/v1/agents/me': { body: { username: 'ada', status } } }
    const found = await examine(answers, { ROOKERY_API_KEY: 'sk_1' })
    expect([found.exitCode, found.of('key')?.state]).toEqual([exitCode, state])
    if (todo) expect(found.of('key')?.todo).toContain(todo)
  })

  test('says that a service which has just started will be ready soon', async () => {
    const body = { status: 'starting', reasons: ['Background work is late.'] }
    const { exitCode, of } = await examine({ ...usual, '/v1/health': { body } })
    const found = expect.stringMatching(/has just started: Background work/)
    expect([exitCode, of('health')]).toEqual([
      0,
      expect.objectContaining({ state: 'warning', found, todo: 'Try again in a minute.' }),
    ])
  })

  test('tells a frozen agent whom to ask', async () => {
    const { exitCode, of } = await examine(
      {
        ...usual,
        '/v1/agents/me': { body: { username: 'ada', status: 'active' } },
        '/v1/agents/me/controls': { body: { frozenAt: '2026-01-01T00:00:00.000Z', frozenReason: 'odd trades' } },
      },
      { ROOKERY_API_KEY: 'sk_1' },
    )
    expect([exitCode, of('key')?.found]).toEqual([6, expect.stringContaining('odd trades')])
  })

  test('ends with the exit code of what failed first', async () => {
    const refused = { status: 401, body: { code: 'INVALID_API_KEY', message: 'Unknown.' } }
    const key = await examine({ ...usual, '/v1/agents/me': refused }, { ROOKERY_API_KEY: 'sk_1' })
    expect([key.exitCode, key.report.ok, key.of('key')?.todo]).toEqual([5, false, expect.stringContaining('recover')])
    const other = await examine({ '/v1/config': { body: '<html>', headers: { 'content-type': 'text/html' } } })
    expect([other.exitCode, other.of('address')?.state]).toEqual([3, 'failed'])
    const nothing = await examine({}, { ROOKERY_URL: 'http://127.0.0.1:9' })
    expect([nothing.exitCode, nothing.of('address')?.found]).toEqual([3, expect.stringContaining('cannot be reached')])
  })

  test('finds a clock that is wrong, and a service of another version', async () => {
    const date = new Date(Date.now() - 600_000).toUTCString()
    const answers = { ...usual, '/v1/config': { body: { ...config, version: '0.9.0' }, headers: { ...json, date } } }
    const { exitCode, of } = await examine(answers)
    expect([exitCode, of('clock')?.found]).toEqual([1, expect.stringMatching(/^(599|600|601) s ahead of the server$/)])
    expect(of('version')?.state).toBe('warning')
  })

  test('finds a chain that does not answer', async () => {
    const chain = { id: 56, name: 'BNB', rpcUrl: 'http://127.0.0.1:9', nativeCurrency: { symbol: 'BNB' } }
    const { exitCode, of } = await examine({ ...usual, '/v1/config': { body: { ...config, chain } } })
    expect([exitCode, of('chain')?.found]).toEqual([3, expect.stringContaining('http://127.0.0.1:9 does not answer')])
  })

  test('finds a file with secrets that others can read', async () => {
    const env = { HOME: temporaryFolder() }
    await saveProfile(env, 'default', { url: 'http://127.0.0.1:9', apiKey: 'sk_1' })
    chmodSync(configPath(env), 0o644)
    const { exitCode, of } = await examine(usual, env)
    expect([exitCode, of('files')]).toEqual([
      2,
      { name: 'files', state: 'failed', found: expect.stringContaining('chmod 600'), todo: expect.any(String) },
    ])
  })

  test('writes a line for each check to a person', async () => {
    server = await startEchoServer(({ path }) => (usual as Record<string, Answer>)[path] ?? { body: {} })
    const env = { HOME: temporaryFolder(), ROOKERY_URL: server.url }
    const { out } = await runHere(['doctor'], { env, isInteractive: true, columns: 80 })
    expect(out).toMatch(/^ok {7}node {5}Node v\d+.*\n/)
    expect(out).toMatch(/^warning {2}key {6}No API key.*\n {18}Run "rookery register/m)
  })
})

describe('a check', () => {
  const answered = (headers: Record<string, string>, atMs = 0) => ({ headers: new Headers(headers), atMs })

  test('of Node refuses what is too old', () => {
    expect(['v18.20.0', 'v20.18.9', 'v20.19.0', 'v24.0.0'].map((version) => checkNode(version).state)).toEqual([
      'failed',
      'failed',
      'ok',
      'ok',
    ])
  })

  test('of the clock allows seconds, warns, and fails where signatures would', () => {
    const atMs = Date.parse('2026-01-01T00:00:00Z')
    const skewed = (seconds: number) =>
      checkClock(answered({ date: new Date(atMs - seconds * 1000).toUTCString() }, atMs + 500)).state
    expect([0, 10, 11, -60, 121, -3600].map(skewed)).toEqual(['ok', 'ok', 'warning', 'warning', 'failed', 'failed'])
    expect(checkClock(answered({})).state).toBe('warning')
  })

  test('of versions compares what may differ', () => {
    const state = (own: string, service: string) => checkVersion(own, service).state
    expect([
      state('0.1.0', '0.1.9'),
      state('0.1.0', '0.2.0'),
      state('1.2.0', '1.9.0'),
      state('1.0.0', '2.0.0'),
    ]).toEqual(['ok', 'warning', 'ok', 'warning'])
  })

  test('of limits warns when nothing is left', () => {
    const left = (remaining: string) => ({ 'x-ratelimit-remaining': remaining, 'x-ratelimit-limit': '100' })
    expect([checkLimits(answered(left('7'))).found, checkLimits(answered(left('0'))).state]).toEqual([
      '7 of 100 reads left in this minute',
      'warning',
    ])
  })
})
