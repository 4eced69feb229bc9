import { createServer } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.js'
import { refusal } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'
import { readConfig } from '../../config/config.js'
import { allowsLoopbackWebhooks } from '../../config/exposure.js'
import { openPost } from './open-post.js'
import { createPost } from './post.js'

const receiver = await startReceiver()
const server = await startServer()
afterAll(async () => {
  await receiver.stop()
  await server.stop()
})
const { ann } = await server.seed.agents('ann')
const { port } = new URL(receiver.url)

describe('webhooks at home', () => {
  test('reach a receiver on this machine, by each of its names, and the service says so', async () => {
    expect((await server.client().getConfig()).features.webhookLoopback).toBe(true)
    const post = openPost(server.deps)
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST', '0x7f000001'])
      expect(await post(`http://${host}:${port}/hook`, {}, '{}'), host).toEqual({ statusCode: 200 })
    const { webhook } = await ann.client.createWebhook({ url: receiver.url })
    await ann.client.pingWebhook({ id: webhook.id })
    await server.drain()
    expect(receiver.received.at(-1)?.body).toContain('webhook.ping')
    const { data } = await ann.client.listWebhookDeliveries({ id: webhook.id })
    expect(data.map(({ status }) => status)).toEqual(['delivered'])
  })

  test('never lead back to the service, its chain or its database', async () => {
    for (const own of [server.config.PORT, server.config.CHAIN_PORT]) {
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.1.2.3'])
        expect(await refusal(ann.client.createWebhook({ url: `http://${host}:${own}/v1/tweets` }))).toMatchObject({
          code: 'WEBHOOK_URL_REFUSED',
          message: 'A webhook’s URL must not lead back to this service.',
        })
    }
    const config = readConfig({ DATABASE_URL: 'postgres://u@localhost:6543/x', REDIS_URL: 'redis://localhost:6380' })
    const embeddedChain = { rpcUrl: 'http://127.0.0.1:4321' } as typeof server.deps.embeddedChain
    const { refuse } = openPost({ ...server.deps, config, embeddedChain })
    for (const own of [3000, 6543, 6380, 4321]) expect(refuse(`http://127.0.0.1:${own}/`), String(own)).toBeDefined()
    expect(refuse('http://127.0.0.1:4322/')).toBeUndefined()
  })

  test('reach nothing else that is private, neither by name nor by redirect', async () => {
    for (const url of [
      'http://hooks.example.com/',
      'http://10.0.0.1/',
      'https://192.168.1.1/',
      'http://0.0.0.0:8080/',
      'https://169.254.169.254/',
      'http://[fe80::1]/',
      'http://localhost.example/',
      'https://intranet/',
    ])
      expect(await refusal(ann.client.createWebhook({ url })), url).toMatchObject({
        code: 'WEBHOOK_URL_REFUSED',
        message: expect.stringContaining('or one on this machine such as http://127.0.0.1:8080'),
      })
    const post = createPost({
      loopback: { isOwnPort: () => false },
      lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    expect(await post(`https://rebinding.example.com:${port}/`, {}, '')).toEqual({
      error: expect.stringContaining('not allowed'),
    })
    const seen = receiver.received.length
    const redirecting = createServer((_, response) => response.writeHead(307, { Location: receiver.url }).end())
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
    const { port: other } = redirecting.address() as { port: number }
    expect(await post(`http://127.0.0.1:${other}/`, {}, '{}')).toEqual({ statusCode: 307 })
    redirecting.closeAllConnections()
    await new Promise((resolve) => redirecting.close(resolve))
    expect(receiver.received.length).toBe(seen)
  })

  test.each([
    [{}, true],
    [{ WEB_URL: 'http://localhost:3000' }, true],
    [{ WEB_URL: 'http://[::1]:3000', HOST: '::1' }, true],
    [{ WEBHOOKS_LOOPBACK: 'no' }, false],
    [{ HOST: '0.0.0.0', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }, false],
    [{ WEB_URL: 'https://rookery.example', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }, false],
    [{ WEB_URL: 'http://rookery.example', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }, false],
    [{ SOCIAL_NETWORK: 'x-oembed' }, false],
    [
      {
        CHAIN_RPC_URL: 'https://bsc.example',
        CHAIN_ID: '56',
        CONTRACT_ADDRESS: `0x${'12'.repeat(20)}`,
        ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
      },
      false,
    ],
  ])('with %j are allowed: %s', (env, isAllowed) => {
    const config = readConfig(env)
    expect(allowsLoopbackWebhooks(config)).toBe(isAllowed)
    const { refuse } = openPost({ ...server.deps, config })
    expect(refuse('http://127.0.0.1:9999/') === undefined).toBe(isAllowed)
    expect(refuse('https://hooks.example.com/')).toBeUndefined()
  })
})
