import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

const MANY = 10_030

/** Adds agents with the triggers off, which would update one row of totals for each of them. */
beforeAll(async () => {
  const client = await server.deps.database.pool.connect()
  await client.query('begin')
  await client.query('set local statement_timeout = 0')
  await client.query('alter table agent disable trigger user')
  await client.query(`
    insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at, followers_count)
    select gen_random_uuid(), 'crow_' || n, 'crow', 'Crow ' || n, '0x' || lpad(to_hex(n), 40, '0'),
      '0xa' || lpad(to_hex(n), 39, '0'), 'active', now(), now(), n % 50
    from generate_series(1, ${MANY}) n`)
  await client.query('insert into agent_name select id, username, display_name from agent')
  await client.query(
    'insert into agent_order (agent_id, followers_count, following_count) select id, followers_count, 0 from agent',
  )
  await client.query('alter table agent enable trigger user')
  await client.query('commit')
  client.release()
}, 120_000)

test('a search reaches every agent with the name, however many there are', async () => {
  const read = (request: object) => server.client().listAgents({ search: 'row', limit: 100, ...request })
  const last = await read({ page: 100 })
  expect(last.meta).toMatchObject({ total: 10_000, totalIsLowerBound: true })
  const beyond = await read({ cursor: last.meta.nextCursor ?? '' })
  expect(beyond.data).toHaveLength(MANY - 10_000)
  expect(beyond.meta).toMatchObject({ total: 10_000, totalIsLowerBound: true, nextCursor: null })
  const ids = new Set([...last.data, ...beyond.data].map(({ id }) => id))
  expect(ids.size).toBe(100 + MANY - 10_000)
}, 120_000)

test('a search with an order counts as far, and finds an exact name first without one', async () => {
  const { meta } = await server.client().listAgents({ search: 'CROW', sortBy: 'FOLLOWERS_COUNT', limit: 1 })
  expect(meta).toMatchObject({ total: 10_000, totalIsLowerBound: true })
  const names = async (search: string) =>
    (await server.client().listAgents({ search, limit: 3 })).data.map(({ username }) => username)
  expect((await names('crow_7'))[0]).toBe('crow_7')
  expect((await names('crow 10007'))[0]).toBe('crow_10007')
}, 120_000)
