import { endpointList, recoveryText, registrationText } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWallet, type SeededAgent } from '../seed.js'
import { forEverybody, type SpecifiedEndpoint, specifiedEndpoints } from './endpoints.js'
import { type Call, openWorld, type World } from './world.js'

let world: World
let videoId: string
beforeAll(async () => {
  world = await openWorld()
  videoId = (await world.bob.client.createVideo({ prompt: 'A rook over the sea' })).id
})
afterAll(() => world.stop())

const named = (all: readonly SpecifiedEndpoint[]) => all.map((it) => [nameOf(it), it] as const)
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** A request: its path with query, and what else is sent. A key is sent with all of them unless a token is. */
type Request = Call & { readonly path: string }

const at = (path: string, more: Call = {}): Request => ({ path, ...more })

/** A tweet of bob's, so that ada can act on it. */
const tweetOfBob = async () => (await world.bob.client.createTweet({ content: `Number ${counter()}` })).id
const newSkill = async () =>
  world.ada.client.createSkill({ name: `Skill ${counter()}`, content: '# Text\n\nWords.\n', type: 'skill' })
const newAgent = async () => {
  const [agent] = Object.values(await world.market.server.seed.pending(`newcomer_${counter()}`))
  return agent as SeededAgent
}
let count = 0
const counter = () => ++count
const trade = () => `sharesSubject=${world.ada.subject}&amount=1&walletAddress=${world.bob.wallet.address}`

/** How each endpoint is called so that it succeeds. */
const requests: Record<string, () => Request | Promise<Request>> = {
  'POST /v1/upload/file': async () => at('/v1/upload/file', { body: await world.picture() }),
  'POST /v1/video-generation': () => at('/v1/video-generation', { body: { prompt: 'A rook' } }),
  'GET /v1/video-generation/:id': () => at(`/v1/video-generation/${videoId}`, { apiKey: world.bob.apiKey }),
  'GET /v1/share/quote': () => at(`/v1/share/quote?side=buy&${trade()}`, { apiKey: world.bob.apiKey }),
  'GET /v1/share/transfer': () =>
    at(`/v1/share/transfer?to=${world.ada.wallet.address}&${trade()}`, { apiKey: world.bob.apiKey }),
  'GET /v1/traders/:address/activities': () => at(`/v1/traders/${world.bob.wallet.address}/activities`),
  'POST /v1/tweets': () => at('/v1/tweets', { body: { content: 'One more' } }),
  'GET /v1/tweets/:id': () => at(`/v1/tweets/${world.tweet.id}`),
  'GET /v1/tweets/:id/replies': () => at(`/v1/tweets/${world.tweet.id}/replies`),
  'GET /v1/agents/:username/replies': () => at('/v1/agents/ada/replies'),
  'GET /v1/tweets/search': () => at('/v1/tweets/search?q=birds'),
  'POST /v1/tweets/:id/like': async () => at(`/v1/tweets/${await tweetOfBob()}/like`),
  'DELETE /v1/tweets/:id/like': async () => at(`/v1/tweets/${await tweetOfBob()}/like`),
  'POST /v1/tweets/:id/repost': async () => at(`/v1/tweets/${await tweetOfBob()}/repost`),
  'DELETE /v1/tweets/:id/repost': async () => {
    const id = await tweetOfBob()
    await world.ada.client.repostTweet({ id })
    return at(`/v1/tweets/${id}/repost`)
  },
  'DELETE /v1/tweets/:id': async () => at(`/v1/tweets/${await tweetOfBob()}`, { apiKey: world.bob.apiKey }),
  'POST /v1/tweets/:id/track-view': () => at(`/v1/tweets/${world.tweet.id}/track-view`),
  'POST /v1/agents/register': async () => {
    const wallet = createWallet()
    const username = `registered_${counter()}`
    const signature = await wallet.signMessage({ message: registrationText('Rookery', username) })
    return at('/v1/agents/register', { body: { username, walletAddress: wallet.address, signature } })
  },
  'POST /v1/agents/verify': async () => {
    const { apiKey, claimToken, username, client } = await newAgent()
    const { postText } = await client.getAgentByClaim({ code: claimToken })
    const { url } = await client.createLocalPost({ handle: username, text: postText })
    return at('/v1/agents/verify', { apiKey, body: { tweetUrl: url } })
  },
  'POST /v1/agents/recover': async () => {
    const { wallet } = await newAgent()
    const signature = await wallet.signMessage({ message: recoveryText('Rookery', wallet.address) })
    return at('/v1/agents/recover', { body: { walletAddress: wallet.address, signature } })
  },
  'PUT /v1/agents/me/bio': () => at('/v1/agents/me/bio', { body: { bio: 'Counts rooks' } }),
  'POST /v1/agents/me/regenerate-key': async () =>
    at('/v1/agents/me/regenerate-key', { apiKey: (await newAgent()).apiKey }),
  'GET /v1/agents/:identifier': () => at('/v1/agents/ada'),
  'GET /v1/agents/:id/buy-price': () => at('/v1/agents/ada/buy-price?amount=1'),
  'GET /v1/agents/:id/sell-price': () => at('/v1/agents/ada/sell-price?amount=1'),
  'GET /v1/agents/:id/followers': () => at('/v1/agents/ada/followers'),
  'GET /v1/agents/:id/following': () => at('/v1/agents/bob/following'),
  'POST /v1/agents/:id/follow': () => at('/v1/agents/bob/follow'),
  'POST /v1/agents/:id/unfollow': () => at('/v1/agents/bob/unfollow'),
  'GET /v1/agents/:address/holdings': () => at(`/v1/agents/${world.bob.wallet.address}/holdings`),
  'GET /v1/agents/owner/me': async () =>
    at('/v1/agents/owner/me', { token: (await world.market.server.seed.login('ada')).token }),
  'GET /v1/agents/info-by-verify/:code': async () => at(`/v1/agents/info-by-verify/${(await newAgent()).claimToken}`),
  'GET /v1/academy/skills/:id': () => at(`/v1/academy/skills/${world.skill.id}`),
  'POST /v1/academy/skills': () =>
    at('/v1/academy/skills', { body: { name: 'A prompt', content: 'Be brief.', type: 'prompt' } }),
  'PUT /v1/academy/skills/:id': async () =>
    at(`/v1/academy/skills/${(await newSkill()).id}`, { body: { description: 'New words' } }),
  'DELETE /v1/academy/skills/:id': async () => at(`/v1/academy/skills/${(await newSkill()).id}`),
  'POST /v1/academy/skills/:id/versions': async () =>
    at(`/v1/academy/skills/${(await newSkill()).id}/versions`, {
      body: { versionNumber: '1.1.0', content: '# Text\n\nMore words.\n' },
    }),
  'PUT /v1/academy/skills/:id/versions/:versionId': async () => {
    const { id, versions } = await newSkill()
    return at(`/v1/academy/skills/${id}/versions/${versions[0]?.id}`, { body: { description: 'The first' } })
  },
  'POST /v1/academy/skills/:id/like': () =>
    at(`/v1/academy/skills/${world.skill.id}/like`, { apiKey: world.bob.apiKey }),
  'DELETE /v1/academy/skills/:id/unlike': () =>
    at(`/v1/academy/skills/${world.skill.id}/unlike`, { apiKey: world.bob.apiKey }),
  'POST /v1/academy/skills/:id/download': () => at(`/v1/academy/skills/${world.skill.id}/download`),
  'GET /v1/skill-market/:id/SKILL.md': () => at(`/v1/skill-market/${world.skill.id}/SKILL.md`),
  'GET /v1/skill-market/:id/WORKFLOW.md': () => at(`/v1/skill-market/${world.workflow.id}/WORKFLOW.md`),
  'GET /v1/notifications/:id': () => at(`/v1/notifications/${world.notificationId}`),
  'POST /v1/notifications/mark-read': () =>
    at('/v1/notifications/mark-read', { body: { notificationIds: [world.notificationId] } }),
}

const requestFor = async (name: string, path: string): Promise<Request> => (await requests[name]?.()) ?? at(path)

describe('the endpoints of the specification', () => {
  test('are 68, each in the API with its method, path and status', () => {
    const known = endpointList.map(({ endpoint }) => `${nameOf(endpoint)} ${endpoint.success}`)
    const missing = specifiedEndpoints.filter((it) => !known.includes(`${nameOf(it)} ${it.status}`))
    expect(missing.map(nameOf)).toEqual([])
    expect(new Set(specifiedEndpoints.map(nameOf)).size).toBe(68)
  })

  test.each(named(specifiedEndpoints))('%s answers with its status', async (_, { method, path, status }) => {
    const { path: where, ...call } = await requestFor(`${method} ${path}`, path)
    const withKey = call.token === undefined ? { apiKey: world.ada.apiKey, ...call } : call
    const answer = await world.call(method, where, withKey)
    expect([answer.status, answer.status === status ? '' : answer.text]).toEqual([status, ''])
    if (path.endsWith('.md')) expect(answer.type).toContain('text/markdown')
    else if (path.endsWith('.txt')) expect(answer.type).toContain('text/plain')
    else expect(answer.json).toBeTypeOf('object')
  })

  const keyed = specifiedEndpoints.filter(({ auth, path }) => auth === 'API key' && !forEverybody.includes(path))
  test.each(named(keyed))('%s needs an API key', async (_, { method, path }) => {
    const { apiKey: __, path: where, ...call } = await requestFor(`${method} ${path}`, path)
    expect((await world.call(method, where, call)).status).toBe(401)
    expect((await world.call(method, where, { ...call, apiKey: 'sk_wrong' })).status).toBe(401)
  })

  const open = specifiedEndpoints.filter(({ auth }) => auth === 'optional' || auth === 'none')
  test.each(named(open))('%s works without credentials', async (_, { method, path, status }) => {
    const { apiKey: __, path: where, ...call } = await requestFor(`${method} ${path}`, path)
    expect((await world.call(method, where, call)).status).toBe(status)
  })
})
