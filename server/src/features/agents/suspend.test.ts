import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import { refused } from '../../../test/refusal.js'
import { countRowsRead } from '../../../test/rows-read.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { listAgents, listLaunches, listTrending } from './queries.js'
import { suspendAgent, unsuspendAgent } from './suspend.js'

const server = await startServer()
afterAll(() => server.stop())

test('a suspended agent can read but not write, from the next request until the suspension is lifted', async () => {
  const { ann } = await server.seed.agents('ann')
  const tweet = () => ann.client.createTweet({ content: 'hello' })
  await tweet()
  expect((await suspendAgent(server.deps, 'ann')).status).toBe('suspended')
  expect(await refused(tweet())).toBe('403 AGENT_SUSPENDED')
  expect((await ann.client.getMe()).status).toBe('suspended')
  await suspendAgent(server.deps, 'ann')
  expect((await unsuspendAgent(server.deps, 'ann')).status).toBe('active')
  await tweet()
  const { data } = await (await server.seed.login('ann')).client.listAuditEntries({ id: 'ann', actor: 'operator' })
  expect(data.map(({ action }) => action)).toEqual(['unsuspendAgent', 'suspendAgent'])
})

test('lifting a suspension does not verify an agent', async () => {
  const { ben } = await server.seed.pending('ben')
  await suspendAgent(server.deps, ben.id)
  expect((await unsuspendAgent(server.deps, ben.id)).status).toBe('pending')
  expect((await unsuspendAgent(server.deps, ben.id)).status).toBe('pending')
})

test('totals of agents follow their status, without a count for each page', async () => {
  const { database, db } = server.deps
  const anyone = server.client()
  const totals = async () => [
    (await anyone.listAgents({ limit: 1 })).meta.total,
    (await anyone.listTrendingAgents({ limit: 1 })).meta.total,
  ]
  const [all = 0, active = 0] = await totals()
  await server.seed.pending('dan')
  await server.seed.agents('eve', 'fay')
  expect(await totals()).toEqual([all + 3, active + 2])
  await suspendAgent(server.deps, 'eve')
  expect(await totals()).toEqual([all + 3, active + 1])
  expect(await findMiscounts(database.pool)).toEqual([])

  await db.run(sql`
    insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
    select gen_random_uuid(), 'many' || n, 'many', 'many', 'wallet ' || n, 'subject ' || n, 'active', now(), now()
    from generate_series(1, 3000) n`)
  await db.run(sql`analyze agent, agent_order`)
  for (const list of [listAgents, listLaunches, listTrending]) {
    const statements: Sql[] = []
    const record = <Row>(query: Sql) => {
      statements.push(query)
      return db.many<Row>(query)
    }
    const auditInsert: Db = { ...db, many: record }
    await list(auditInsert, { limit: 20 })
    for (const statement of statements) expect(await countRowsRead(db, statement, 'agent')).toBeLessThan(300)
  }
})
