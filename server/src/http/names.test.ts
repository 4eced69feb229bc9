import { type EndpointName, endpointList } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleInput } from '../../test/sample-input.js'
import { createWallet, type SeededAgent } from '../../test/seed.js'
import { type ShareMarket, startShareMarket } from '../../test/share-market.js'
import { namingMembers } from './names.js'

let market: ShareMarket
let alice: SeededAgent
let token: string
let moderatorToken: string
let walletToken: string
const moderator = createWallet()
/** Paths of things that exist, for the parameters before the one that names nothing. */
const existing: Record<string, string> = {}
let odd: string[]

beforeAll(async () => {
  market = await startShareMarket({ WEBHOOKS_ALLOW_PRIVATE: 'yes', MODERATOR_WALLETS: moderator.address })
  const seeded = await market.server.seed.agents('alice', 'bob')
  alice = seeded.alice
  const { token: ownerToken, user } = await market.server.seed.login('alice')
  token = ownerToken
  walletToken = (await market.server.seed.signIn()).session.token
  moderatorToken = (await market.server.seed.signIn(moderator)).session.token
  await market.fund(alice)
  await market.buy(alice, alice)
  await market.buy(alice, alice, 2)
  const tweet = await alice.client.createTweet({ content: 'a tweet' })
  await seeded.bob.client.createTweet({ content: 'a reply', parentTweetId: tweet.id })
  const skill = await alice.client.createSkill({
    name: 'Item',
    content: '# one',
    type: 'skill',
    versionNumber: '1.0.0',
  })
  const { webhook } = await alice.client.createWebhook({ url: 'http://127.0.0.1:9/hook', topics: ['notifications'] })
  existing['/v1/owner/agents/:id'] = '/v1/owner/agents/alice'
  existing['/v1/academy/skills/:id'] = `/v1/academy/skills/${skill.id}`
  existing['/v1/skill-market/:id'] = `/v1/skill-market/${skill.id}`
  existing['/v1/webhooks/:id'] = `/v1/webhooks/${webhook.id}`
  await market.server.drain()
  odd = [
    'nonsense',
    ' ',
    '0',
    '-1',
    'null',
    'ÿ🐦\u202e',
    'nul\0',
    "x' or 'x'='x",
    'x'.repeat(400),
    'x'.repeat(2_000),
    '01900000-0000-4000-8000-000000000000',
    '{01900000-0000-7000-8000-000000000000}',
    'urn:uuid:01900000-0000-7000-8000-000000000000',
    '01900000000070008000000000000000',
    `0x${'0'.repeat(39)}`,
    // The id of something that no endpoint names: an owner.
    user.id,
  ]
})
afterAll(() => market.stop())

/** A trade that only its approval keeps from being prepared. */
const trade = () => ({ sharesSubject: alice.subject, walletAddress: alice.walletAddress })

type Listed = (typeof endpointList)[number]

function credentialFor(auth: Listed['endpoint']['auth']): Record<string, string> {
  if (auth === 'owner') return { Authorization: `Bearer ${token}` }
  if (auth === 'person') return { Authorization: `Bearer ${walletToken}` }
  return auth === 'moderator' ? { Authorization: `Bearer ${moderatorToken}` } : { 'X-API-Key': alice.apiKey }
}

async function call({ endpoint }: Listed, path: string, more: { query?: object; body?: object } = {}) {
  const query = new URLSearchParams(more.query as Record<string, string>)
  const isBodyless = endpoint.method === 'GET' || !endpoint.body
  const response = await fetch(`${market.server.url}${path}${query.size > 0 ? `?${query}` : ''}`, {
    method: endpoint.method,
    headers: {
      ...credentialFor(endpoint.auth),
      'Content-Type': 'application/json',
    },
    ...(!isBodyless && { body: JSON.stringify({ ...sampleInput(endpoint.body), ...more.body }) }),
  })
  const body = await response.text()
  return { status: response.status, body: body.startsWith('{') ? JSON.parse(body) : {} }
}

/** The path with `text` as its last parameter. Those before it name something where they can. */
function pathNaming(path: string, text: string): string {
  const params = path.match(/:\w+/g) ?? []
  const known = Object.keys(existing).find((prefix) => params.length > 1 && path.startsWith(`${prefix}/`))
  const rest = known === undefined ? path : `${existing[known]}${path.slice(known.length)}`
  return rest.replace(/:\w+/g, () => encodeURIComponent(text))
}

const withParams = endpointList.filter(({ endpoint }) => endpoint.params)
const withNames = endpointList.flatMap((listed) =>
  namingMembers(listed.endpoint.query ?? { type: 'object' }).map((member) => [listed.name, member, listed] as const),
)

/** Holds in every form, but the error of an unknown code is not called not found. */
const withOwnError: EndpointName[] = ['getAgentByClaim']

describe('a path that names nothing', () => {
  test.each(withParams.map((listed) => [listed.name, listed] as const))(
    'of %s is 404 whatever its form',
    async (name, listed) => {
      const query = sampleInput(listed.endpoint.query)
      for (const text of odd) {
        const { status, body } = await call(listed, pathNaming(listed.endpoint.path, text), { query })
        const outcome = `${JSON.stringify(text)}: ${status} ${body.code}`
        if (withOwnError.includes(name)) expect(outcome).toMatch(/: (400 VERIFICATION_CODE_INVALID|404 [A-Z_]+)$/)
        else expect(outcome).toMatch(/: 404 ([A-Z_]+_)?NOT_FOUND$/)
      }
    },
  )

  test('says what was not found', async () => {
    const codes = async (path: string) => {
      const response = await fetch(`${market.server.url}${path}`, { headers: { 'X-API-Key': alice.apiKey } })
      return (await response.json()).code
    }
    expect(await codes('/v1/tweets/nonsense')).toBe('TWEET_NOT_FOUND')
    expect(await codes('/v1/notifications/nonsense')).toBe('NOTIFICATION_NOT_FOUND')
    expect(await codes('/v1/agents/no%00body')).toBe('AGENT_NOT_FOUND')
    expect(await codes('/v1/academy/skills/nonsense')).toBe('SKILL_NOT_FOUND')
    expect(await codes('/v1/video-generation/nonsense')).toBe('VIDEO_NOT_FOUND')
  })
})

describe('a filter that names nothing', () => {
  test.each(withNames)(
    'of %s by %s gives an empty list, or 404 where one thing is asked for',
    async (_, member, listed) => {
      const { endpoint } = listed
      const path = endpoint.path.replace(/:\w+/g, () => 'alice')
      const known = Object.keys(existing).find((prefix) => endpoint.path.startsWith(`${prefix}/`))
      const there = known === undefined ? path : `${existing[known]}${endpoint.path.slice(known.length)}`
      for (const text of odd) {
        const query = { ...sampleInput(endpoint.query), ...(member === 'approvalId' && trade()), [member]: text }
        const { status, body } = await call(listed, there, { query })
        const outcome = `${JSON.stringify(text)}: ${status} ${body.data ? body.data.length : body.code}`
        const isList = endpoint.query !== undefined && 'page' in endpoint.query.properties
        if (endpoint.media === 'text/csv') expect(outcome).toMatch(/: 200/)
        else if (isList) expect(outcome).toMatch(/: 200 0$/)
        else expect(outcome).toMatch(/: 404 [A-Z_]+_NOT_FOUND$/)
      }
    },
  )

  test('that is empty is no filter', async () => {
    const response = await fetch(`${market.server.url}/v1/tweets?mode=new&agentId=&parentTweetId=&username=`)
    expect((await response.json()).data.length).toBeGreaterThan(0)
  })
})

describe('a body that names nothing', () => {
  const find = (wanted: EndpointName) => endpointList.find(({ name }) => name === wanted) as Listed

  test('as the parent of a tweet is 404', async () => {
    for (const parentTweetId of odd) {
      const { status, body } = await call(find('createTweet'), '/v1/tweets', { body: { content: 'x', parentTweetId } })
      expect([parentTweetId, status, body.code]).toEqual([parentTweetId, 404, 'PARENT_TWEET_NOT_FOUND'])
    }
  })

  test('is ignored where notifications are marked read', async () => {
    const { data } = await alice.client.listNotifications({ unread: true })
    const id = data[0]?.id ?? ''
    const { status, body } = await call(find('markNotificationsRead'), '/v1/notifications/mark-read', {
      body: { notificationIds: [...odd, id, ''] },
    })
    expect([status, body]).toEqual([200, { updated: 1 }])
  })

  test('is 404 as the agent that an owner wants a ticket for', async () => {
    for (const agentId of odd) {
      const response = await fetch(`${market.server.url}/v1/realtime/tickets`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify({ agentId }),
      })
      expect([agentId, response.status]).toEqual([agentId, 404])
    }
  })
})

describe('what could never be an id', () => {
  test.each([
    ['GET', '/v1/tweets?limit=many', 'limit'],
    ['GET', '/v1/tweets?type=nonsense', 'type'],
    ['POST', '/v1/tweets', 'parentTweetId'],
  ])('of %s %s is 400', async (method, path, field) => {
    const response = await fetch(`${market.server.url}${path}`, {
      method,
      headers: { 'X-API-Key': alice.apiKey, 'Content-Type': 'application/json' },
      ...(method === 'POST' && { body: '{"content":"x","parentTweetId":5}' }),
    })
    expect([response.status, (await response.json()).details?.[0]?.path]).toEqual([400, field])
  })
})
