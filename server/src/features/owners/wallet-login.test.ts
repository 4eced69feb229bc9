import { at } from '@rookery/contracts/test/chain'
import { openSmartWallet } from '@rookery/contracts/test/smart-wallet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openShareChain, type ShareChain } from '../../../test/chain.js'
import { hold } from '../../../test/holdings.js'
import { outcome, refused } from '../../../test/refusal.js'
import { createWallet, followLogin, type SeededAgent, type SignedInWallet } from '../../../test/seed.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { openSocket } from '../../../test/web-socket.js'
import { spendTicket } from '../live/tickets.js'

let shareChain: ShareChain
const moderator = createWallet()
let server: TestServer
let ann: SeededAgent
let buyer: SignedInWallet
let secret: { id: string }

beforeAll(async () => {
  shareChain = await openShareChain()
  server = await startServer({
    env: { MODERATOR_WALLETS: moderator.address },
    replace: { chain: shareChain.chain },
  })
  ;({ ann } = await server.seed.agents('ann'))
  buyer = await server.seed.signIn()
  await server.deps.database.pool.query('update agent set supply = 3')
  await hold(server, buyer, ann, 2)
  secret = await ann.client.createTweet({ content: 'for holders', visibility: 'private' })
})
afterAll(() => server.stop())

async function challenge(walletAddress: `0x${string}`, purpose: 'session' | 'recover' = 'session') {
  return (await server.client().createChallenge({ purpose, walletAddress })).message
}

describe('POST /v1/auth/wallet', () => {
  test('opens a session for the wallet that signed the challenge', async () => {
    const { session, walletAddress } = buyer
    expect(session).toEqual({
      token: session.accessToken,
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.any(String),
      expiresAt: expect.any(String),
      isOwner: false,
      wallet: walletAddress,
    })
  })

  test('says in the signed text what it is for', async () => {
    expect(await challenge(createWallet().address)).toContain(
      'Sign in to Rookery with this wallet. This moves nothing.',
    )
  })

  test('accepts a challenge once, even from parallel calls', async () => {
    const wallet = createWallet()
    const message = await challenge(wallet.address)
    const signature = await wallet.signMessage({ message })
    const calls = [1, 2, 3].map(() => server.client().logInWithWallet({ message, signature }))
    const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status)
    expect(outcomes.sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await refused(server.client().logInWithWallet({ message, signature }))).toBe('400 CHALLENGE_INVALID')
  })

  test('refuses other texts, other purposes, other signers and old challenges', async () => {
    const [wallet, other] = [createWallet(), createWallet()]
    const logIn = async (message: string, signer = wallet) =>
      refused(server.client().logInWithWallet({ message, signature: await signer.signMessage({ message }) }))
    expect(await logIn('Let me in')).toBe('400 CHALLENGE_INVALID')
    expect(await logIn(await challenge(wallet.address, 'recover'))).toBe('400 CHALLENGE_INVALID')
    expect(await logIn(await challenge(wallet.address), other)).toBe('400 INVALID_SIGNATURE')
    const old = await challenge(wallet.address)
    server.clock.advance(10 * 60_000)
    expect(await logIn(old)).toBe('400 CHALLENGE_INVALID')
  })

  test.each(['ERC-1271', 'ERC-6492'])('accepts a smart-contract wallet (%s)', async (standard) => {
    const salt = standard === 'ERC-1271' ? 101n : 102n
    const wallet = await openSmartWallet(shareChain.client, at(shareChain.evm.accounts, 5), salt)
    if (standard === 'ERC-1271') await wallet.deploy()
    const sign = standard === 'ERC-1271' ? wallet.signMessage : wallet.signMessageUndeployed
    const message = await challenge(wallet.address)
    const session = await server.client().logInWithWallet({ message, signature: await sign(message) })
    expect(session.wallet).toBe(wallet.address.toLowerCase())
    shareChain.isDown = true
    const late = await challenge(wallet.address)
    expect(await refused(server.client().logInWithWallet({ message: late, signature: await sign(late) }))).toBe(
      '502 CHAIN_UNAVAILABLE',
    )
    shareChain.isDown = false
  })

  test('opens a session that is renewed and ended like an owner’s', async () => {
    const { session } = await server.seed.signIn()
    const renewed = await server.client().refreshSession({ refreshToken: session.refreshToken })
    expect(renewed).toMatchObject({ isOwner: false, wallet: session.wallet })
    const { client } = { client: server.client({ token: renewed.token }) }
    await client.listMyHoldings()
    await client.endSession({ refreshToken: renewed.refreshToken })
    expect(await refused(client.listMyHoldings())).toBe('401 INVALID_TOKEN')
  })
})

describe('the session of a wallet', () => {
  test('shows what the wallet’s shares open, as long as it holds them', async () => {
    const visitor = await server.seed.signIn()
    expect(await refused(visitor.client.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
    await hold(server, visitor, ann, 1)
    expect((await visitor.client.getTweet({ id: secret.id })).content).toBe('for holders')
    await hold(server, visitor, ann, 0)
    expect(await refused(visitor.client.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
  })

  test('shows its holdings and its share of each agent', async () => {
    const holding = { agentUsername: 'ann', amount: 2 }
    expect((await buyer.client.listMyHoldings()).data).toMatchObject([holding])
    expect((await buyer.client.listHoldings({ address: 'me' })).data).toMatchObject([{ username: 'ann' }])
    expect((await buyer.client.getAgent({ identifier: 'ann' })).yourShare).toBe(2)
    expect(await buyer.client.getAgent({ identifier: 'ann' })).not.toHaveProperty('isFollowing')
  })

  test('shows what the wallet’s own agents wrote', async () => {
    const { client } = await server.seed.signIn(ann.wallet)
    expect((await client.getTweet({ id: secret.id })).content).toBe('for holders')
  })

  test('changes nothing: what agents and owners may do is refused', async () => {
    const { client } = buyer
    expect(await refused(client.createTweet({ content: 'hello' }))).toBe('401 UNAUTHENTICATED')
    expect(await refused(client.listNotifications())).toBe('401 UNAUTHENTICATED')
    expect(await refused(client.getOwner())).toBe('403 OWNER_LOGIN_REQUIRED')
    expect(await refused(client.updateControls({ id: 'ann', maxDailyPosts: 0 }))).toBe('403 OWNER_LOGIN_REQUIRED')
    expect(await refused(client.createSkill({ name: 'Mine', content: 'mine', type: 'skill' }))).toBe(
      '403 OWNER_LOGIN_REQUIRED',
    )
  })

  test('gets its own answer to an idempotency key that another wallet of the same address used', async () => {
    const other = await server.seed.signIn()
    const create = ({ client }: SignedInWallet) => client.createTicket({}, { idempotencyKey: 'same-key' })
    const mine = await create(buyer)
    expect(await create(buyer)).toEqual(mine)
    expect((await create(other)).ticket).not.toBe(mine.ticket)
  })

  test('receives live events of private tweets, by header and by ticket', async () => {
    const listener = await server.listen(buyer.client, ['agent:ann'])
    const stranger = await server.listen((await server.seed.signIn()).client, ['agent:ann'])
    const { ticket } = await buyer.client.createTicket()
    const socket = await openSocket(server.url)
    await socket.next()
    socket.send({ type: 'auth', ticket })
    expect(await socket.next()).toEqual({ type: 'authenticated', agentId: null, wallet: buyer.walletAddress })
    socket.send({ type: 'subscribe', topics: ['notifications'] })
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'UNAUTHENTICATED' })
    socket.send({ type: 'subscribe', topics: ['tweets'] })
    expect(await socket.next()).toMatchObject({ type: 'subscribed' })
    await ann.client.createTweet({ content: 'live for holders', visibility: 'private' })
    await ann.client.createTweet({ content: 'live for all' })
    expect(JSON.stringify(await listener.take(1))).toContain('live for holders')
    expect(await socket.next()).toMatchObject({ data: { content: 'live for holders' } })
    const seen = JSON.stringify(await stranger.take(1))
    expect(seen).toContain('live for all')
    expect(seen).not.toContain('live for holders')
    await listener.stop()
    await stranger.stop()
    socket.close()
  })
})

describe('a wallet that has signed in', () => {
  test('shares the allowances of its network address: wallets cost nothing to make', async () => {
    const limited = await startServer({ env: { RATE_LIMIT_READS: '12' } })
    const remaining = async (headers: Record<string, string> = {}) =>
      Number((await fetch(`${limited.url}/v1/tweets`, { headers })).headers.get('x-ratelimit-remaining'))
    const { session } = await limited.seed.signIn()
    const before = await remaining()
    expect(await remaining({ Authorization: `Bearer ${session.token}` })).toBe(before - 1)
    await limited.stop()
  })
})

describe('the session of an owner', () => {
  test('ends what was opened with its tickets', async () => {
    const { fay } = await server.seed.agents('fay')
    const { client, refreshToken } = await server.seed.login('fay')
    const { ticket } = await client.createTicket()
    const credential = await spendTicket(server.deps, ticket)
    expect(credential).toMatchObject({ viewer: { id: fay.id }, sessionId: expect.any(String) })
    await client.endSession({ refreshToken })
    expect(await credential?.identify()).toBeUndefined()
  })

  test('shows what their agent wrote and what its wallet holds', async () => {
    const { bob, eve } = await server.seed.agents('bob', 'eve')
    await hold(server, bob, ann, 1)
    const own = await bob.client.createTweet({ content: 'bob alone', visibility: 'private' })
    const { client } = await server.seed.login('bob')
    for (const { id } of [secret, own]) expect((await client.getTweet({ id })).visibility).toBe('private')
    expect((await client.listMyHoldings()).data).toMatchObject([{ agentUsername: 'ann', amount: 1 }])
    const foreign = await eve.client.createTweet({ content: 'eve alone', visibility: 'private' })
    expect(await refused(client.getTweet({ id: foreign.id }))).toBe('403 HOLDERS_ONLY')
  })
})

describe('in a browser', () => {
  const origin = () => server.config.webUrl
  const call = (path: string, { cookie = '', from = origin(), body = {} as object } = {}) =>
    fetch(`${server.url}/v1/auth/session${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: from, ...(cookie && { Cookie: cookie }) },
      body: JSON.stringify(body),
    })
  const cookieOf = (response: Response, name: string) =>
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith(`rookery_${name}=`))
      ?.split(';')[0] ?? ''

  async function signIn(cookie = '', wallet = createWallet()) {
    const message = await challenge(wallet.address)
    const body = { message, signature: await wallet.signMessage({ message }) }
    const response = await call('/wallet', { cookie, body })
    return { wallet, cookie: cookieOf(response, 'session'), answer: (await response.json()) as Answer }
  }

  async function logIn(session = '') {
    const begun = await call('/login')
    const { url } = (await begun.json()) as { url: string }
    const { code, state } = await followLogin(url, 'x_ann', server.url)
    const cookie = [cookieOf(begun, 'login'), session].filter((one) => one !== '').join('; ')
    const response = await call('', { cookie, body: { code, state } })
    return { cookie: cookieOf(response, 'session'), answer: (await response.json()) as Answer }
  }

  interface Answer {
    readonly accessToken: string
    readonly isOwner: boolean
    readonly wallet: string | null
  }

  test('the refresh token is in a cookie and not in the answer', async () => {
    const { answer, cookie, wallet } = await signIn()
    expect(Object.keys(answer).sort()).toEqual(['accessToken', 'expiresAt', 'isModerator', 'isOwner', 'wallet'])
    expect(answer).toMatchObject({ isOwner: false, wallet: wallet.address.toLowerCase() })
    const renewed = await call('/refresh', { cookie })
    expect(await renewed.json()).toMatchObject({ isOwner: false, wallet: answer.wallet })
  })

  test('the answer says whether the wallet moderates', async () => {
    expect((await signIn()).answer).toMatchObject({ isModerator: false })
    const { answer, cookie } = await signIn('', moderator)
    expect(answer).toMatchObject({ isModerator: true })
    expect(await (await call('/refresh', { cookie })).json()).toMatchObject({ isModerator: true })
  })

  test('other sites cannot sign anybody in', async () => {
    const response = await call('/wallet', { from: 'https://elsewhere.example', body: {} })
    expect(response.status).toBe(403)
  })

  test('an owner who signs in with a wallet stays logged in, and the other way round', async () => {
    const owner = await logIn()
    const both = await signIn(owner.cookie)
    expect(both.answer).toMatchObject({ isOwner: true, wallet: both.wallet.address.toLowerCase() })
    expect((await server.client({ token: both.answer.accessToken }).getOwner()).owner.xHandle).toBe('x_ann')
    const wallet = await signIn()
    const later = await logIn(wallet.cookie)
    expect(later.answer).toMatchObject({ isOwner: true, wallet: wallet.answer.wallet })
  })

  test('a refresh token that was continued and is used again ends the session that continues it', async () => {
    const owner = await logIn()
    const both = await signIn(owner.cookie)
    const reads = () => outcome(server.client({ token: both.answer.accessToken }).getOwner())
    expect(await reads()).toBe('done')
    expect((await call('/refresh', { cookie: owner.cookie })).status).toBe(401)
    expect(await reads()).toBe('401 INVALID_TOKEN')
    expect((await call('/refresh', { cookie: both.cookie })).status).toBe(401)
  })
})
