import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServer, type TestServer } from '../../../test/start-server.js'
import type { PostOutcome } from './post.js'
import { createWebhookSender, type WebhookSender } from './start.js'

let outcome: PostOutcome = { statusCode: 200 }
let onPosted = () => {}
const post = Object.assign(
  async () => {
    onPosted()
    return outcome
  },
  { refuse: () => undefined },
)
const nextPost = () => new Promise<void>((resolve) => (onPosted = resolve))

let server: TestServer
let sender: WebhookSender

/** Waits until what is under way has been done. Statements are made one after the other, so each lets others go on. */
async function quiet(): Promise<void> {
  for (let round = 0; round < 30; round++) await server.deps.db.one(sql`select`)
}

/** Lets time pass, for timers as for the clock. */
async function pass(ms: number): Promise<void> {
  server.clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

// On PostgreSQL statements overtake each other, and the sender looks every second besides.
describe('the sender of webhooks', () => {
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    server = await startServer({ replace: { post } })
    sender = createWebhookSender({ ...server.deps, ...server.features.webhooks })
    sender.start()
    await quiet()
    // Woken twice by the start, it looks once more after its pause.
    await pass(1_000)
    await quiet()
  })

  afterEach(() => vi.restoreAllMocks())

  afterAll(async () => {
    vi.useRealTimers()
    await sender.stop()
    await server.stop()
  })

  test('asks the database nothing while nothing happens', async () => {
    const asked = vi.spyOn(Client.prototype, 'query')
    for (let second = 0; second < 120; second++) await pass(1_000)
    expect(asked.mock.calls).toEqual([])
  })

  test('sends a test at once, and again at its time when it failed', async () => {
    const { ann } = await server.seed.agents('ann')
    const { webhook } = await ann.client.createWebhook({ url: 'https://receiver.example/hook' })
    outcome = { statusCode: 500 }
    const first = nextPost()
    await ann.client.pingWebhook({ id: webhook.id })
    await first
    await quiet()

    outcome = { statusCode: 200 }
    const second = nextPost()
    await pass(5_000)
    await second
    await quiet()
    const { data } = await ann.client.listWebhookDeliveries({ id: webhook.id })
    expect(data.map(({ status, attempts }) => [status, attempts])).toEqual([['delivered', 2]])
  })

  test('sends what happens, and reads the log once for events that come while it pauses', async () => {
    const { ben, eve } = await server.seed.agents('ben', 'eve')
    await ben.client.createWebhook({ url: 'https://receiver.example/hook' })
    await pass(1_000)
    await quiet()
    const posted = nextPost()
    await eve.client.followAgent({ id: 'ben' })
    await pass(1_000)
    await posted
    await pass(1_000)
    await quiet()

    const asked = vi.spyOn(Client.prototype, 'query')
    const readings = () =>
      asked.mock.calls.filter(([query]) => (query as { text?: string }).text?.includes('from event_log where not'))
    for (let index = 0; index < 5; index++) await eve.client.updateBio({ bio: `version ${index}` })
    await quiet()
    expect(readings()).toHaveLength(1)
    await pass(1_000)
    await quiet()
    expect(readings()).toHaveLength(2)
  })
})
