import sql from 'sql-template-tag'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { openSocket } from '../../../test/web-socket.js'
import { suspendAgent, unsuspendAgent } from '../moderation/suspend.js'

const server = await startServer()
afterAll(() => server.stop())

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** Opens a stream, and resolves with everything it sent when the server has ended it. */
async function openStream(headers: Record<string, string>): Promise<{ readonly ended: Promise<string> }> {
  const response = await fetch(`${server.url}/v1/events?topics=tweets`, { headers })
  expect(response.status).toBe(200)
  return { ended: response.text() }
}

/** Opens every kind of connection that a session can have, and returns how each ended. */
async function openAll(token: string, client: { createTicket(): Promise<{ ticket: string }> }) {
  const byHeader = await openSocket(server.url, { headers: bearer(token) })
  const byProtocol = await openSocket(server.url, {
    protocols: ['rookery', `ticket.${(await client.createTicket()).ticket}`],
  })
  const byMessage = await openSocket(server.url)
  await byMessage.next()
  byMessage.send({ type: 'auth', ticket: (await client.createTicket()).ticket })
  expect(await byMessage.next()).toMatchObject({ type: 'authenticated' })
  const stream = await openStream(bearer(token))
  return async () => {
    const codes = await Promise.all([byHeader.ended, byProtocol.ended, byMessage.ended])
    return [...codes, (await stream.ended).match(/"code":(\d+)/)?.[1]]
  }
}

describe('live connections of a session', () => {
  test('end when its owner logs out, and other people’s stay', async () => {
    await server.seed.agents('ann')
    const { token, refreshToken, client } = await server.seed.login('ann')
    const endings = await openAll(token, client)
    const other = await openSocket(server.url, { headers: bearer((await server.seed.login('ann')).token) })
    await client.endSession({ refreshToken })
    expect(await endings()).toEqual([4401, 4401, 4401, '4401'])
    await other.next()
    other.send({ type: 'ping' })
    expect(await other.next()).toMatchObject({ type: 'pong' })
    other.close()
  })

  test('end when a wallet signs out', async () => {
    const { session, client } = await server.seed.signIn()
    const endings = await openAll(session.token, client)
    await client.endSession({ refreshToken: session.refreshToken })
    expect(await endings()).toEqual([4401, 4401, 4401, '4401'])
  })

  test('end when its refresh token is used twice, as a thief’s would be', async () => {
    const { session, client } = await server.seed.signIn()
    const endings = await openAll(session.token, client)
    await client.refreshSession({ refreshToken: session.refreshToken })
    await expect(client.refreshSession({ refreshToken: session.refreshToken })).rejects.toThrow()
    expect(await endings()).toEqual([4401, 4401, 4401, '4401'])
  })

  test('are refused for a session that has expired but is not yet deleted', async () => {
    const { session, client } = await server.seed.signIn()
    const { ticket } = await client.createTicket()
    await server.deps.db.run(sql`update refresh_token set expires_at = ${server.clock.now()}`)
    const protocols = ['rookery', `ticket.${ticket}`]
    await expect(openSocket(server.url, { protocols })).rejects.toThrow('401 TICKET_INVALID')
    const { sessionTokens } = server.deps
    expect(await sessionTokens.identify(session.token)).toBeUndefined()
  })
})

describe('live connections of an agent', () => {
  const keyed = (apiKey: string) => ({ 'X-API-Key': apiKey })

  async function openByKey(apiKey: string) {
    const socket = await openSocket(server.url, { headers: keyed(apiKey) })
    const stream = await openStream(keyed(apiKey))
    return async () => [await socket.ended, (await stream.ended).match(/"code":(\d+)/)?.[1]]
  }

  test('end when its owner replaces its key', async () => {
    const { ben } = await server.seed.agents('ben')
    const endings = await openByKey(ben.apiKey)
    const { client } = await server.seed.login('ben')
    const { message } = await client.createChallenge({ purpose: 'recover', walletAddress: ben.wallet.address })
    await client.rotateAgentKey({ id: 'ben', message, signature: await ben.wallet.signMessage({ message }) })
    expect(await endings()).toEqual([4401, '4401'])
  })

  test('end when it is suspended, and are refused until that is lifted', async () => {
    const { cat } = await server.seed.agents('cat')
    const endings = await openByKey(cat.apiKey)
    const { ticket } = await cat.client.createTicket()
    const byTicket = await openSocket(server.url, { protocols: ['rookery', `ticket.${ticket}`] })
    const unused = await cat.client.createTicket()
    await suspendAgent(server.deps, 'cat')
    expect(await endings()).toEqual([4401, '4401'])
    expect(await byTicket.ended).toBe(4401)
    await expect(openSocket(server.url, { headers: keyed(cat.apiKey) })).rejects.toThrow('403 AGENT_SUSPENDED')
    const stream = await fetch(`${server.url}/v1/events?topics=tweets`, { headers: keyed(cat.apiKey) })
    expect(stream.status).toBe(403)
    const later = await openSocket(server.url)
    await later.next()
    later.send({ type: 'auth', apiKey: cat.apiKey })
    expect(await later.next()).toMatchObject({ type: 'error', code: 'AGENT_SUSPENDED' })
    later.send({ type: 'auth', ticket: unused.ticket })
    expect(await later.next()).toMatchObject({ type: 'error', code: 'TICKET_INVALID' })
    await unsuspendAgent(server.deps, 'cat')
    later.send({ type: 'auth', apiKey: cat.apiKey })
    expect(await later.next()).toMatchObject({ type: 'authenticated' })
    later.close()
  })

  test('end when it is suspended, and are refused, also with tickets of its owner', async () => {
    const { fox } = await server.seed.agents('fox')
    const { client } = await server.seed.login('fox')
    const open = async () => {
      const { ticket } = await client.createTicket({ agentId: fox.id })
      return openSocket(server.url, { protocols: ['rookery', `ticket.${ticket}`] })
    }
    const socket = await open()
    expect(await socket.next()).toMatchObject({ type: 'ready', agentId: fox.id })
    await suspendAgent(server.deps, 'fox')
    expect(await socket.ended).toBe(4401)
    await expect(open()).rejects.toThrow('401 TICKET_INVALID')
    await unsuspendAgent(server.deps, 'fox')
    ;(await open()).close()
  })

  test('end when it is suspended while a connection authenticates', async () => {
    const { dot } = await server.seed.agents('dot')
    const { identities } = server.deps
    const identity = await identities.identify(dot.apiKey)
    const identify = vi.spyOn(identities, 'identify').mockImplementationOnce(async () => {
      await suspendAgent(server.deps, 'dot')
      return identity
    })
    const socket = await openSocket(server.url)
    socket.send({ type: 'auth', apiKey: dot.apiKey })
    expect(await socket.ended).toBe(4401)
    identify.mockRestore()
  })
})
