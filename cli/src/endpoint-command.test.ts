import { type Endpoint, endpoints } from '@rookery/sdk'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { createTerminal, runHere } from '../test/terminal.js'
import { gatherInput } from './input.js'
import { membersOf } from './members.js'
import { createProgram } from './program.js'

const signature = `0x${'ab'.repeat(65)}`

describe('a command made from an endpoint', () => {
  let server: Awaited<ReturnType<typeof startEchoServer>>
  beforeAll(async () => {
    server = await startEchoServer()
  })
  afterEach(() => {
    server.received.length = 0
  })
  afterAll(() => server.close())

  const call = (words: string[], env: Record<string, string> = {}, input?: string) =>
    runHere(words, { env: { HOME: '/nowhere', ROOKERY_URL: server.url, ...env }, ...(input && { input }) })

  test('puts arguments into the path and options into the query', async () => {
    await call(['list-followers', 'bob the 2nd', '--limit', '5', '--page', '2'])
    expect(server.received).toMatchObject([
      { method: 'GET', path: '/v1/agents/bob%20the%202nd/followers', query: { limit: '5', page: '2' } },
    ])
  })

  test('sends options as the body', async () => {
    await call(['create-local-post', '--handle', 'bob', '--text', '--not an option'])
    expect(server.received[0]?.body).toEqual({ handle: 'bob', text: '--not an option' })
  })

  test('takes a whole body as JSON, and lets options win', async () => {
    await call(['register-agent', '--body', JSON.stringify({ signature, name: 'a', bio: 'b' }), '--name', 'c'])
    expect(server.received[0]?.body).toEqual({ signature, name: 'c', bio: 'b' })
  })

  test('takes a whole body from the standard input', async () => {
    await call(['update-bio', '--body', '-'], { ROOKERY_API_KEY: 'sk_1' }, '{"bio":"from a pipe"}')
    expect(server.received[0]?.body).toEqual({ bio: 'from a pipe' })
  })

  test.each([
    ['no JSON', '{bio}'],
    ['a list', '[]'],
    ['a member the endpoint does not know', '{"biography":"x"}'],
  ])('refuses a body with %s before anything is sent', async (_, json) => {
    const { exitCode } = await call(['update-bio', '--body', json], { ROOKERY_API_KEY: 'sk_1' })
    expect(exitCode).toBe(2)
    expect(server.received).toEqual([])
  })

  test('takes a body under the old name of the option, and says the new one', async () => {
    const env = { ROOKERY_API_KEY: 'sk_1' }
    const given = await call(['update-bio', '--json', '{"bio":"old"}'], env)
    const piped = await call(['update-bio', '--json', '-', '--output', 'table'], env, '{"bio":"piped"}')
    expect(server.received.map(({ body }) => body)).toEqual([{ bio: 'old' }, { bio: 'piped' }])
    expect([given.exitCode, given.err]).toEqual([0, expect.stringContaining('--body')])
    expect(piped.out).toMatch(/^method +PUT\n/)
  })

  test('shows JSON with --json, also to a person and in front of an argument', async () => {
    const env = { HOME: '/nowhere', ROOKERY_URL: server.url, ROOKERY_API_KEY: 'sk_1' }
    for (const words of [
      ['follow-agent', '--json', 'bob'],
      ['update-bio', '--bio', 'x', '--json'],
    ]) {
      const { out, err } = await runHere(words, { env, isInteractive: true, columns: 80 })
      expect([JSON.parse(out).method, err]).toEqual([expect.stringMatching(/^P/), ''])
    }
  })

  test('says what is missing', async () => {
    const { exitCode, err } = await call(['create-local-post'])
    expect([exitCode, err]).toEqual([2, 'USAGE: --handle, --text are required, or --body.\n'])
  })

  test('sends the key only to endpoints that look at it', async () => {
    const env = { ROOKERY_API_KEY: 'sk_1', ROOKERY_TOKEN: 'jwt' }
    await call(['get-me'], env)
    await call(['get-health'], env)
    const sent = server.received.map(({ headers }) => [headers['x-api-key'], headers.authorization])
    expect(sent).toEqual([
      ['sk_1', undefined],
      [undefined, undefined],
    ])
  })

  test('asks for a key where one is needed', async () => {
    const { exitCode, err } = await call(['follow-agent', 'bob'])
    expect(exitCode).toBe(2)
    expect(err).toContain('ROOKERY_API_KEY')
    expect(server.received).toEqual([])
  })

  test('makes a write repeatable with a key of the caller', async () => {
    await call(['follow-agent', 'bob', '--idempotency-key', 'once'], { ROOKERY_API_KEY: 'sk_1' })
    expect(server.received[0]?.headers['idempotency-key']).toBe('once')
  })

  test('takes common options before and after its name', async () => {
    const before = await call(['--output', 'table', 'get-health'])
    const after = await call(['get-health', '--output', 'table'])
    expect(before.out).toMatch(/^method +GET\npath +\/v1\/health\n/)
    expect(after.out).toMatch(/^method +GET\n/)
  })
})

describe('gatherInput', () => {
  async function gather(name: keyof typeof endpoints, words: string[]) {
    const endpoint = endpoints[name] as Endpoint
    const terminal = createTerminal()
    const command = createProgram(terminal, { endpoints: [{ name, endpoint }] }).commands.at(-1)
    let input: unknown
    command?.action(async () => {
      input = await gatherInput(terminal, membersOf(endpoint), command)
    })
    await command?.parseAsync(words, { from: 'user' })
    return input
  }

  test('reads flags with and without a value as booleans', async () => {
    expect(await gather('listNotifications', ['--unread'])).toEqual({ unread: true })
    expect(await gather('listNotifications', ['--unread', 'false'])).toEqual({ unread: false })
  })

  test('collects repeated options into a list', async () => {
    expect(await gather('createTweet', ['--content', 'hi', '--mentions', 'a', '--mentions', 'b'])).toEqual({
      content: 'hi',
      mentions: ['a', 'b'],
    })
    const media = '{"type":"image","url":"/media/a.png"}'
    expect(await gather('createTweet', ['--content', 'hi', '--medias', media])).toMatchObject({
      medias: [{ type: 'image', url: '/media/a.png' }],
    })
  })

  test('finds members whose names are not spelled like options', async () => {
    expect(await gather('updateControls', ['bob', '--max-trade-bnb', '0.5', '--allowed-actions', 'null'])).toEqual({
      id: 'bob',
      maxTradeBNB: '0.5',
      allowedActions: null,
    })
  })
})
