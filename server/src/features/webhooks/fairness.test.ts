import type { Webhook } from '@rookery/sdk'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createWorker } from '../../foundation/jobs/worker.js'
import { createJobHandlers, ownLanes } from '../../start/job-handlers.js'
import type { Post } from './post.js'

const WITHIN = { timeout: 20_000 }
/** What receivers answer. */
let answer: (url: string) => { statusCode: number } | Promise<{ statusCode: number }>
const post: Post = Object.assign(async (url: string) => answer(url), { refuse: () => undefined })
const server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes', WEBHOOK_WAITING: '50' }, replace: { post } })
const { db } = server.deps
afterAll(() => server.stop())

async function createWebhooks(agent: SeededAgent, count: number, url: string): Promise<Webhook[]> {
  const webhooks: Webhook[] = []
  for (let index = 0; index < count; index++) webhooks.push((await agent.client.createWebhook({ url })).webhook)
  return webhooks
}

/** Makes a webhook wait for `count` more deliveries like the one it has, which are older. */
const multiply = (webhookId: string, count: number) =>
  db.run(sql`
    insert into webhook_delivery (id, webhook_id, event, next_attempt_at, give_up_at, created_at)
    select ('00000000' || substr(gen_random_uuid()::text, 9))::uuid, webhook_id, event, next_attempt_at, give_up_at, created_at
    from webhook_delivery, generate_series(1, ${count}) where webhook_id = ${webhookId}`)

/** Holds deliveries to `hostname` until they are released; others are accepted at once. */
function holdDeliveries(hostname: string) {
  const held: (() => void)[] = []
  const accepted: string[] = []
  let isReleased = false
  let most = 0
  answer = async (url) => {
    if (new URL(url).hostname !== hostname || isReleased) accepted.push(url)
    else {
      await new Promise<void>((resolve) => {
        most = Math.max(most, held.push(resolve))
      })
      accepted.push(url)
    }
    return { statusCode: 200 }
  }
  return {
    held,
    accepted,
    most: () => most,
    release() {
      isReleased = true
      for (const resolve of held.splice(0)) resolve()
    },
  }
}

async function countWaiting(): Promise<number> {
  return (await db.many(sql`select from webhook_delivery where status = 'waiting'`)).length
}

/** How many webhooks found no place and try again later. */
async function countRefused(): Promise<number> {
  return (await db.many(sql`select from job where kind = 'deliver_events' and run_at > ${server.clock.now()}`)).length
}

function startWorker() {
  const { queue } = server.deps
  const onError = (kind: string, error: Error) => expect.fail(`${kind}: ${error.message}`)
  const handlers = createJobHandlers(server.deps, server.features)
  const worker = createWorker({ db, clock: server.clock, queue, handlers, ownLanes, lanes: 1, isAlone: true, onError })
  worker.start()
  return worker
}

describe('ten webhooks of one agent on a receiver that never answers', () => {
  test('hold two lanes, and another agent’s delivery arrives before their first attempt ends', async () => {
    const { slow, fast } = await server.seed.agents('slow', 'fast')
    const holder = holdDeliveries('slow.example')
    const webhooks = await createWebhooks(slow, 10, 'https://slow.example/')
    const [quick] = await createWebhooks(fast, 1, 'https://fast.example/')
    for (const { id } of webhooks) await slow.client.pingWebhook({ id })
    const worker = startWorker()
    await expect.poll(() => holder.held.length, WITHIN).toBe(2)
    await expect.poll(countRefused, WITHIN).toBe(8)
    await fast.client.pingWebhook({ id: quick?.id ?? '' })
    await expect.poll(() => holder.accepted, WITHIN).toEqual(['https://fast.example/'])
    // Nobody released the slow ones, so their first attempts are still under way.
    expect(holder.held).toHaveLength(2)
    expect(holder.most()).toBe(2)
    holder.release()
    const delivered = async () => (await db.many(sql`select from webhook_delivery where status = 'delivered'`)).length
    await expect.poll(delivered, WITHIN).toBe(11)
    await worker.stop()
  })

  test('leave places on a host that they share with another agent', async () => {
    const { rude, kind } = await server.seed.agents('rude', 'kind')
    const holder = holdDeliveries('shared.example')
    for (const agent of [rude, kind])
      for (const { id } of await createWebhooks(agent, 1 + Number(agent === rude) * 4, 'https://shared.example/'))
        await agent.client.pingWebhook({ id })
    const worker = startWorker()
    await expect.poll(() => holder.held.length, WITHIN).toBe(3)
    await expect.poll(countRefused, WITHIN).toBe(3)
    expect(holder.held).toHaveLength(3)
    holder.release()
    await expect.poll(countWaiting, WITHIN).toBe(0)
    expect(holder.most()).toBe(3)
    await worker.stop()
  })

  test('hold eight lanes at most when they belong to many agents, for one receiving host', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `many${index}`)
    const holder = holdDeliveries('shared.example')
    for (const agent of Object.values(await server.seed.agents(...names))) {
      const [webhook] = await createWebhooks(agent, 1, 'https://shared.example/')
      await agent.client.pingWebhook({ id: webhook?.id ?? '' })
    }
    const worker = startWorker()
    await expect.poll(() => holder.held.length, WITHIN).toBe(8)
    await expect.poll(countRefused, WITHIN).toBe(2)
    expect(holder.held).toHaveLength(8)
    holder.release()
    await expect.poll(countWaiting, WITHIN).toBe(0)
    expect(holder.most()).toBe(8)
    await worker.stop()
  })
})

describe('a webhook with many waiting deliveries', () => {
  test('goes behind others that are due after twenty of its own', async () => {
    const { busy, idle } = await server.seed.agents('busy', 'idle')
    const [long] = await createWebhooks(busy, 1, 'https://busy.example/')
    const [short] = await createWebhooks(idle, 1, 'https://idle.example/')
    await busy.client.pingWebhook({ id: long?.id ?? '' })
    await multiply(long?.id ?? '', 44)
    await idle.client.pingWebhook({ id: short?.id ?? '' })
    const called: string[] = []
    answer = (url) => {
      called.push(new URL(url).hostname)
      return { statusCode: 200 }
    }
    await server.drain()
    expect(called).toHaveLength(46)
    expect(called.indexOf('idle.example')).toBe(20)
  })

  test('loses the oldest beyond the limit, says so, and is paused when it accepts nothing', async () => {
    const { full } = await server.seed.agents('full')
    const [failing, paused] = await createWebhooks(full, 2, 'https://full.example/')
    const read = (webhook: Webhook | undefined) => full.client.getWebhook({ id: webhook?.id ?? '' })
    await full.client.updateWebhook({ id: paused?.id ?? '', status: 'paused' })
    await full.client.pingWebhook({ id: paused?.id ?? '' })
    await multiply(paused?.id ?? '', 52)
    await full.client.pingWebhook({ id: paused?.id ?? '' })
    expect(await read(paused)).toMatchObject({ droppedDeliveries: 4, pausedReason: 'Paused by its agent.' })

    answer = () => ({ statusCode: 500 })
    await full.client.pingWebhook({ id: failing?.id ?? '' })
    await server.drain()
    expect(await read(failing)).toMatchObject({ status: 'active', failuresInARow: 1, resumesAt: expect.any(String) })
    await multiply(failing?.id ?? '', 50)
    const { id: newest } = await full.client.pingWebhook({ id: failing?.id ?? '' })
    expect(await read(failing)).toMatchObject({
      status: 'paused',
      droppedDeliveries: 2,
      pausedReason: expect.stringContaining('the oldest were dropped'),
    })
    const waiting = await db.many<{ id: string }>(sql`
      select id from webhook_delivery where webhook_id = ${failing?.id} and status = 'waiting'`)
    expect(waiting).toHaveLength(50)
    expect(waiting.map(({ id }) => id)).toContain(newest)
    await db.run(sql`update webhook_delivery set status = 'dead' where webhook_id = ${failing?.id}`)
    await multiply(failing?.id ?? '', 1)
    await db.run(sql`update webhook_delivery set status = 'dead' where webhook_id = ${failing?.id}`)
    expect(await full.client.replayDeadLetters({ id: failing?.id ?? '' })).toEqual({ replayed: 50 })
  })
})

describe('an agent whose receivers take long', () => {
  test('gets nothing until the next hour after ten minutes of waiting, and resuming does not help', async () => {
    const { late } = await server.seed.agents('late')
    const [one, two] = await createWebhooks(late, 2, 'https://late.example/')
    let calls = 0
    answer = (url) => {
      if (url.includes('late')) {
        calls++
        server.clock.advance(250_000)
      }
      return { statusCode: 200 }
    }
    // The beginning of an hour, so that the waiting does not reach the next.
    server.clock.advance(3_600_000 - (server.clock.now().getTime() % 3_600_000))
    await late.client.pingWebhook({ id: one?.id ?? '' })
    await multiply(one?.id ?? '', 3)
    await server.drain()
    expect(calls).toBe(3)
    const { resumesAt } = await late.client.getWebhook({ id: two?.id ?? '' })
    expect(new Date(resumesAt ?? '').getTime() % 3_600_000).toBe(0)
    await late.client.pingWebhook({ id: two?.id ?? '' })
    await late.client.updateWebhook({ id: two?.id ?? '', status: 'active' })
    await server.drain()
    expect(calls).toBe(3)
    server.clock.advance(3_600_000)
    await server.drain()
    expect(calls).toBe(5)
  })
})
