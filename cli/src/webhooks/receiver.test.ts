import { connect } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { startReceiver } from './receiver.js'

const SECRET = `whsec_${Buffer.from('a secret of 24 characters').toString('base64')}`

test('a sender that hangs up in the middle leaves the receiver working', async () => {
  const told: string[] = []
  const receiver = await startReceiver({
    port: 0,
    onDelivery: async ({ id }) => {
      told.push(id)
      return 204
    },
    onRefused: (reason) => told.push(reason),
  })
  receiver.trust(SECRET)
  const url = `http://127.0.0.1:${receiver.port}/`
  // An unhandled rejection would fail this test.
  const cut = connect(receiver.port, '127.0.0.1')
  const half = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"half":'
  await new Promise<void>((resolve) => cut.write(half, () => resolve()))
  cut.destroy()

  const body = JSON.stringify({ type: 'webhook.ping' })
  const at = new Date()
  const headers = {
    'webhook-id': 'whole',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign('whole', at, body),
  }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(204)
  await receiver.close()
  expect(told).toEqual(['whole'])
})
