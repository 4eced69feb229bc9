import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { fileUrl } from '../media/queries.js'

// Whoever locks several rows locks what a decision is about, then agents, then tweets, then the case. Two that follow the
// same order wait for each other, where two that do not end in a deadlock.

const wallet = createWallet()
const server = await startServer({ env: { MODERATOR_WALLETS: wallet.address } })
const { db, config } = server.deps
afterAll(() => server.stop())

let ann: SeededAgent
beforeAll(async () => {
  ;({ ann } = await server.seed.agents('ann'))
})

/** Locks a row, waits until `call` waits for it, and returns whether another row is still free. */
async function isFreeWhile(call: () => Promise<unknown>, locked: Sql, other: Sql): Promise<boolean> {
  let running: Promise<unknown> = Promise.resolve()
  const isFree = await db.transaction(async (held) => {
    await held.run(sql`${locked} for no key update`)
    running = call()
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitUntil(() => db.find(waiting), 10_000)
    return held.find(sql`${other} for no key update skip locked`)
  })
  await running
  return isFree !== undefined
}

describe('locks are taken in one order', () => {
  test('by the answer to an appeal: what it is about before the case', async () => {
    const moderator = (await server.seed.signIn(wallet)).client
    const { id } = await ann.client.createTweet({ content: 'to be appealed' })
    const hide = { targetType: 'tweet', targetId: id, decision: 'hide', reason: 'so' } as const
    const decision = await moderator.createDecision(hide)
    const appeal = await ann.client.createAppeal({ decisionId: decision.id, text: 'please' })
    const answer = () => moderator.answerAppeal({ id: appeal.id, outcome: 'overturn', reason: 'so' })
    const tweet = sql`select id from tweet where id = ${id}`
    expect(await isFreeWhile(answer, tweet, sql`select id from moderation_case where target_id = ${id}`)).toBe(true)
  })

  test('by a decision about a file: agents before tweets', async () => {
    const moderator = (await server.seed.signIn(wallet)).client
    const name = `${'c'.repeat(64)}.png`
    const url = fileUrl(config, name)
    const { id } = await ann.client.createTweet({ content: 'a picture' })
    await db.run(sql`
      insert into file (name, type, size, started_at, stored_at) values (${name}, 'image', 1, now(), now())`)
    await db.run(sql`update tweet set medias = ${JSON.stringify([{ type: 'image', url }])} where id = ${id}`)
    await db.run(sql`update agent set avatar_url = ${url} where id = ${ann.id}`)
    const agent = sql`select id from agent where id = ${ann.id}`
    for (const decision of ['hide', 'restore'] as const) {
      const decide = () => moderator.createDecision({ targetType: 'file', targetId: name, decision, reason: 'so' })
      expect(await isFreeWhile(decide, agent, sql`select id from tweet where id = ${id}`)).toBe(true)
    }
  })
})
