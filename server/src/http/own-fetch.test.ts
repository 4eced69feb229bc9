import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { createOwnFetch } from './own-fetch.js'

const app = Fastify({ genReqId: ({ headers }) => String(headers['x-request-id']) })
let release = () => {}
app.post('/echo/:id', ({ ip, id, headers, body, url }) => ({
  ...{ ip, id, url, body },
  key: headers['x-api-key'],
  parent: headers.traceparent,
}))
app.get('/never', () => new Promise<string>((resolve) => (release = () => resolve('late'))))
afterAll(() => app.close())

const ownFetch = createOwnFetch(app, { ip: '192.0.2.7', id: 'request-1', span: { traceparent: '00-1-2-01' } } as never)

test('a call inside the process comes from the address of the caller, under its request id and below its span', async () => {
  const headers = { 'X-API-Key': 'sk_x', 'Content-Type': 'application/json' }
  const response = await ownFetch('http://localhost/echo/1?a=%C3%A9', { method: 'POST', headers, body: '{"b":2}' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('json')
  expect(await response.json()).toEqual({
    ip: '192.0.2.7',
    id: 'request-1',
    url: '/echo/1?a=%C3%A9',
    body: { b: 2 },
    key: 'sk_x',
    parent: '00-1-2-01',
  })
})

test('nobody waits for the answer once the caller has left', async () => {
  const left = new AbortController()
  const answering = ownFetch('http://localhost/never', { signal: left.signal })
  left.abort(new Error('gone'))
  await expect(answering).rejects.toThrow('gone')
  await expect(ownFetch('http://localhost/never', { signal: left.signal })).rejects.toThrow('gone')
  release()
})
