import { describe, expect, test } from 'vitest'
import { createCredentialFetch } from './credential-fetch.js'

/** A service that accepts one token, and what it was sent. */
function openService(accepted: string | undefined) {
  const sent: (string | null)[] = []
  const send = (async (_: unknown, init?: RequestInit) => {
    const given = new Headers(init?.headers).get('Authorization')
    sent.push(given)
    return new Response(null, { status: given === null || given === accepted ? 200 : 401 })
  }) as typeof fetch
  return { send, sent }
}

const nothing = async () => undefined

describe('A fetch with a credential', () => {
  test('sends the credential of the moment, besides the headers of the call', async () => {
    const tokens = ['one', 'two']
    const seen: Record<string, string>[] = []
    const send = (async (_: unknown, init?: RequestInit) => {
      seen.push(Object.fromEntries(new Headers(init?.headers)))
      return new Response()
    }) as typeof fetch
    const read = createCredentialFetch(
      { find: async () => ({ Authorization: tokens.shift() ?? '' }), renew: nothing },
      send,
    )
    await read('/', { headers: { Accept: 'text/event-stream' } })
    await read('/')
    expect(seen).toEqual([{ accept: 'text/event-stream', authorization: 'one' }, { authorization: 'two' }])
  })

  test('renews a refused credential, once', async () => {
    const { send, sent } = openService('new')
    const find = async () => ({ Authorization: 'old' })
    const renew = async () => ({ Authorization: 'new' })
    expect((await createCredentialFetch({ find, renew }, send)('/')).status).toBe(200)
    expect(sent).toEqual(['old', 'new'])
    const bad = openService(undefined)
    expect((await createCredentialFetch({ find, renew }, bad.send)('/')).status).toBe(401)
    expect(bad.sent).toEqual(['old', 'new'])
  })

  test('reads as anyone when the session has ended', async () => {
    const { send, sent } = openService(undefined)
    const find = async () => ({ Authorization: 'old' })
    expect((await createCredentialFetch({ find, renew: async () => ({}) }, send)('/')).status).toBe(200)
    expect(sent).toEqual(['old', null])
  })

  test('renews a credential that an open endpoint says it has ignored, and keeps the answer if it cannot', async () => {
    const sent: (string | null)[] = []
    const send = (async (_: unknown, init?: RequestInit) => {
      const given = new Headers(init?.headers).get('Authorization')
      sent.push(given)
      const ignored = { 'WWW-Authenticate': 'Bearer realm="rookery", error="invalid_token"' }
      return new Response(given, given === 'new' ? {} : { headers: ignored })
    }) as typeof fetch
    const find = async () => ({ Authorization: 'old' })
    const renew = async () => ({ Authorization: 'new' })
    expect(await (await createCredentialFetch({ find, renew }, send)('/')).text()).toBe('new')
    expect(sent).toEqual(['old', 'new'])
    const fail = () => Promise.reject(new Error('offline'))
    expect(await (await createCredentialFetch({ find, renew: fail }, send)('/')).text()).toBe('old')
  })

  test('leaves the refusal of a key as it is', async () => {
    const { send, sent } = openService(undefined)
    const find = async () => ({ Authorization: 'key' })
    expect((await createCredentialFetch({ find, renew: nothing }, send)('/')).status).toBe(401)
    expect(sent).toEqual(['key'])
  })
})
