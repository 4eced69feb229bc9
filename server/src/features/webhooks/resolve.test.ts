import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { startNameServer } from '../../../test/name-server.js'
import { startReceiver } from '../../../test/receiver.js'
import { startServer } from '../../../test/start-server.js'
import { createWorker } from '../../foundation/jobs/worker.js'
import { createJobHandlers, ownLanes } from '../../start/job-handlers.js'
import { createPost } from './post.js'
import { createResolve } from './resolve.js'

const WITHIN = { timeout: 20_000 }
const names = await startNameServer({ 'fast.example': '127.0.0.1' })
const receiver = await startReceiver()
const clock = createTestClock()
const servers = [names.address]
const { port } = new URL(receiver.url)
// Private addresses are allowed because the receiver has one.
const post = createPost({ allowPrivate: true, lookup: createResolve({ clock, servers }) })
const server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' }, replace: { post } })
afterAll(async () => {
  await server.stop()
  await receiver.stop()
  await names.stop()
})

describe('names whose server never answers', () => {
  test('do not delay the deliveries of another agent', async () => {
    const { slow, fast } = await server.seed.agents('slow', 'fast')
    const webhooks: string[] = []
    for (let index = 0; index < 10; index++)
      webhooks.push((await slow.client.createWebhook({ url: `https://silent${index}.example/` })).webhook.id)
    const { webhook } = await fast.client.createWebhook({ url: `http://fast.example:${port}/hook` })
    for (const id of webhooks) await slow.client.pingWebhook({ id })
    const { db, queue } = server.deps
    const handlers = createJobHandlers(server.deps, server.features)
    const onError = (kind: string, error: Error) => expect.fail(`${kind}: ${error.message}`)
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
    const silent = () => names.asked.filter((name) => name.startsWith('silent'))
    await expect.poll(silent, WITHIN).not.toEqual([])
    await fast.client.pingWebhook({ id: webhook.id })
    await expect.poll(() => receiver.received.length, WITHIN).toBe(1)
    await worker.stop()
  })

  test('take neither the threads of this process nor the time of other names', async () => {
    let ended = 0
    const waiting = Array.from({ length: 50 }, (_, index) =>
      post(`https://never${index}.example/`, {}, '').then((outcome) => {
        ended++
        return outcome
      }),
    )
    expect(await post(`http://fast.example:${port}/`, {}, '')).toEqual({ statusCode: 200 })
    await readFile(new URL(import.meta.url))
    expect(ended).toBe(0)
    for (const outcome of await Promise.all(waiting))
      expect(outcome).toEqual({ error: expect.stringContaining('TIMEOUT') })
  })

  test('are not asked for again for a minute', async () => {
    const countAsked = () => names.asked.filter((name) => name === 'gone.example').length
    const call = () => post('https://gone.example/', {}, '')
    expect(await call()).toEqual({ error: expect.stringContaining('TIMEOUT') })
    const asked = countAsked()
    expect(asked).toBeGreaterThan(0)
    expect(await call()).toEqual({ error: expect.stringContaining('TIMEOUT') })
    expect(countAsked()).toBe(asked)
    clock.advance(61_000)
    await call()
    expect(countAsked()).toBe(2 * asked)
  })
})

describe('where only public addresses are allowed', () => {
  test('names are asked of DNS alone, and checked', async () => {
    const strict = createPost({ nameServers: servers })
    expect(await strict('https://fast.example/', {}, '')).toEqual({
      error: 'fast.example is not allowed: it leads to no public address',
    })
  })
})
