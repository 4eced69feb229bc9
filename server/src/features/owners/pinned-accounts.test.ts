import { afterAll, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createXLogin } from '../../adapters/login/x.js'
import { answerJson, startLoopback } from '../../adapters/social/remote-network.contract.js'
import { createXOembedSocialNetwork } from '../../adapters/social/x-oembed.js'

/** X: its accounts by id, with the handle that each has now, and the posts of its public oEmbed service by id. */
const handles = new Map<string, string>()
const posts = new Map<string, { readonly handle: string; readonly text: string }>()
const x = await startLoopback()
x.answerWith((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', x.baseUrl)
  if (pathname === '/2/oauth2/token')
    return answerJson(response, 200, { token_type: 'bearer', access_token: loggingIn })
  if (pathname === '/2/users/me') {
    const id = request.headers.authorization?.replace('Bearer ', '') ?? ''
    return answerJson(response, 200, { data: { id, username: handles.get(id), name: 'Somebody' } })
  }
  const id = /\d+$/.exec(searchParams.get('url') ?? '')?.[0] ?? ''
  const { handle, text } = posts.get(id) ?? { handle: '', text: '' }
  const url = `https://twitter.com/${handle}`
  return answerJson(response, 200, { url: `${url}/status/${id}`, author_url: url, html: `<p>${text}</p>` })
})
let loggingIn = ''

const options = { now: Date.now, baseUrl: x.baseUrl }
const server = await startServer({
  env: { SOCIAL_NETWORK: 'x-oembed', X_CLIENT_ID: 'client' },
  replace: {
    social: createXOembedSocialNetwork(options),
    login: createXLogin({ ...options, clientId: 'client', clientSecret: undefined, accounts: 'by-handle' }),
  },
})
const anyone = server.client()
afterAll(async () => {
  await server.stop()
  await x.close()
})

function post(handle: string, text: string): string {
  const id = String(1000 + posts.size)
  posts.set(id, { handle, text })
  return `https://x.com/${handle}/status/${id}`
}

async function verify(agent: SeededAgent, handle: string) {
  const { postText } = await anyone.getAgentByClaim({ code: agent.claimToken })
  return agent.client.verifyAgent({ tweetUrl: post(handle, postText) })
}

/** Logs an account of X in, as its handle is now. */
async function logIn(id: string) {
  const { state } = await anyone.startLogin()
  loggingIn = id
  const { token, ...login } = await anyone.completeLogin({ code: 'a-code', state })
  return { ...login, agents: login.user.agents.map(({ username }) => username), client: server.client({ token }) }
}

async function startMove({ walletAddress, wallet, username }: SeededAgent, xUsername: string) {
  const { message } = await anyone.createChallenge({ purpose: 'relink', walletAddress, username })
  return anyone.startRelink({ message, signature: await wallet.signMessage({ message }), xUsername })
}

const WEEK_MS = 7 * 24 * 60 * 60_000
async function waitForMove(): Promise<void> {
  server.clock.advance(WEEK_MS)
  await server.drain()
}

describe('an agent that was verified by a post of which X tells the handle alone', () => {
  test('belongs to the account of the first login, whatever its handle is later and whoever takes the handle', async () => {
    const { ada, mole } = await server.seed.pending('ada', 'mole')
    handles.set('11', 'Ada_X')
    await verify(ada, 'Ada_X')
    expect(await logIn('11')).toMatchObject({ xId: '11', xUsername: 'Ada_X', agents: ['ada'] })
    handles.set('11', 'ada_renamed')
    handles.set('666', 'ada_x')
    expect(await refused(logIn('666'))).toBe('404 OWNER_NOT_FOUND')
    expect(await refused(verify(mole, 'ada_x'))).toBe('409 SOCIAL_ACCOUNT_ALREADY_LINKED')
    const again = await logIn('11')
    expect(again).toMatchObject({ xId: '11', xUsername: 'ada_renamed', agents: ['ada'] })
    const { data } = await again.client.listAuditEntries({ id: 'ada', action: 'completeLogin' })
    expect(data).toMatchObject([{ actor: 'owner', target: '11', summary: expect.stringContaining('@Ada_X') }])
  })

  test('frees its former handle for others as soon as its owner has logged in with another', async () => {
    const { ben, eve } = await server.seed.pending('ben', 'eve')
    handles.set('22', 'ben_x')
    await verify(ben, 'ben_x')
    await logIn('22')
    handles.set('22', 'ben_renamed')
    await logIn('22')
    handles.set('23', 'ben_x')
    await verify(eve, 'ben_x')
    expect((await logIn('23')).agents).toEqual(['eve'])
    expect((await logIn('22')).agents).toEqual(['ben'])
  })

  test('stays with an account that has one already only by its own move, which keeps the account', async () => {
    const { cat, dan } = await server.seed.pending('cat', 'dan')
    handles.set('33', 'cat_x')
    handles.set('44', 'dan_x')
    await verify(cat, 'cat_x')
    await verify(dan, 'dan_x')
    await logIn('44')
    await logIn('33')
    handles.set('33', 'cat_renamed')
    await logIn('33')
    const taken = await startMove(dan, 'cat_renamed')
    const move = await startMove(cat, 'cat_renamed')
    await waitForMove()
    const toTaken = { id: 'dan', tweetUrl: post('cat_renamed', taken.postText) }
    expect(await refused(anyone.completeRelink(toTaken))).toBe('409 SOCIAL_ACCOUNT_ALREADY_LINKED')
    await anyone.completeRelink({ id: 'cat', tweetUrl: post('cat_renamed', move.postText) })
    handles.set('33', 'cat_once_more')
    handles.set('667', 'cat_renamed')
    expect(await refused(logIn('667'))).toBe('404 OWNER_NOT_FOUND')
    expect((await logIn('33')).agents).toEqual(['cat'])
  })

  test('goes with a move to whoever holds the new handle at the first login, and the old account loses it at once', async () => {
    const { fay } = await server.seed.pending('fay')
    handles.set('55', 'fay_x')
    await verify(fay, 'fay_x')
    await logIn('55')
    const { postText } = await startMove(fay, 'fay_new')
    await waitForMove()
    await anyone.completeRelink({ id: 'fay', tweetUrl: post('fay_new', postText) })
    expect(await refused(logIn('55'))).toBe('404 OWNER_NOT_FOUND')
    handles.set('56', 'fay_new')
    expect((await logIn('56')).agents).toEqual(['fay'])
    handles.set('57', 'fay_new')
    expect(await refused(logIn('57'))).toBe('404 OWNER_NOT_FOUND')
  })
})
