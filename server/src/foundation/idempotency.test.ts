import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refused } from '../../test/refusal.js'
import { startServer } from '../../test/start-server.js'
import { type Attempt, createIdempotency, type Idempotency } from './idempotency.js'
import { createSecrets } from './secrets.js'

const server = await startServer()
afterAll(() => server.stop())

const DAY_MS = 24 * 60 * 60_000

async function post(key: string, body: object, apiKey?: string) {
  const response = await fetch(`${server.url}/local/x/posts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, ...(apiKey && { 'X-API-Key': apiKey }) },
    body: JSON.stringify(body),
  })
  return { status: response.status, replayed: response.headers.get('idempotent-replayed'), body: await response.json() }
}

const countPosts = async (handle: string) => (await server.client().listLocalPosts({ handle })).meta.total

describe('Idempotency-Key', () => {
  test('replays the stored answer for 24 hours', async () => {
    const key = randomUUID()
    const first = await post(key, { handle: 'once', text: 'hello' })
    const again = await post(key, { handle: 'once', text: 'hello' })
    expect(again).toEqual({ status: 201, replayed: 'true', body: first.body })
    expect(await countPosts('once')).toBe(1)
    server.clock.advance(DAY_MS + 1000)
    expect((await post(key, { handle: 'once', text: 'hello' })).replayed).toBeNull()
    expect(await countPosts('once')).toBe(2)
  })

  test('with another body is 409', async () => {
    const key = randomUUID()
    await post(key, { handle: 'twice', text: 'one' })
    const other = await post(key, { handle: 'twice', text: 'two' })
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
  })

  test('replays refusals too, but not a malformed request', async () => {
    const { alice } = await server.seed.agents('alice')
    const follow = async (id: string, key: string) => {
      const headers = { 'X-API-Key': alice.apiKey, 'Idempotency-Key': key }
      const response = await fetch(`${server.url}/v1/agents/${id}/follow`, { method: 'POST', headers })
      return [response.status, response.headers.get('idempotent-replayed')]
    }
    const key = randomUUID()
    expect(await follow('nobody', key)).toEqual([404, null])
    expect(await follow('nobody', key)).toEqual([404, 'true'])
    expect(await follow('me', 'bad key')).toEqual([400, null])
  })

  test('runs one of many parallel requests', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, { handle: 'parallel', text: 'x' })))
    expect(await countPosts('parallel')).toBe(1)
    for (const { status, body } of answers) if (status !== 201) expect(body.code).toBe('IDEMPOTENCY_IN_PROGRESS')
    expect((await post(key, { handle: 'parallel', text: 'x' })).replayed).toBe('true')
  })

  test('belongs to the caller: another caller with the same key gets a fresh answer', async () => {
    const { bob, carol } = await server.seed.agents('bob', 'carol')
    const keys = { 'Idempotency-Key': 'same-key' }
    const bio = (apiKey: string) =>
      fetch(`${server.url}/v1/agents/me/bio`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, ...keys },
        body: '{"bio":"same"}',
      }).then((response) => response.json())
    expect([(await bio(bob.apiKey)).username, (await bio(carol.apiKey)).username]).toEqual(['bob', 'carol'])
  })

  test('lets a request run again after its first attempt died with its process', async () => {
    const key = randomUUID()
    await post(key, { handle: 'crashed', text: 'x' })
    await server.deps.database.pool.query('update idempotent_answer set status = null, body = null')
    expect((await post(key, { handle: 'crashed', text: 'x' })).body.code).toBe('IDEMPOTENCY_IN_PROGRESS')
    server.clock.advance(61_000)
    expect((await post(key, { handle: 'crashed', text: 'x' })).status).toBe(201)
  })

  test('does not repeat a request that took effect but whose answer was lost', async () => {
    const { dora } = await server.seed.agents('dora')
    const { pool } = server.deps.database
    const forget = () => pool.query('update idempotent_answer set status = null, body = null')
    const tweet = (content: string, idempotencyKey: string) => dora.client.createTweet({ content }, { idempotencyKey })
    await tweet('first', 'key-of-first')
    await tweet('second', 'key-of-second')
    await forget()
    // As if the process had died before the second was committed.
    await pool.query('alter table audit_entry disable trigger user')
    const { rowCount } = await pool.query(
      'delete from audit_entry where id = (select id from audit_entry where agent_id = $1 order by id desc limit 1)',
      [dora.id],
    )
    expect(rowCount).toBe(1)
    expect(await refused(tweet('first', 'key-of-first'))).toBe('409 IDEMPOTENCY_IN_PROGRESS')
    server.clock.advance(61_000)
    expect(await refused(tweet('first', 'key-of-first'))).toBe('409 IDEMPOTENCY_ANSWER_LOST')
    const ended = await Promise.all([1, 2, 3].map(() => outcome(tweet('second', 'key-of-second'))))
    // One that comes after it has ended gets its answer.
    expect(ended).toContain('done')
    for (const end of ended) expect(['done', '409 IDEMPOTENCY_IN_PROGRESS']).toContain(end)
    const { rows } = await pool.query(`select id from tweet where agent_id = $1 and content = 'second'`, [dora.id])
    expect(rows).toHaveLength(2)
  })

  test('whose answer was sealed by a dropped secret is refused alone, and not with those that come at the same time', async () => {
    const attempt = (key: string) => ({ scope: 'test', key, request: 'x', requestId: key, action: 'test' })
    const [lost, ...others] = ['lost', 'one', 'two', 'three'].map(attempt) as [Attempt, ...Attempt[]]
    const [first, second] = ['1', '2'].map((digit) => digit.repeat(32)) as [string, string]
    const [before, after] = [[first], [second]].map((list) =>
      createIdempotency({ ...server.deps, secrets: createSecrets(first, list) }),
    ) as [Idempotency, Idempotency]
    await before.begin(lost)
    await before.finish(lost, { status: 201, body: 'said' })
    const codes = await Promise.all([lost, ...others].map((one) => after.begin(one).catch(({ code }) => code)))
    expect(codes).toEqual(['IDEMPOTENCY_ANSWER_LOST', undefined, undefined, undefined])
  })

  test('stores answers so that the database alone is not enough to read them', async () => {
    await post(randomUUID(), { handle: 'sealed', text: 'a very telling text' })
    const { rows } = await server.deps.database.pool.query('select body from idempotent_answer where body is not null')
    expect(rows.length).toBeGreaterThan(0)
    expect(Buffer.concat(rows.map((row) => row.body)).includes('telling')).toBe(false)
  })

  test('is deleted by the daily clean-up', async () => {
    await post(randomUUID(), { handle: 'old', text: 'x' })
    server.clock.advance(DAY_MS + 1000)
    await server.deps.queue.enqueue(server.deps.db, 'delete_expired', {}, { dedupeKey: 'delete_expired' })
    await server.drain()
    const { rows } = await server.deps.database.pool.query('select count(*)::int as left from idempotent_answer')
    expect(rows[0].left).toBe(0)
  })
})
