import { connect } from 'node:net'
import { type Endpoint, endpointList } from '@rookery/api'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../test/seed.js'
import { startServer } from '../../test/start-server.js'
import { createApp } from '../app.js'
import { openPlatform } from '../features/platform/open.js'
import { makeApiKey } from '../foundation/callers/api-key.js'
import { createMetrics, type Metrics } from '../foundation/metrics.js'

// Two ways to the same answers: plain requests of hot endpoints pass by the framework, and everything else goes through it.
const server = await startServer({
  env: {
    RATE_LIMIT_READS: '5000',
    RATE_LIMIT_SEARCHES: '5000',
    SHARED_ANSWERS_MS: '1000',
    TRUST_PROXY: '1',
    WEB_ORIGINS: 'https://rookery.example',
    ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
  },
})

interface Way {
  readonly app: FastifyInstance
  readonly port: number
  readonly metrics: Metrics
  readonly logged: string[]
  /** How many requests the framework got. */
  framework: number
}

async function openWay(isThin: boolean, deps = server.deps): Promise<Way> {
  const metrics = createMetrics()
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const app = await createApp({ ...deps, metrics, log }, server.features, {
    isThin,
    platform: openPlatform({ ...deps, metrics }, server.features.hub, 0),
  })
  const way: Way = { app, metrics, logged, port: 0, framework: 0 }
  app.addHook('onRequest', async () => {
    way.framework++
  })
  const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  return Object.assign(way, { port: Number(url.port) })
}

const thin = await openWay(true)
const whole = await openWay(false)
afterAll(async () => {
  await thin.app.close()
  await whole.app.close()
  await server.stop()
})

const hot = endpointList.flatMap(({ name, endpoint }) => ((endpoint as Endpoint).hot ? [{ name, endpoint }] : []))

let reader: SeededAgent
let author: SeededAgent
const paths = new Map<string, string>()
const keys = new Map<string, Record<string, string>>()

beforeAll(async () => {
  ;({ author, reader } = await server.seed.agents('author', 'reader'))
  const { id } = await author.client.createTweet({ content: 'read by many' })
  // Until search is ready.
  await server.drain()
  const hidden = await author.client.createTweet({ content: 'for holders', visibility: 'private' })
  paths.set('listTweets', '/v1/tweets?mode=new')
  paths.set('getTweet', `/v1/tweets/${id}`)
  paths.set('getMe', '/v1/agents/me')
  paths.set('searchTweets', '/v1/tweets/search?q=read+by+many')
  paths.set('likeTweet', `POST /v1/tweets/${id}/like`)
  paths.set('followAgent', `POST /v1/agents/${author.id}/follow`)
  paths.set('a follow by name', 'POST /v1/agents/author/follow')
  paths.set('a like of a private tweet', `POST /v1/tweets/${hidden.id}/like`)
  paths.set('a like of no tweet', `POST /v1/tweets/${author.id}/like`)
  paths.set('a like with a parameter', `POST /v1/tweets/${id}/like?colour=red`)
  paths.set('an id in capitals', `POST /v1/agents/${author.id.toUpperCase()}/follow`)
  paths.set('a like that is read', `/v1/tweets/${id}/like`)
  paths.set('a trending page', '/v1/tweets?limit=5')
  paths.set('an empty parameter', '/v1/tweets?mode=new&cursor=')
  paths.set('chosen members', `/v1/tweets/${id}?fields=content`)
  paths.set('an unknown parameter', '/v1/tweets?colour=red')
  paths.set('a near miss', '/v1/tweets?limt=3')
  paths.set('a bad value', '/v1/tweets?limit=0')
  paths.set('words', '/v1/tweets?search=many')
  paths.set('a private tweet', `/v1/tweets/${hidden.id}`)
  paths.set('no tweet', `/v1/tweets/${author.id}`)
  paths.set('an address that is none', '/v1/tweets/%zz')
  paths.set('a key in the query', `/v1/tweets?api_key=${reader.apiKey}`)
  keys.set('anyone', {})
  keys.set('an agent', { 'X-API-Key': reader.apiKey })
  keys.set('the author', { 'X-API-Key': author.apiKey })
  keys.set('a wrong key', { 'X-API-Key': 'sk_wrong' })
  keys.set('an empty key', { 'X-API-Key': '' })
  keys.set('a bad token', { Authorization: 'Bearer none' })
  keys.set('a key as a token', { Authorization: `Bearer ${reader.apiKey}` })
  keys.set('a key elsewhere', { 'Api-Key': reader.apiKey })
})

interface Variant {
  readonly method?: string
  readonly version?: string
  readonly body?: string
}

const VARIANTS: Readonly<Record<string, Variant & { headers?: Record<string, string> }>> = {
  'a plain request': {},
  'a named request': { headers: { 'X-Request-Id': 'from-my-proxy_1' } },
  'a page of a known origin': { headers: { Origin: 'https://rookery.example' } },
  'a page of another origin': { headers: { Origin: 'https://elsewhere.example' } },
  'another host': { headers: { Host: 'elsewhere.example' } },
  'behind a proxy': { headers: { 'X-Forwarded-For': '203.0.113.7' } },
  'behind two proxies': { headers: { 'X-Forwarded-For': '198.51.100.1, 203.0.113.8' } },
  'an odd proxy': { headers: { 'X-Forwarded-For': 'unknown,, 203.0.113.9' } },
  'a browser': { headers: { Accept: 'text/html', Cookie: 'a=b', 'If-None-Match': '*', 'Accept-Encoding': 'gzip' } },
  'an old client': { version: '1.0' },
  'a last request': { headers: { Connection: 'close' } },
  'no body': { headers: { 'Content-Length': '0', 'Content-Type': 'application/json' } },
  'no text': { headers: { 'Content-Length': '0', 'Content-Type': 'text/plain' } },
  'a body': { headers: { 'Content-Length': '2', 'Content-Type': 'application/json' }, body: '{}' },
  'an unknown body': { headers: { 'Content-Length': '7', 'Content-Type': 'application/json' }, body: '{"a":1}' },
  'a key to repeat it by': { headers: { 'Idempotency-Key': 'hot-0001' } },
  'an expectation': { headers: { Expect: 'something' } },
  HEAD: { method: 'HEAD' },
  OPTIONS: { method: 'OPTIONS' },
  PATCH: { method: 'PATCH' },
}

interface Answer {
  readonly head: string
  readonly body: string
}

/** Sends a request on a connection of its own, byte by byte as it is written here, and reads the answer to its end. */
function ask(
  port: number,
  call: string,
  headers: Record<string, string>,
  { method: other, version = '1.1', body = '' }: Variant = {},
): Promise<Answer> {
  const [path = '', written = 'GET'] = call.split(' ').reverse()
  const method = other ?? written
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const lines = Object.entries({ Host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
    let text = ''
    const finish = () => {
      socket.destroy()
      const end = text.indexOf('\r\n\r\n')
      resolve({ head: text.slice(0, end), body: text.slice(end + 4) })
    }
    socket.setEncoding('utf8').on('error', reject).on('close', finish)
    socket.on('data', (part: string) => {
      text += part
      const end = text.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(text.slice(0, end))?.[1]
      if (end === -1) return
      if (method === 'HEAD' || Buffer.byteLength(text.slice(end + 4)) >= Number(length ?? 0)) finish()
    })
    socket.write(`${method} ${path} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}

// Of each request, and of the moment.
const OWN = [
  [/^(x-request-id: )[0-9a-f-]{36}$/gim, '$1'],
  [/("requestId":")[0-9a-f-]{36}/g, '$1'],
  [/("last(?:Ping|Seen)At":")[^"]*/g, '$1'],
  [/^(date: ).*$/gim, '$1'],
  [/^(x-ratelimit-remaining: ).*$/gim, '$1'],
  [/^idempotent-replayed: true\n/gim, ''],
  [/^(x-ratelimit-reset: ).*$/gim, '$1'],
  [/^(ratelimit: "\w+";r=)\d+;t=\d+$/gim, '$1'],
] as const

function common({ head, body }: Answer): Answer {
  const without = (text: string) =>
    OWN.reduce((text, [pattern, kept]) => text.replace(pattern, kept), text.replaceAll('\r', ''))
  return { head: without(head), body: without(body) }
}

/** What was logged about requests since `from`, without what is of each. */
function linesOf({ logged }: Way, from = 0): string[] {
  const lines = logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  return lines
    .slice(from)
    .map(({ requestId, ms, time, ...line }) => JSON.stringify([line, typeof requestId, typeof ms, typeof time]))
    .sort()
}

describe('both ways answer and log alike', () => {
  test.each(Object.keys(VARIANTS))('%s', async (variant) => {
    const { headers = {}, ...rest } = VARIANTS[variant] ?? {}
    // A plain request of everybody for everything; of the others those that would be answered on the thin way.
    const isPlain = variant === 'a plain request'
    const kinds = [...keys].filter(([kind]) => isPlain || kind === 'anyone' || kind === 'an agent')
    const asked = [...paths].filter(([what]) => isPlain || hot.some(({ name }) => name === what))
    const before = [thin, whole].map((way) => linesOf(way).length)
    for (const [kind, credential] of kinds)
      for (const [what, path] of asked) {
        const send = async (way: Way) => common(await ask(way.port, path, { ...credential, ...headers }, rest))
        const [first, again, by] = [await send(thin), await send(thin), await send(whole)]
        expect({ what, kind, ...again }).toEqual({ what, kind, ...by })
        expect({ what, kind, ...first }).toEqual({ what, kind, ...by })
      }
    const lines = () => [thin, whole].map((way, index) => linesOf(way, before[index]))
    // What the router cannot read is answered before anything is logged.
    const logged = kinds.length * asked.filter(([what]) => what !== 'an address that is none').length
    await expect.poll(() => lines().map(({ length }) => length), { timeout: 20_000 }).toEqual([2 * logged, logged])
    const [ofThin, ofWhole = []] = lines()
    expect(ofThin).toEqual(ofWhole.flatMap((line) => [line, line]))
  })
})

describe('a plain request', () => {
  test.each(hot)('of $name passes by the framework when one like it was answered', async ({ name, endpoint }) => {
    const path = paths.get(name) ?? ''
    for (const kind of ['anyone', 'an agent'] as const) {
      if (endpoint.auth === 'agent' && kind === 'anyone') continue
      await ask(thin.port, path, keys.get(kind) ?? {})
      const before = thin.framework
      await ask(thin.port, path, keys.get(kind) ?? {})
      expect([kind, thin.framework - before]).toEqual([kind, 0])
    }
  })

  test('of an agent whose key is not kept passes by as well; of nobody it goes to the framework', async () => {
    await ask(thin.port, '/v1/agents/me', keys.get('an agent') ?? {})
    const before = thin.framework
    await server.deps.identities.forget(reader.id)
    const answers = await Promise.all([1, 2, 3].map(() => ask(thin.port, '/v1/agents/me', keys.get('an agent') ?? {})))
    expect(answers.map(({ head }) => head.slice(0, 12))).toEqual(Array(3).fill('HTTP/1.1 200'))
    expect(thin.framework).toBe(before)
    const unknown = await ask(thin.port, '/v1/agents/me', { 'X-API-Key': makeApiKey() })
    expect(unknown.head).toMatch(/^HTTP\/1.1 401/)
    expect(thin.framework).toBe(before + 1)
  })

  test('is counted once in the metrics, whichever way it goes', async () => {
    const counted = async ({ metrics }: Way) => {
      const text = await metrics.registry.metrics()
      const line = /^http_request_duration_seconds_count\{method="GET",route="\/v1\/tweets\/:id",status="200"\} (\d+)$/m
      return Number(line.exec(text)?.[1])
    }
    const path = paths.get('getTweet') ?? ''
    for (const way of [thin, whole]) {
      await ask(way.port, path, {})
      await expect.poll(() => counted(way), { timeout: 20_000 }).toBeGreaterThan(0)
      const before = await counted(way)
      await ask(way.port, path, {})
      await expect.poll(() => counted(way), { timeout: 20_000 }).toBe(before + 1)
    }
  })
})

describe('a call that fails on the thin way', () => {
  test('is answered, counted and noted once, by the framework', async () => {
    const { visitor } = await server.seed.agents('visitor')
    const { id } = await author.client.createTweet({ content: 'soon gone' })
    const path = `/v1/tweets/${id}`
    const headers = { 'X-API-Key': visitor.apiKey }
    await ask(thin.port, path, headers)
    await author.client.deleteTweet({ id })
    const left = (answer: Answer) => Number(/^x-ratelimit-remaining: (\d+)/im.exec(answer.head)?.[1])
    const before = left(await ask(thin.port, paths.get('getTweet') ?? '', headers))
    const gone = await ask(thin.port, path, { ...headers, 'X-Request-Id': 'gone-0001' })
    expect(gone.head).toMatch(/^HTTP\/1.1 404/)
    expect(gone.body).toContain('"requestId":"gone-0001"')
    expect(left(gone)).toBe(before - 1)
    await expect
      .poll(() => thin.logged.filter((line) => line.includes('gone-0001')), { timeout: 20_000 })
      .toHaveLength(1)
    await server.deps.refusals.flush()
    const { rows } = await server.deps.database.pool.query(
      `select count(*)::integer from refused_call where request_id = 'gone-0001'`,
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  test('is recorded once if it writes, whatever becomes of it', async () => {
    const { seed, url, deps, stop } = await startServer()
    const { poet, fan } = await seed.agents('poet', 'fan')
    const owner = (await seed.login('fan')).client
    const query = (text: string, values: unknown[]) => deps.database.pool.query(text, values)
    let asked = 0
    const like = async () => {
      const { id } = await poet.client.createTweet({ content: `one more, number ${++asked}` })
      const requestId = `liked-${1_000 + asked}`
      const headers = { 'X-API-Key': fan.apiKey, 'X-Request-Id': requestId }
      const { status } = await fetch(`${url}/v1/tweets/${id}/like`, { method: 'POST', headers })
      return { status, requestId }
    }
    const entriesOf = async (requestId: string) =>
      (
        await query(`select concat(outcome, ' ', code) as entry from audit_entry where request_id = $1`, [requestId])
      ).rows.map(({ entry }) => entry)
    const expectOf = async (status: number, entries: string[]) => {
      const done = await like()
      expect(done.status).toBe(status)
      await expect.poll(() => entriesOf(done.requestId), { timeout: 20_000 }).toEqual(entries)
    }
    await expectOf(200, ['done '])
    await expectOf(200, ['done '])
    await owner.updateControls({ id: 'fan', allowedActions: ['follow'] })
    await expectOf(403, ['refused ACTION_NOT_ALLOWED'])
    await owner.updateControls({ id: 'fan', allowedActions: null })
    await owner.freezeAgent({ id: 'fan' })
    await expectOf(403, ['refused AGENT_FROZEN'])
    await owner.unfreezeAgent({ id: 'fan' })
    await poet.client.blockAgent({ id: fan.id })
    await expectOf(403, [])
    await poet.client.unblockAgent({ id: fan.id })
    await expectOf(200, ['done '])
    expect((await query('select count(*)::integer from tweet_like where agent_id = $1', [fan.id])).rows).toEqual([
      { count: 3 },
    ])
    await stop()
  })

  test('is refused when the allowance of a day is used up, as by the framework', async () => {
    const { busy, eager } = await server.seed.agents('busy', 'eager')
    const config = { ...server.deps.config, RATE_LIMIT_DAILY_LIKES: 2 }
    const ways = await Promise.all([true, false].map((isThin) => openWay(isThin, { ...server.deps, config })))
    const each = []
    for (const [index, way] of ways.entries()) {
      const headers = { 'X-API-Key': [busy, eager][index]?.apiKey ?? '' }
      const all: Answer[] = []
      for (let n = 0; n < 4; n++) all.push(common(await ask(way.port, paths.get('likeTweet') ?? '', headers)))
      each.push(all.map(({ head, body }) => ({ head, body: body.replace(/"likesCount":\d+/, '') })))
      await way.app.close()
    }
    expect(each[0]).toEqual(each[1])
    expect(each[0]?.map(({ head }) => head.slice(9, 12))).toEqual(['200', '200', '429', '429'])
  })

  test('is refused when its allowance is used up, as by the framework', async () => {
    const config = { ...server.deps.config, RATE_LIMIT_READS: 3 }
    const ways = await Promise.all([true, false].map((isThin) => openWay(isThin, { ...server.deps, config })))
    const each = []
    for (const [index, way] of ways.entries()) {
      const headers = { 'X-Forwarded-For': `203.0.113.${50 + index}` }
      const all: Answer[] = []
      for (let n = 0; n < 5; n++) all.push(await ask(way.port, '/v1/tweets', headers))
      each.push(
        all.map(({ head, body }) => ({
          left: /^x-ratelimit-remaining: (\d+)/im.exec(head)?.[1],
          ...common({ head, body }),
        })),
      )
    }
    expect(each[0]).toEqual(each[1])
    expect(each[0]?.map(({ left, head }) => `${head.slice(9, 12)} ${left}`)).toEqual([
      '200 2',
      '200 1',
      '200 0',
      '429 0',
      '429 0',
    ])
    for (const { app } of ways) await app.close()
  })

  test('is refused after the key was revoked', async () => {
    const { leaver } = await server.seed.agents('leaver')
    const headers = { 'X-API-Key': leaver.apiKey }
    await ask(thin.port, '/v1/agents/me', headers)
    const before = thin.framework
    expect((await ask(thin.port, '/v1/agents/me', headers)).head).toMatch(/^HTTP\/1.1 200/)
    expect(thin.framework).toBe(before)
    await leaver.client.regenerateKey()
    expect((await ask(thin.port, '/v1/agents/me', headers)).head).toMatch(/^HTTP\/1.1 401/)
  })
})

test('what drains says so on both ways', async () => {
  let isDraining = false
  const draining = { isDraining: () => isDraining, begin: () => {} }
  const ways = await Promise.all([true, false].map((isThin) => openWay(isThin, { ...server.deps, draining })))
  for (const way of ways) await ask(way.port, '/v1/tweets', {})
  isDraining = true
  const each = await Promise.all(ways.map(async ({ port }) => common(await ask(port, '/v1/tweets', {}))))
  expect(each[0]).toEqual(each[1])
  expect(each[0]?.head).toMatch(/^connection: close$/im)
  for (const { app } of ways) await app.close()
})
