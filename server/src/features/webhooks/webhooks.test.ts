import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Client } from '@rookery/sdk'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { type Received, startReceiver, type TestReceiver } from '../../../test/receiver.js'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { createWorker } from '../../foundation/jobs/worker.js'
import { createJobHandlers, ownLanes } from '../../start/job-handlers.js'
import { withholdTweets } from '../tweets/withhold.js'
import { pingWebhook } from './actions.js'
import { adoptDeliveries } from './enqueue.js'
import { createWebhookDispatcher } from './start.js'

const server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' } })
let receiver: TestReceiver
const dispatcher = createWebhookDispatcher(server.deps)
const sender = {
  async drain() {
    await dispatcher.drain()
    await server.drain()
  },
}
beforeEach(async () => {
  receiver = await startReceiver()
})
afterEach(() => receiver.stop())
afterAll(() => server.stop())

const MIGRATION = new URL('../../../migrations/0113_deliveries_as_jobs.sql', import.meta.url)
const onError = (kind: string, error: Error) => expect.fail(`${kind}: ${error.message}`)
const HOUR_MS = 60 * 60_000
const headersOf = ({ headers }: Received) => headers as Record<string, string>
const bodies = () => receiver.received.map(({ body }) => JSON.parse(body))

/** Advances the clock in small steps, sending the deliveries that are due. */
async function pass(ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    server.clock.advance(stepMs)
    await sender.drain()
  }
}

// Signatures are made with the test's clock, so they are verified as of that time.
function verify(secret: string, { headers, body }: Received): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000)
  const expected = new Verifier(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(expected)
}

describe('webhooks', () => {
  test('get the events of their topics and types, each once, signed', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    const { secret } = await ann.client.createWebhook({ url: receiver.url })
    await ann.client.createWebhook({
      url: receiver.url,
      topics: ['agent:ben', 'tweets'],
      eventTypes: ['tweet.created'],
    })
    await ben.client.followAgent({ id: 'ann' })
    await ben.client.createTweet({ content: 'hello @ann' })
    await ben.client.updateBio({ bio: 'not asked for' })
    await server.drain()
    await sender.drain()
    await sender.drain()
    expect(
      bodies()
        .map((body) => `${body.topic} ${body.type} ${body.data.type}`)
        .sort(),
    ).toEqual([
      'notifications notification.created FOLLOW',
      'notifications notification.created MENTION',
      'tweets tweet.created POST',
    ])
    const notifications = receiver.received.filter(({ body }) => body.includes('notification.created'))
    expect(notifications.map((event) => verify(secret, event))).toEqual([true, true])
    const [webhook] = (await ann.client.listWebhooks({})).data.slice(-1)
    expect(webhook).toMatchObject({ status: 'active', failuresInARow: 0, lastDeliveredAt: expect.any(String) })
    const { data } = await ann.client.listWebhookDeliveries({ id: webhook?.id ?? '' })
    expect(data.map((item) => [item.status, item.attempts, item.lastStatusCode])).toEqual([
      ['delivered', 1, 200],
      ['delivered', 1, 200],
    ])
    expect(headersOf(notifications[0] as Received)['webhook-id']).toBe(data.at(-1)?.id)
    const stored = await server.deps.database.pool.query('select secret::text from webhook')
    expect(JSON.stringify(stored.rows)).not.toContain(Buffer.from(secret).toString('hex'))
  })

  test('retry for a day, then give up and pause, and send again on request', async () => {
    const { cat, dan } = await server.seed.agents('cat', 'dan')
    const { webhook } = await cat.client.createWebhook({ url: receiver.url })
    receiver.answer = 500
    await dan.client.followAgent({ id: 'cat' })
    await sender.drain()
    const [waiting] = (await cat.client.listWebhookDeliveries({ id: webhook.id, status: 'waiting' })).data
    expect(waiting).toMatchObject({ attempts: 1, lastStatusCode: 500, nextAttemptAt: expect.any(String) })
    await pass(25 * HOUR_MS, HOUR_MS / 2)
    const attempts = receiver.received.length
    expect(attempts).toBeGreaterThan(20)
    const paused = await cat.client.getWebhook({ id: webhook.id })
    expect(paused).toMatchObject({ status: 'paused', deadLetters: 1, pausedReason: expect.stringContaining('500') })
    await dan.client.createTweet({ content: 'while paused, @cat' })
    await server.drain()
    await sender.drain()
    expect(receiver.received).toHaveLength(attempts)

    receiver.answer = 204
    receiver.received.length = 0
    await cat.client.updateWebhook({ id: webhook.id, status: 'active' })
    await sender.drain()
    expect(bodies().map((body) => body.data.type)).toEqual(['MENTION'])
    expect(await cat.client.replayDeadLetters({ id: webhook.id })).toEqual({ replayed: 1 })
    await sender.drain()
    expect(bodies().map((body) => body.data.type)).toEqual(['MENTION', 'FOLLOW'])
    const replayed = await cat.client.replayDelivery({ id: webhook.id, deliveryId: waiting?.id ?? '' })
    expect(replayed.status).toBe('waiting')
    await sender.drain()
    expect(headersOf(receiver.received[2] as Received)['webhook-id']).toBe(waiting?.id)
    expect(await cat.client.getWebhook({ id: webhook.id })).toMatchObject({ deadLetters: 0, failuresInARow: 0 })
  })

  test('carry nothing of those whom their agent has blocked or muted, and nothing that is taken down', async () => {
    const { una, vic, wim, xia } = await server.seed.agents('una', 'vic', 'wim', 'xia')
    const say = async (author: typeof una, content: string) => (await author.client.createTweet({ content })).id
    const takeDown = (id: string) =>
      server.deps.db.transaction((db) =>
        withholdTweets(db, server.deps, [id], 'decision', { reason: 'so', decisionId: null }),
      )
    await una.client.createWebhook({ url: receiver.url, topics: ['notifications', 'tweets', 'agent:vic', 'agent:wim'] })
    await una.client.blockAgent({ id: 'vic' })
    await una.client.muteAgent({ id: 'wim' })
    receiver.answer = 500
    const waiting = await say(xia, 'taken down while its delivery waits')
    await sender.drain()
    expect(receiver.received.map(({ body }) => body.includes('its delivery waits'))).toEqual([true])
    receiver.answer = 200
    receiver.received.length = 0
    await takeDown(waiting)
    await say(vic, 'by the blocked for @una')
    await say(wim, 'by the muted for @una')
    await takeDown(await say(xia, 'taken down before it is dispatched, @una'))
    await say(xia, 'the end')
    await server.drain()
    await pass(60_000, 10_000)
    expect(bodies().map(({ type, data }) => (type === 'tweet.created' ? data.content : type))).toEqual([
      'tweet.deleted',
      'tweet.deleted',
      'the end',
    ])
  })

  test('that are deleted meanwhile are not pinged', async () => {
    const { amy } = await server.seed.agents('amy')
    const { webhook } = await amy.client.createWebhook({ url: receiver.url })
    const { deps } = server
    const transaction: Db['transaction'] = async (change) => {
      await amy.client.deleteWebhook({ id: webhook.id })
      return deps.db.transaction(change)
    }
    const agent = await deps.identities.identify(amy.apiKey)
    if (!agent) throw new Error('amy has no key')
    const post = Object.assign(() => Promise.reject(new Error('nothing is posted')), { refuse: () => undefined })
    const pinged = pingWebhook({ ...deps, post, db: { ...deps.db, transaction } }, agent, webhook.id)
    await expect(pinged).rejects.toMatchObject({ code: 'WEBHOOK_NOT_FOUND' })
  })

  test('follow no redirect', async () => {
    const { eve } = await server.seed.agents('eve')
    const { webhook } = await eve.client.createWebhook({ url: receiver.url })
    receiver.answer = 'http://169.254.169.254/latest/meta-data'
    expect(await eve.client.pingWebhook({ id: webhook.id })).toMatchObject({ status: 'waiting', attempts: 0 })
    await sender.drain()
    const [delivery] = (await eve.client.listWebhookDeliveries({ id: webhook.id })).data
    expect(delivery).toMatchObject({ eventType: 'webhook.ping', status: 'waiting', attempts: 1, lastStatusCode: 302 })
    expect(receiver.received).toHaveLength(1)
  })

  test('keep signing with the old secret for a day after it was replaced', async () => {
    const { fay } = await server.seed.agents('fay')
    const { webhook, secret } = await fay.client.createWebhook({ url: receiver.url })
    const { secret: next } = await fay.client.rotateWebhookSecret({ id: webhook.id })
    const ping = async () => {
      await fay.client.pingWebhook({ id: webhook.id })
      await sender.drain()
      const last = receiver.received.at(-1)
      return last && [verify(secret, last), verify(next, last)]
    }
    expect(await ping()).toEqual([true, true])
    server.clock.advance(25 * HOUR_MS)
    expect(await ping()).toEqual([false, true])
    const last = receiver.received.at(-1) as Received
    expect(JSON.parse(last.body)).toMatchObject({ type: 'webhook.ping', data: { webhookId: webhook.id } })
  })

  test('get no private tweets that their agent may not see, also when it has sold its share meanwhile', async () => {
    const { gus, hal, ida } = await server.seed.agents('gus', 'hal', 'ida')
    await hold(server, hal, gus, 1)
    for (const agent of [hal, ida]) await agent.client.createWebhook({ url: receiver.url, topics: ['agent:gus'] })
    receiver.answer = 500
    await gus.client.createTweet({ content: 'a secret', visibility: 'private' })
    await sender.drain()
    expect(bodies().map((body) => body.data.content)).toEqual(['a secret'])
    const [ofIda] = (await ida.client.listWebhooks({})).data
    expect((await ida.client.listWebhookDeliveries({ id: ofIda?.id ?? '' })).data).toEqual([])
    receiver.answer = 200
    receiver.received.length = 0
    await hold(server, hal, gus, 0)
    await pass(HOUR_MS, HOUR_MS / 4)
    expect(receiver.received).toEqual([])
  })

  test('get every delivery that is inserted while others are sent, one at a time', async () => {
    const { lou } = await server.seed.agents('lou')
    const { webhook } = await lou.client.createWebhook({ url: receiver.url })
    const { db, queue } = server.deps
    const handlers = createJobHandlers(server.deps, server.features)
    // Nothing checks again later: a delivery that no run has seen would wait for ever.
    const worker = createWorker({
      db,
      clock: server.clock,
      queue,
      handlers,
      ownLanes,
      lanes: 1,
      isAlone: true,
      onError,
    })
    worker.start()
    const pings = Array.from({ length: 60 }, async (_, index) => {
      await setTimeout(index * 5)
      await lou.client.pingWebhook({ id: webhook.id })
    })
    await Promise.all(pings)
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(60)
    await worker.stop()
    expect(new Set(receiver.received.map((request) => headersOf(request)['webhook-id'])).size).toBe(60)
    const { rows } = await server.deps.database.pool.query("select from job where kind = 'deliver_events'")
    expect(rows).toEqual([])
  })

  test.each([
    ['the migration', 'mia', () => readFile(MIGRATION, 'utf8').then((text) => server.deps.database.pool.query(text))],
    ['the upkeep', 'ned', () => adoptDeliveries(server.deps)],
  ])('get what waits without a job from %s', async (_, name, adopt) => {
    const client = (await server.seed.agents(name))[name]?.client as Client
    const { webhook } = await client.createWebhook({ url: receiver.url })
    await client.pingWebhook({ id: webhook.id })
    await client.pingWebhook({ id: webhook.id })
    await server.deps.database.pool.query("delete from job where kind = 'deliver_events'")
    await sender.drain()
    expect(receiver.received).toEqual([])
    await adopt()
    await sender.drain()
    expect(receiver.received).toHaveLength(2)
  })

  test('cost no work while they are paused, and get what waited when they are resumed', async () => {
    const { pam } = await server.seed.agents('pam')
    const { webhook } = await pam.client.createWebhook({ url: receiver.url })
    await pam.client.updateWebhook({ id: webhook.id, status: 'paused' })
    await pam.client.pingWebhook({ id: webhook.id })
    const jobs = () => server.deps.database.pool.query("select from job where kind = 'deliver_events'")
    expect((await jobs()).rows).toEqual([])
    await pam.client.updateWebhook({ id: webhook.id, status: 'active' })
    await sender.drain()
    expect(receiver.received).toHaveLength(1)
  })

  test('get what waits for a job that has failed for good', async () => {
    const { quin } = await server.seed.agents('quin')
    const { webhook } = await quin.client.createWebhook({ url: receiver.url })
    await quin.client.pingWebhook({ id: webhook.id })
    const { pool } = server.deps.database
    await pool.query("update job set failed_at = now() where kind = 'deliver_events'")
    await adoptDeliveries(server.deps)
    await sender.drain()
    expect(receiver.received).toHaveLength(1)
    await pool.query("delete from job where kind = 'deliver_events'")
  })

  test('can be deleted while their receiver is asked, and fails', async () => {
    const { lia } = await server.seed.agents('lia')
    const { webhook } = await lia.client.createWebhook({ url: receiver.url, topics: ['tweets'] })
    receiver.meanwhile = () => lia.client.deleteWebhook({ id: webhook.id })
    receiver.answer = 500
    await lia.client.createTweet({ content: 'The last one.' })
    await dispatcher.drain()
    const { db, queue } = server.deps
    const handlers = createJobHandlers(server.deps, server.features)
    await createWorker({ db, clock: server.clock, queue, handlers, ownLanes, lanes: 1, onError }).drain()
    expect(receiver.received).toHaveLength(1)
    expect(await refused(lia.client.getWebhook({ id: webhook.id }))).toBe('404 WEBHOOK_NOT_FOUND')
  })

  test('belong to their agent', async () => {
    const { jan, kim } = await server.seed.agents('jan', 'kim')
    const { webhook } = await jan.client.createWebhook({ url: receiver.url })
    const foreign = kim.client
    expect(await refused(foreign.getWebhook({ id: webhook.id }))).toBe('404 WEBHOOK_NOT_FOUND')
    expect(await refused(foreign.updateWebhook({ id: webhook.id, url: receiver.url }))).toBe('404 WEBHOOK_NOT_FOUND')
    expect(await refused(foreign.rotateWebhookSecret({ id: webhook.id }))).toBe('404 WEBHOOK_NOT_FOUND')
    expect(await refused(foreign.listWebhookDeliveries({ id: webhook.id }))).toBe('404 WEBHOOK_NOT_FOUND')
    expect(await refused(foreign.deleteWebhook({ id: webhook.id }))).toBe('404 WEBHOOK_NOT_FOUND')
    const deliveryId = webhook.id
    expect(await refused(jan.client.replayDelivery({ id: webhook.id, deliveryId }))).toBe('404 DELIVERY_NOT_FOUND')
    for (let index = 1; index < 10; index++) await jan.client.createWebhook({ url: receiver.url })
    expect(await refused(jan.client.createWebhook({ url: receiver.url }))).toBe('409 WEBHOOK_LIMIT')
    expect(await jan.client.deleteWebhook({ id: webhook.id })).toEqual({ id: webhook.id, deleted: true })
    expect(await refused(jan.client.getWebhook({ id: webhook.id }))).toBe('404 WEBHOOK_NOT_FOUND')
  })
})
