import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { readConfig } from '../config/config.js'
import { createHostCheck } from './hosts.js'

const server = await startServer({
  env: {
    WEB_URL: 'http://rookery.test',
    WEB_ORIGINS: 'http://page.test:5173',
    ALLOWED_HOSTS: 'rookery, Inner.example',
    ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
  },
})
afterAll(() => server.stop())
const { port } = new URL(server.url)

interface Answer {
  readonly status: number
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

function call(host: string, path = '/v1/agents', method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { Host: host } }
    request(options, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text) => {
        body += text
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }))
    })
      .once('error', reject)
      .end()
  })
}

describe('a request for a host', () => {
  test.each([
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evil.example.',
    'rookery.test.evil.example',
    'xrookery.test',
    'localhost@evil.example',
    '[::1].evil.example',
    '2130706433',
    '0x7f.1',
  ])('of others (%s) is 421', async (host) => {
    const { status, body, headers } = await call(host)
    expect([status, JSON.parse(body).code]).toEqual([421, 'HOST_NOT_ALLOWED'])
    // Closed, so that a body cannot go on arriving.
    expect(headers).toMatchObject({ connection: 'close', 'x-request-id': JSON.parse(body).requestId })
  })

  test.each(['/', '/SKILL.md', '/v1/config', '/openapi.json', '/media/x.png', '/local/x/posts', '/nowhere'])(
    'of others is 421 on %s, with any method',
    async (path) => {
      for (const method of ['GET', 'POST', 'OPTIONS'])
        expect((await call('evil.example', path, method)).status).toBe(421)
    },
  )

  test.each([
    `localhost:${port}`,
    'LOCALHOST',
    `127.0.0.1:${port}`,
    '127.0.0.1:8080',
    '[::1]:3000',
    '10.1.2.3:3000',
    'rookery.test',
    'Rookery.Test.',
    'page.test',
    'rookery:3000',
    'inner.example',
  ])('of ours (%s) is answered', async (host) => {
    expect((await call(host)).status).toBe(200)
  })

  test.each(['/v1/health', '/metrics'])('of any name is answered on %s, for probes', async (path) => {
    expect((await call('pod-7.rookery.svc.cluster.local', path)).status).toBe(200)
  })

  test('of others opens no WebSocket', async () => {
    const socket = connect(Number(port), '127.0.0.1')
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.write(
      'GET /v1/realtime HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    expect(await answer).toMatch(/^HTTP\/1\.1 421 /)
    socket.destroy()
  })

  test('is answered without a name, which no browser omits', async () => {
    const socket = connect(Number(port), '127.0.0.1')
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.write('GET /v1/agents HTTP/1.0\r\n\r\n')
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })
})

describe('ALLOWED_HOSTS', () => {
  test('* allows every name', () => {
    expect(
      createHostCheck(readConfig({ ALLOWED_HOSTS: '*', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }))('evil.example'),
    ).toBe(true)
    expect(createHostCheck(readConfig({}))('evil.example')).toBe(false)
  })

  test.each(['https://a.example', 'a.example:3000', 'a.example/x', 'a b', '*.example'])('cannot be %s', (value) => {
    expect(() => readConfig({ ALLOWED_HOSTS: value })).toThrow(/^ALLOWED_HOSTS must/)
  })
})
