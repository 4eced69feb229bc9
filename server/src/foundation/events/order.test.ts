import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { loneWaker } from '../../adapters/wake/waker.js'
import { foldDeeds, foldStep } from '../../features/deeds/fold.js'
import { startOrderer } from './order.js'
import { type EventRow, listEvents } from './rows.js'

const server = await startServer()
const { db, events, orderer } = server.deps
afterAll(() => server.stop())

const { ann } = await server.seed.agents('ann')
const event = (name: string) => ({ type: 'agent.updated' as const, agentId: ann.id, data: { name } })
const names = (rows: readonly EventRow[]) => rows.map((row) => row.data.name)

async function settle(): Promise<number> {
  await orderer.settle()
  return Number((await db.one<{ last_id: bigint }>(sql`select last_id from event_log`)).last_id)
}

describe('the order of events', () => {
  test('is without gaps and follows the order in which one transaction wrote', async () => {
    const before = await settle()
    await db.transaction((db) => events.append(db, ['a', 'b', 'c'].map(event)))
    await db
      .transaction((db) => events.append(db, [event('lost')]).then(() => Promise.reject(new Error('no'))))
      .catch(() => {})
    await db.transaction((db) => events.append(db, [event('d')]))
    await settle()
    const rows = await listEvents(db, before, 10)
    expect(rows.map(({ id }) => id - before)).toEqual([1, 2, 3, 4])
    expect(names(rows)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('stays the same when several processes order at once', async () => {
    const before = await settle()
    for (let index = 0; index < 40; index++)
      await db.run(sql`
      insert into event_draft (type, topic, at, agent_id, data)
      values ('agent.updated', 'agent', now(), ${ann.id}, ${JSON.stringify({ name: String(index) })})`)
    await Promise.all(Array.from({ length: 5 }, () => foldDeeds(server.deps, 10)))
    await settle()
    const rows = await listEvents(db, before, 100)
    expect(rows.map(({ id }) => id - before)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(names(rows)).toEqual(Array.from({ length: 40 }, (_, index) => String(index)))
  })

  test('includes what a process committed just before it died', async () => {
    const before = await settle()
    await db.run(sql`
      insert into event_draft (type, topic, at, agent_id, data)
      values ('agent.updated', 'agent', now(), ${ann.id}, '{"name": "left behind"}')`)
    const next = startOrderer({
      db,
      events,
      waker: loneWaker,
      step: foldStep(server.clock),
      onError: (error) => expect.fail(error.message),
    })
    await new Promise<void>((resolve) => next.onOrdered(resolve))
    await next.close()
    expect(names(await listEvents(db, before, 10))).toEqual(['left behind'])
  })

  test('goes on at once after a full set', async () => {
    const left = [2, 2, 1]
    const run = async () => left.shift() ?? 0
    const onError = (error: Error) => expect.fail(error.message)
    const next = startOrderer({ db, events, waker: loneWaker, onError, step: { waiting: sql`true`, atOnce: 2, run } })
    await next.settle()
    await next.close()
    expect(left).toEqual([])
  })
})
