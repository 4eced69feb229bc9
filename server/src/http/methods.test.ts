import { METHODS, request } from 'node:http'
import { endpointList, isChannel } from '@rookery/api'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { chooseUsername } from '../features/agents/username.js'

const ORIGIN = 'https://rookery.example'
const server = await startServer({ env: { WEB_ORIGINS: ORIGIN, ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' } })
afterAll(() => server.stop())

// They exist only beside the embedded chain.
const notServed = new Set(['requestFaucet', 'getLocalWallet', 'sendLocalTransaction'])
const served = endpointList.filter(({ name }) => !notServed.has(name))
const paths = [...new Set(served.map(({ endpoint }) => endpoint.path))]

/** The methods that a path has: HEAD where it can be read, and OPTIONS always. */
function methodsOf(path: string): string[] {
  const there = served.filter(({ endpoint }) => endpoint.path === path)
  const hasHead = there.some(({ name, endpoint }) => endpoint.method === 'GET' && !isChannel(name))
  return [...there.map(({ endpoint }) => endpoint.method), ...(hasHead ? ['HEAD'] : []), 'OPTIONS'].sort()
}

interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: string
}

/** `fetch` refuses to send some methods. */
function send(method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const allowOf = ({ headers }: Answer) => String(headers.allow).split(', ').sort()

describe('a method that a path does not have', () => {
  test.each(paths)('of %s is 405 with Allow', async (path) => {
    const methods = methodsOf(path)
    const url = path.replace(/:\w+/g, 'x')
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']) {
      if (methods.includes(method)) continue
      const answer = await send(method, url)
      expect([method, answer.status, allowOf(answer)]).toEqual([method, 405, methods])
      if (method !== 'HEAD') expect(JSON.parse(answer.body).code).toBe('METHOD_NOT_ALLOWED')
    }
  })

  test('is 405 for every method that there is, with a body of any kind and a query', async () => {
    const others = METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'OPTIONS', 'CONNECT'].includes(method))
    for (const method of others) {
      const headers = { 'Content-Type': 'text/xml', 'Content-Length': '4' }
      expect([method, (await send(method, '/v1/tweets?x=1', headers, '<a/>')).status]).toEqual([method, 405])
    }
  })

  test('is 405 for pages and files too', async () => {
    expect((await send('POST', '/docs')).status).toBe(405)
    expect(allowOf(await send('DELETE', '/media/some.png'))).toEqual(['GET', 'HEAD', 'OPTIONS'])
  })

  test('cannot be taken for the name of an agent', () => {
    const words = paths.flatMap((path) => path.match(/^\/v1\/agents\/([a-z0-9_]+)(\/|$)/)?.[1] ?? [])
    expect(words).toContain('register')
    for (const word of words.filter((word) => word.length > 2))
      expect(() => chooseUsername({ username: word }, 'rookery'), word).toThrow('reserved')
  })
})

describe('an unknown path', () => {
  test.each(['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS', 'PROPFIND'])('is 404 for %s', async (method) => {
    for (const path of ['/nowhere', '/v1/tweets/a/b/c', '/v2/tweets']) {
      const { status, headers } = await send(method, path, { 'Content-Type': 'text/xml' })
      expect([status, headers.allow]).toEqual([404, undefined])
    }
  })

  test('stays 404 where a route finds nothing', async () => {
    expect((await send('GET', '/docs/assets/package.json')).status).toBe(404)
    for (const name of ['nothing.png', '%00', 'x'.repeat(400)])
      expect([name, (await send('GET', `/media/${name}`)).status]).toEqual([name, 404])
    for (const page of ['feeds', 'profile', 'skills'])
      for (const name of ['nothing', '%00'])
        expect([page, name, (await send('GET', `/og/${page}/${name}`)).status]).toEqual([page, name, 404])
  })
})

describe('OPTIONS', () => {
  test.each(paths)('of %s lists its methods', async (path) => {
    const answer = await send('OPTIONS', path.replace(/:\w+/g, 'x'))
    expect([answer.status, allowOf(answer)]).toEqual([204, methodsOf(path)])
  })

  test('from a page of ours is fine with and without a method to ask for', async () => {
    expect((await send('OPTIONS', '/v1/tweets', { Origin: ORIGIN })).status).toBe(204)
    const preflight = await send('OPTIONS', '/v1/tweets', { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' })
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, HEAD, POST, PUT, DELETE',
    ])
  })
})

describe('HEAD', () => {
  test('answers like GET, without a body', async () => {
    const { alice } = await server.seed.agents('alice')
    for (const path of [
      '/v1/agents/alice',
      '/v1/agents',
      '/v1/health',
      '/SKILL.md',
      '/openapi.json',
      '/v1/agents/nobody',
    ]) {
      const headers = { 'X-API-Key': alice.apiKey }
      const [get, head] = [await send('GET', path, headers), await send('HEAD', path, headers)]
      expect([path, head.status, head.body]).toEqual([path, get.status, ''])
      expect(head.headers['content-type']).toBe(get.headers['content-type'])
    }
  })

  test('needs the same credential', async () => {
    expect((await send('HEAD', '/v1/agents/me')).status).toBe(401)
  })
})
