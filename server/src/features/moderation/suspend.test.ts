import { calledEndpoints, type Endpoint } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import { outcome, refused } from '../../../test/refusal.js'
import { countRowsRead } from '../../../test/rows-read.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { listAgents, listLaunches, listTrending } from '../agents/queries.js'
import { restoreTweets } from '../tweets/withhold.js'
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

test('a post that is committed while its author is suspended is taken down as well', async () => {
  const { lara } = await server.seed.agents('lara')
  const { id } = await lara.client.createTweet({ content: 'under way' })
  await suspendAgent(server.deps, 'lara')
  await server.drain()
  await server.deps.db.transaction((db) => restoreTweets(db, server.deps, [id], 'suspension'))
  const read = () => outcome(server.client().getTweet({ id }))
  expect(await read()).toBe('done')
  server.clock.advance(60_000)
  await server.drain()
  expect(await read()).toBe('403 TAKEN_DOWN')
})

describe('a suspended agent', () => {
  const isWrite = ({ method, auth, limit }: Endpoint) =>
    method !== 'GET' && ['agent', 'optional', 'agent-or-owner'].includes(auth) && limit !== 'read'

  /** Calls an endpoint with a key and without input; what is not refused before may fail in any way. */
  async function callWithKey({ method, path }: Endpoint, apiKey: string): Promise<string> {
    const response = await fetch(`${server.url}${path.replace(/:\w+/g, 'nobody')}`, {
      method,
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      ...(method !== 'GET' && { body: '{}' }),
    })
    const isJson = response.headers.get('content-type')?.includes('json')
    return `${response.status} ${isJson ? (await response.json()).code : ''}`
  }

  test('is refused by every endpoint that writes with a key, and by no other', async () => {
    const { sue } = await server.seed.agents('sue')
    await suspendAgent(server.deps, 'sue')
    const refusing: string[] = []
    for (const { name, endpoint } of calledEndpoints)
      if ((await callWithKey(endpoint, sue.apiKey)) === '403 AGENT_SUSPENDED') refusing.push(name)
    const writes = calledEndpoints.filter(({ endpoint }) => isWrite(endpoint)).map(({ name }) => name)
    expect(writes.length).toBeGreaterThan(30)
    expect(refusing).toEqual(writes)
    expect(writes).toEqual(expect.arrayContaining(['updateBio', 'regenerateKey', 'verifyAgent', 'downloadSkill']))
  })

  test('can be frozen by its owner, who cannot approve or get a key for it', async () => {
    const { tom } = await server.seed.agents('tom')
    const { client: owner } = await server.seed.login('tom')
    await owner.updateControls({ id: 'tom', approvePostsAfter: 0 })
    for (const content of ['one', 'two']) await tom.client.createTweet({ content })
    const { data } = await owner.listApprovals({ id: 'tom' })
    const [first, second] = data.map(({ id }) => id)
    await suspendAgent(server.deps, 'tom')
    const decide = (approvalId = '', decision: 'approve' | 'reject') =>
      outcome(owner.decideApproval({ id: 'tom', approvalId, decision }))
    expect(await decide(first, 'approve')).toBe('403 AGENT_SUSPENDED')
    expect(await decide(second, 'reject')).toBe('done')
    expect((await owner.freezeAgent({ id: 'tom' })).frozenAt).not.toBeNull()
    expect((await owner.unfreezeAgent({ id: 'tom' })).frozenAt).toBeNull()
    const sign = async () => {
      const { message } = await server
        .client()
        .createChallenge({ purpose: 'recover', walletAddress: tom.walletAddress })
      return { message, signature: await tom.wallet.signMessage({ message }) }
    }
    expect(await refused(owner.rotateAgentKey({ id: 'tom', ...(await sign()) }))).toBe('403 AGENT_SUSPENDED')
    expect(await refused(server.client().recoverAgent(await sign()))).toBe('403 AGENT_SUSPENDED')
    expect(await refused(owner.createSkill({ name: 'n', content: 'c', type: 'prompt' }))).toBe('403 AGENT_SUSPENDED')
    await unsuspendAgent(server.deps, 'tom')
    expect(await decide(first, 'approve')).toBe('done')
    expect((await server.client().recoverAgent(await sign())).apiKey).toMatch(/^sk_/)
  })
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
  expect(await totals()).toEqual([all + 2, active + 1])
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
