import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { getExtent, listEvents } from './rows.js'

const server = await startServer()
afterAll(() => server.stop())

test('an event whose transaction commits late is not skipped and holds up no reader', async () => {
  const { db, database, events, orderer } = server.deps
  const { ann } = await server.seed.agents('ann')
  await orderer.settle()
  const { lastId: before } = await getExtent(db)
  const names = async () => (await listEvents(db, before, 10)).map((row) => row.data.name)
  const listener = await server.listen(server.client(), ['agent:ann'])
  const late = await database.pool.connect()
  const unrelated = await database.pool.connect()
  await unrelated.query("begin; insert into setting (name, value) values ('unrelated', '')")
  await late.query('begin')
  await late.query(
    `insert into event_draft (type, topic, at, agent_id, data) values ('agent.updated', 'agent', now(), $1, '{"name": "late"}')`,
    [ann.id],
  )
  // The late draft has the smaller number, but commits after this one.
  await db.transaction((db) => events.append(db, [{ type: 'agent.updated', agentId: ann.id, data: { name: 'early' } }]))
  const [early] = await listener.take(1)
  expect(await names()).toEqual(['early'])
  await late.query('commit')
  const [last] = await listener.take(1)
  expect(await names()).toEqual(['early', 'late'])
  expect(Number(last?.id)).toBe(Number(early?.id) + 1)
  await unrelated.query('rollback')
  for (const client of [late, unrelated]) client.release()
  await listener.stop()
})
