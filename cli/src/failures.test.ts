import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { type Answer, startEchoServer } from '../test/echo-server.js'
import { runHere } from '../test/terminal.js'
import { describeExitCodes, exitCodeMeanings, exitCodeOf, exitCodes } from './exit-codes.js'
import { describeFailure } from './failures.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

async function answered(answer: Answer) {
  server = await startEchoServer(() => answer)
  return runHere(['get-config'], { env: { HOME: '/nowhere', ROOKERY_URL: server.url } })
}

const pattern = (text: string) => text.replace(/[()*+?.|]/g, '\\$&')

describe('a failed command', () => {
  test('has code, message and fields when the server refuses', async () => {
    const details = [{ path: 'limit', message: 'must be <= 100' }]
    const body = { statusCode: 400, code: 'INVALID_INPUT', message: 'Some of it is not valid.', details }
    expect(await answered({ status: 400, body })).toEqual({
      exitCode: 4,
      out: '',
      err: 'INVALID_INPUT: Some of it is not valid.\n  limit: must be <= 100\n',
    })
  })

  test('says how long to wait', async () => {
    const headers = { 'content-type': 'application/json', 'retry-after': '90' }
    const { exitCode, err } = await answered({ status: 429, body: { code: 'RATE_LIMITED', message: 'Wait.' }, headers })
    expect([exitCode, err]).toEqual([9, 'RATE_LIMITED: Wait.\n  Repeat the call after 90 s.\n'])
  })

  test('is 2 when it was typed wrongly', async () => {
    for (const words of [['get-helth'], ['get-health', '--nope'], ['get-agent'], ['list-agents', '--limit', 'x'], []]) {
      const { exitCode, out } = await runHere(words)
      expect([exitCode, out]).toEqual([2, ''])
    }
    const { err } = await runHere(['list-agents', '--sort-by', 'vol'])
    expect(err).toMatch(/^USAGE: option '--sort-by <choice>' argument 'vol' is invalid. It must be one of SHARE_PRICE/)
  })

  test('is 3 when nothing answers', async () => {
    const { exitCode, err } = await runHere(['get-health'], {
      env: { HOME: '/nowhere', ROOKERY_URL: 'http://127.0.0.1:9' },
    })
    expect(exitCode).toBe(3)
    expect(err).toMatch(/^NETWORK: http:\/\/127.0.0.1:9 cannot be reached \(/)
  })

  test('is 3 when what answers is another site', async () => {
    const { exitCode, err } = await answered({ body: '<html>', headers: { 'content-type': 'text/html' } })
    expect([exitCode, err]).toEqual([3, 'NETWORK: What answers GET /v1/config is not Rookery. Check the URL.\n'])
  })

  test.each([
    [400, 'INVALID_INPUT', 4],
    [401, 'INVALID_API_KEY', 5],
    [403, 'AGENT_NOT_VERIFIED', 6],
    [404, 'AGENT_NOT_FOUND', 7],
    [409, 'USERNAME_TAKEN', 8],
    [413, 'PAYLOAD_TOO_LARGE', 4],
    [421, 'HOST_NOT_ALLOWED', 1],
    [429, 'REPORT_LIMIT', 9],
    [400, 'INSUFFICIENT_BALANCE', 11],
    [400, 'TRANSACTION_WOULD_REVERT', 11],
  ])('has an exit code for its kind: %i %s is %i', async (status, code, exitCode) => {
    expect(await answered({ status, body: { code, message: 'No.' } })).toMatchObject({ exitCode })
  })

  test('of the server itself is 10', () => {
    expect(exitCodeOf({ status: 307, code: 'INTERNAL' })).toBe(3)
    expect(exitCodeOf({ status: 502, code: 'CHAIN_UNAVAILABLE' })).toBe(10)
    expect(exitCodeOf({ status: 503, code: 'NOT_READY' })).toBe(10)
  })

  test('has its exit codes in the README', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    for (const name of Object.keys(exitCodes) as (keyof typeof exitCodes)[])
      expect(readme).toMatch(new RegExp(`^\\| ${exitCodes[name]} +\\| ${pattern(exitCodeMeanings[name])} +\\|$`, 'm'))
  })

  test('is one JSON object on stderr with --json', async () => {
    const details = [{ path: 'limit', message: 'must be <= 100' }]
    server = await startEchoServer(() => ({
      status: 400,
      body: { code: 'INVALID_INPUT', message: 'No.', details, requestId: 'r1' },
    }))
    const env = { HOME: '/nowhere', ROOKERY_URL: server.url }
    for (const words of [
      ['get-config', '--json'],
      ['--json', 'get-config'],
      ['get-config', '--output', 'json'],
    ]) {
      const { exitCode, out, err } = await runHere(words, { env })
      expect([exitCode, out]).toEqual([4, ''])
      expect(JSON.parse(err)).toEqual({
        exitCode: 4,
        code: 'INVALID_INPUT',
        message: 'No.',
        status: 400,
        details,
        requestId: 'r1',
      })
    }
    const { err } = await runHere(['get-agent', '--json'], { env })
    expect(JSON.parse(err)).toEqual({
      exitCode: 2,
      code: 'USAGE',
      message: "missing required argument 'identifier'",
      details: [],
    })
  })

  test('is 70 when the program is at fault', () => {
    expect(describeFailure(new RangeError('oops'))).toMatchObject({ exitCode: 70 })
  })

  test('is none when help or the version is asked for', async () => {
    expect(await runHere(['--version'])).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
    expect(await runHere(['follow-agent', '--help'])).toMatchObject({ exitCode: 0, err: '' })
    expect((await runHere(['--help'])).out).toContain(describeExitCodes())
  })
})
