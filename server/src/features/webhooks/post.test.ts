import { afterAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.js'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'
import { createPost } from './post.js'

const receiver = await startReceiver()
const server = await startServer({ env: { WEBHOOKS_LOOPBACK: 'no' } })
afterAll(async () => {
  await receiver.stop()
  await server.stop()
})

const ADDRESSES = [
  ['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.0.0.8'],
  ['192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:127.0.0.1'],
  ['::ffff:169.254.169.254', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2001::1', '2002:7f00:1::', 'fc00::1'],
  ['fd00:ec2::254', 'fe80::1', 'fec0::1', 'ff02::1', '100::1', '2001:db8::1'],
].flat()

describe('posting to URLs that agents chose', () => {
  test.each(ADDRESSES)('refuses %s, written out or behind a name', async (address) => {
    const family = address.includes(':') ? 6 : 4
    const post = createPost({
      lookup: (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family)),
    })
    const written = family === 6 ? `[${address}]` : address
    for (const host of [written, 'hooks.example.com'])
      expect(await post(`https://${host}/`, {}, '')).toEqual({ error: expect.stringContaining('not allowed') })
  })

  test('connects to the address that was checked, even if the name resolves differently later', async () => {
    let asked = 0
    const post = createPost({
      lookup: (_host, _options, done) => done(null, [{ address: ++asked === 1 ? '127.0.0.1' : '8.8.8.8', family: 4 }]),
    })
    expect(await post('https://rebinding.example.com/', {}, '')).toEqual({
      error: expect.stringContaining('not allowed'),
    })
    expect(asked).toBe(1)
  })

  test('limits the size of an answer and the time to wait for it', async () => {
    const post = createPost({ allowPrivate: true })
    expect(await post(receiver.url, {}, '{}')).toEqual({ statusCode: 200 })
    expect(await post('http://127.0.0.1:1/', {}, '{}')).toEqual({ error: expect.stringContaining('ECONNREFUSED') })
  })

  test('refuses at once a URL that can never be allowed', async () => {
    const { ann } = await server.seed.agents('ann')
    for (const url of [
      'http://hooks.example.com/',
      'https://localhost/',
      'https://intranet/',
      'ftp://hooks.example.com/',
      'https://user:secret@hooks.example.com/',
      'https://127.0.0.1/',
      'https://[::ffff:10.0.0.1]/',
      'https://0x7f000001/',
      'nonsense',
    ])
      expect(await refused(ann.client.createWebhook({ url }))).toBe('400 WEBHOOK_URL_REFUSED')
    const { webhook } = await ann.client.createWebhook({ url: 'https://hooks.example.com/' })
    expect(webhook.status).toBe('active')
  })
})
