import { randomBytes } from 'node:crypto'
import type { Topic } from '@rookery/api'
import { createClient } from '@rookery/sdk'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { startProxy } from '../../../test/proxy.js'
import { startServerOn } from '../../../test/start-server.js'
import type { NewEvent } from '../../foundation/events/log.js'

const AGENTS = 40
const READERS = 200
// The embedded engine shares the CPU with the readers.
const EVENTS = inject('engine') === 'postgres' ? 20_000 : 4_000
// Batches have two hundred events on average, so this is about half way.
const RESTART_AT = EVENTS / 400

const database = await createTestDatabase()
const environment = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex'), STREAMS_PER_CALLER: '0' }
const proxy = await startProxy()
let server = await startServerOn(environment)
afterAll(async () => {
  await proxy.stop()
  await server.stop()
  await database.remove()
})

/** Seeded, so that every run gets the same numbers. */
function createDice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

describe('many readers with bad connections and a restart', () => {
  test('each get exactly their events, once and in order', { timeout: 240_000 }, async () => {
    const dice = createDice(7)
    const seeded = Object.values(await server.seed.agents(...Array.from({ length: AGENTS }, (_, i) => `agent_${i}`)))
    await server.deps.orderer.settle()
    const start = await lastId()
    proxy.lead(server.url)

    function happening(): NewEvent {
      const agentId = seeded[dice(AGENTS)]?.id ?? ''
      const kind = dice(10)
      if (kind < 6) return { type: 'agent.updated', agentId }
      return kind < 9
        ? { type: 'agent.frozen', recipientId: agentId, data: { n: kind } }
        : { type: 'tweet.deleted', agentId, tweetId: agentId }
    }

    const readers = Array.from({ length: READERS }, (_, index) => {
      const agent = seeded[index % AGENTS]
      const topics: Topic[] = [`agent:agent_${dice(AGENTS)}`, ...(index % 3 === 0 ? (['notifications'] as const) : [])]
      if (index % 20 === 0) topics.push('tweets')
      const client = createClient({ baseUrl: proxy.url, ...(agent && { apiKey: agent.apiKey }) })
      const ending = new AbortController()
      const got: number[] = []
      const reading = (async () => {
        const options = { topics, resume: String(start), signal: ending.signal }
        for await (const event of client.events(options)) got.push(Number(event.id))
      })()
      return { agent, topics, got, ending, reading }
    })

    for (let written = 0, turn = 0; written < EVENTS; turn++) {
      const some = Array.from({ length: Math.min(1 + dice(400), EVENTS - written) }, happening)
      await server.deps.db.transaction((db) => server.deps.events.append(db, some))
      written += some.length
      if (turn % 8 === 0) proxy.slam(() => dice(10) === 0)
      if (turn === RESTART_AT) {
        proxy.lead(undefined)
        await server.stop()
        server = await startServerOn(environment)
        proxy.lead(server.url)
      }
    }
    await server.deps.orderer.settle()
    expect((await lastId()) - start).toBe(EVENTS)

    const { pool } = server.deps.database
    for (const { agent, topics, got } of readers) {
      const listens = (topic: Topic) => topics.includes(topic)
      const names = topics.flatMap((topic) => (topic.startsWith('agent:') ? [topic.slice('agent:'.length)] : []))
      const { rows } = await pool.query<{ id: bigint }>(
        `select id from event where id > $1 and (agent_id in (select id from agent where username = any($2))
          or ($3 and recipient_id = $4) or ($5 and topic = 'tweets')) order by id`,
        [start, names, listens('notifications'), agent?.id, listens('tweets')],
      )
      const expected = rows.map((row) => Number(row.id))
      await expect.poll(() => got.length, { timeout: 120_000 }).toBeGreaterThanOrEqual(expected.length)
      expect(got).toEqual(expected)
    }
    for (const { ending } of readers) ending.abort()
    await Promise.all(readers.map(({ reading }) => reading))
  })
})

async function lastId(): Promise<number> {
  const { last_id } = await server.deps.db.one<{ last_id: bigint }>(sql`select last_id from event_log`)
  return Number(last_id)
}
