import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { createWorker, type Worker } from '../../foundation/jobs/worker.js'
import { createJobHandlers, ownLanes } from '../../start/job-handlers.js'
import type { PostOutcome } from './post.js'
import { createWebhookDispatcher } from './start.js'

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
let dispatcher: ReturnType<typeof createWebhookDispatcher>
let worker: Worker

/** Waits for the work in progress. Statements run one after the other, so each one lets the others proceed. */
async function quiet(): Promise<void> {
  await server.deps.orderer.settle()
  for (let round = 0; round < 30; round++) await server.deps.db.one(sql`select`)
}

/** Advances both the timers and the clock. */
async function pass(ms: number): Promise<void> {
  server.clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

// On PostgreSQL statements run in parallel, and the worker also polls every second.
describe('sending to webhooks', () => {
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    server = await startServer({ replace: { post } })
    const { db, queue } = server.deps
    const started = createWorker({
      db,
      clock: server.clock,
      queue,
      handlers: createJobHandlers(server.deps, server.features),
      ownLanes,
      lanes: 1,
      isAlone: true,
      onError: (kind, error) => expect.fail(`${kind}: ${error.message}`),
    })
    worker = started
    started.start()
    dispatcher = createWebhookDispatcher(server.deps)
    dispatcher.start()
    await quiet()
    // The start wakes it twice, so it reads once more after its pause.
    await pass(1_000)
    await quiet()
  })

  afterEach(() => vi.restoreAllMocks())

  afterAll(async () => {
    vi.useRealTimers()
    await Promise.all([dispatcher.stop(), worker.stop()])
    await server.stop()
  })

  test('makes no queries while nothing happens', async () => {
    const asked = vi.spyOn(Client.prototype, 'query')
    for (let second = 0; second < 120; second++) await pass(1_000)
    expect(asked.mock.calls).toEqual([])
  })

  test('happens at once for a test event, and again at the scheduled time when it failed', async () => {
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

  test('reads the log once for events that come while it pauses', async () => {
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
