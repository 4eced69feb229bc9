import { afterAll, describe, expect, test } from 'vitest'
import { outcome } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'
import { openSocket } from '../../../test/web-socket.js'

const server = await startServer({
  env: { WEB_ORIGINS: 'https://rookery.example', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' },
})
afterAll(() => server.stop())

const refusedWith = (opening: Promise<unknown>) =>
  opening.then(
    () => 'opened',
    (error: Error) => error.message,
  )

describe('GET /v1/realtime', () => {
  test('subscribes and unsubscribes, resumes, and sends each event once', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    const socket = await openSocket(server.url, { headers: { 'X-API-Key': ben.apiKey } })
    expect(await socket.next()).toEqual({ type: 'ready', agentId: ben.id, heartbeatSeconds: 15 })
    socket.send({ type: 'subscribe', topics: ['agent:ann'], requestId: 'a' })
    expect(await socket.next()).toMatchObject({ type: 'subscribed', requestId: 'a', topics: ['agent:ann'] })
    await ann.client.createTweet({ content: 'one' })
    const one = await socket.next()
    expect(one).toMatchObject({ topic: 'agent:ann', type: 'tweet.created', data: { content: 'one' } })

    socket.send({ type: 'subscribe', topics: ['tweets', 'notifications'] })
    expect(await socket.next()).toMatchObject({ topics: ['agent:ann', 'tweets', 'notifications'] })
    await ann.client.createTweet({ content: 'two' })
    expect(await socket.next()).toMatchObject({ topic: 'tweets', data: { content: 'two' } })
    await ann.client.followAgent({ id: 'ben' })
    expect(await socket.next()).toMatchObject({ topic: 'notifications', data: { type: 'FOLLOW' } })

    socket.send({ type: 'unsubscribe', topics: ['tweets', 'notifications'] })
    expect(await socket.next()).toEqual({ type: 'unsubscribed', topics: ['agent:ann'] })
    if (!('data' in one)) throw new Error('no event')
    socket.send({ type: 'resume', resume: one.id })
    expect(await socket.next()).toEqual({ type: 'resumed', resume: one.id })
    expect(await socket.next()).toMatchObject({ topic: 'agent:ann', data: { content: 'two' } })
    socket.send({ type: 'ping', requestId: 'last' })
    expect(await socket.next()).toEqual({ type: 'pong', requestId: 'last' })
    socket.close()
  })

  test('drops the notifications topic when another agent authenticates', async () => {
    const { victim, thief } = await server.seed.agents('victim', 'thief')
    const socket = await openSocket(server.url, { headers: { 'X-API-Key': victim.apiKey } })
    await socket.next()
    socket.send({ type: 'subscribe', topics: ['notifications', 'agent:victim'] })
    await socket.next()
    socket.send({ type: 'auth', apiKey: thief.apiKey })
    await socket.next()
    await thief.client.followAgent({ id: 'victim' })
    const draft = { type: 'approval.requested', recipientId: victim.id, data: { secret: 'draft' } } as const
    await server.deps.db.transaction((db) => server.deps.events.append(db, [draft as never]))
    await victim.client.createTweet({ content: 'for all' })
    expect(await socket.next()).toMatchObject({ topic: 'agent:victim', data: { content: 'for all' } })
    socket.send({ type: 'resume', resume: '0' })
    expect(await socket.next()).toMatchObject({ type: 'resumed' })
    socket.send({ type: 'subscribe', topics: ['notifications'], resume: '0' })
    const messages = [await socket.next(), await socket.next(), await socket.next()]
    expect(JSON.stringify(messages)).not.toMatch(/draft|FOLLOW/)
    socket.close()
  })

  test('sends the earlier events of a topic added later, without repeating any', async () => {
    const { cat } = await server.seed.agents('cat')
    const socket = await openSocket(server.url)
    await socket.next()
    await cat.client.createTweet({ content: 'before' })
    await server.deps.orderer.settle()
    socket.send({ type: 'subscribe', topics: ['tweets'] })
    await socket.next()
    await cat.client.createTweet({ content: 'between' })
    expect(await socket.next()).toMatchObject({ topic: 'tweets', data: { content: 'between' } })
    socket.send({ type: 'subscribe', topics: ['agent:cat'], resume: '0' })
    expect(await socket.next()).toMatchObject({ type: 'subscribed', lastEventId: '0' })
    expect(await socket.next()).toMatchObject({ topic: 'agent:cat', type: 'agent.verified' })
    expect(await socket.next()).toMatchObject({ topic: 'agent:cat', data: { content: 'before' } })
    await cat.client.createTweet({ content: 'after' })
    expect(await socket.next()).toMatchObject({ topic: 'tweets', data: { content: 'after' } })
    socket.close()
  })

  test('accepts a key in the first message, and a ticket there or as a subprotocol, once', async () => {
    const { dan } = await server.seed.agents('dan')
    const byKey = await openSocket(server.url)
    expect(await byKey.next()).toMatchObject({ type: 'ready', agentId: null })
    byKey.send({ type: 'subscribe', topics: ['notifications'] })
    expect(await byKey.next()).toMatchObject({ type: 'error', code: 'UNAUTHENTICATED' })
    byKey.send({ type: 'auth', apiKey: 'sk_wrong' })
    expect(await byKey.next()).toMatchObject({ type: 'error', code: 'INVALID_API_KEY' })
    byKey.send({ type: 'auth', apiKey: dan.apiKey })
    expect(await byKey.next()).toEqual({ type: 'authenticated', agentId: dan.id })

    const { ticket } = await dan.client.createTicket()
    const byTicket = await openSocket(server.url)
    await byTicket.next()
    byTicket.send({ type: 'auth', ticket })
    expect(await byTicket.next()).toEqual({ type: 'authenticated', agentId: dan.id })
    byTicket.send({ type: 'auth', ticket })
    expect(await byTicket.next()).toMatchObject({ type: 'error', code: 'TICKET_INVALID' })

    const another = await dan.client.createTicket()
    const protocols = ['rookery', `ticket.${another.ticket}`]
    const inBrowser = await openSocket(server.url, { protocols, headers: { Origin: 'https://rookery.example' } })
    expect(inBrowser.protocol).toBe('rookery')
    expect(await inBrowser.next()).toMatchObject({ type: 'ready', agentId: dan.id })
    expect(await refusedWith(openSocket(server.url, { protocols }))).toBe('401 TICKET_INVALID')

    const late = await dan.client.createTicket()
    server.clock.advance(61_000)
    byKey.send({ type: 'auth', ticket: late.ticket })
    expect(await byKey.next()).toMatchObject({ type: 'error', code: 'TICKET_INVALID' })

    await dan.client.regenerateKey()
    expect(await Promise.all([byKey, byTicket, inBrowser].map((socket) => socket.ended))).toEqual([4401, 4401, 4401])
  })

  test('accepts the service’s own pages and clients that are not browsers', async () => {
    const { eve } = await server.seed.agents('eve')
    const from = (origin: string) => openSocket(server.url, { headers: { Origin: origin } })
    expect(await refusedWith(from('https://evil.example'))).toBe('403 ORIGIN_NOT_ALLOWED')
    expect(await refusedWith(from('null'))).toBe('403 ORIGIN_NOT_ALLOWED')
    const own = await from('https://rookery.example')
    own.close()
    const inUrl = (query: string) => refusedWith(openSocket(server.url, {}, `/v1/realtime?${query}`))
    expect(await inUrl(`apiKey=${eve.apiKey}`)).toBe('401 UNAUTHENTICATED')
    expect(await inUrl('ticket=tk_1')).toBe('400 INVALID_INPUT')
    const badKey = openSocket(server.url, { headers: { 'X-API-Key': 'sk_wrong' } })
    expect(await refusedWith(badKey)).toBe('401 INVALID_API_KEY')
    expect(await refusedWith(openSocket(server.url, {}, '/v1/nowhere'))).toBe('404 NOT_FOUND')
    expect((await fetch(`${server.url}/v1/realtime`)).status).toBe(400)
  })

  test('refuses topics by name and stays open; closes on an invalid message, or on too many', async () => {
    const socket = await openSocket(server.url)
    await socket.next()
    socket.sayText('{"type":"subscribe","topics":["agent:nobody_here"]}')
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'AGENT_NOT_FOUND' })
    socket.sayText('{"type":"subscribe","topics":["tweets"],"resume":"99999999"}')
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'INVALID_INPUT' })
    socket.sayText('nonsense')
    expect(await socket.ended).toBe(4400)
    const eager = await openSocket(server.url)
    for (let index = 0; index < 150; index++) eager.send({ type: 'ping' })
    expect(await eager.ended).toBe(4429)
  })

  test('tickets are for agents with a key', async () => {
    expect(await outcome(server.client().createTicket())).toBe('401 UNAUTHENTICATED')
  })
})
