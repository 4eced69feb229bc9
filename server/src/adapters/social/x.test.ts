import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryLimiter } from '../limiter/memory.js'
import { createCallBudget } from './call-budget.js'
import { answerJson, type Loopback, remoteNetworkContract, startLoopback } from './remote-network.contract.js'
import { socialNetworkContract } from './social-network.contract.js'
import {
  SocialBudgetSpent,
  type SocialNetwork,
  type SocialPost,
  SocialUnavailable,
  TooManyPosts,
} from './social-network.js'
import { createXSocialNetwork } from './x.js'

const TEXT = 'Verifying my agent on @rookery\nActivation code: RK-7F3Q'
const ALICE: SocialPost = {
  id: '1766850000000000001',
  url: 'https://x.com/Alice_Labs/status/1766850000000000001',
  text: TEXT,
  author: { id: '2244994945', handle: 'Alice_Labs', name: 'Alice & Co', followersCount: 5123, followingCount: 87 },
}
const MISSING_ID = '1766850000000000404'

const USER = {
  id: '2244994945',
  name: 'Alice & Co',
  username: 'Alice_Labs',
  protected: false,
  public_metrics: { followers_count: 5123, following_count: 87, tweet_count: 14_002, listed_count: 12 },
}
const TWEET = { id: ALICE.id, edit_history_tweet_ids: [ALICE.id], author_id: USER.id, text: TEXT }
const NOT_AUTHORIZED = 'https://api.twitter.com/2/problems/not-authorized-for-resource'
const NOT_FOUND = 'https://api.twitter.com/2/problems/resource-not-found'

function problem(type: string, title: string, detail: string) {
  return { value: ALICE.id, resource_id: ALICE.id, resource_type: 'tweet', parameter: 'id', title, detail, type }
}

function create(options: { baseUrl: string; timeoutMs?: number; now?: () => number }): SocialNetwork {
  return createXSocialNetwork({ bearerToken: 'AAAA-token', now: Date.now, ...options })
}

socialNetworkContract(async () => {
  const loopback = await startLoopback()
  loopback.answerWith((request, response) => {
    const url = new URL(request.url ?? '', loopback.baseUrl)
    const includes = { users: [USER] }
    if (url.pathname === '/2/tweets/search/recent') {
      const matches = /activation code|verifying/i.test(url.searchParams.get('query') ?? '')
      const meta = { result_count: matches ? 1 : 0 }
      return answerJson(response, 200, matches ? { data: [TWEET], includes, meta } : { meta })
    }
    if (url.pathname === `/2/tweets/${ALICE.id}`) return answerJson(response, 200, { data: TWEET, includes })
    const missing = problem(NOT_FOUND, 'Not Found Error', `Could not find tweet with id: [${MISSING_ID}].`)
    answerJson(response, 200, { errors: [missing] })
  })
  return {
    network: create({ baseUrl: loopback.baseUrl }),
    post: ALICE,
    missingUrl: `https://x.com/alice_labs/status/${MISSING_ID}`,
    close: loopback.close,
  }
})

remoteNetworkContract(create)

describe('X by its API', () => {
  let loopback: Loopback
  let network: SocialNetwork
  beforeEach(async () => {
    loopback = await startLoopback()
    network = create({ baseUrl: loopback.baseUrl })
  })
  afterEach(() => loopback.close())

  function answer(status: number, body: unknown): void {
    loopback.answerWith((_request, response) => answerJson(response, status, body))
  }

  function requestedUrl(): URL {
    return new URL(loopback.requests[0]?.url ?? '', loopback.baseUrl)
  }

  test('asks for the post by its id alone, with the token in the header', async () => {
    answer(200, { data: TWEET, includes: { users: [USER] } })
    await network.getPost(`https://mobile.twitter.com/mallory/status/${ALICE.id}/photo/1?s=20`)
    expect(requestedUrl().pathname).toBe(`/2/tweets/${ALICE.id}`)
    expect(requestedUrl().href).not.toContain('mallory')
    expect(loopback.requests[0]?.headers.authorization).toBe('Bearer AAAA-token')
    expect(requestedUrl().searchParams.get('expansions')).toBe('author_id')
    expect(requestedUrl().searchParams.get('tweet.fields')?.split(',')).toContain('note_tweet')
    expect(requestedUrl().searchParams.get('user.fields')?.split(',')).toEqual([
      'name',
      'username',
      'protected',
      'public_metrics',
    ])
  })

  test('takes the author from the answer and not from the URL', async () => {
    answer(200, { data: TWEET, includes: { users: [{ ...USER, id: '1', username: 'mallory' }, USER] } })
    expect(await network.getPost(`https://x.com/mallory/status/${ALICE.id}`)).toEqual({ found: true, post: ALICE })
  })

  test('returns the whole text of a long post', async () => {
    const long = `${'a'.repeat(3000)} ${TEXT}`
    answer(200, {
      data: { ...TWEET, text: `${'a'.repeat(279)}…`, note_tweet: { text: long } },
      includes: { users: [USER] },
    })
    expect(await network.getPost(ALICE.url)).toMatchObject({ post: { text: long } })
  })

  test('unescapes the text once', async () => {
    answer(200, { data: { ...TWEET, text: 'a &lt;b&gt; &amp; &amp;lt;' }, includes: { users: [USER] } })
    expect(await network.getPost(ALICE.url)).toMatchObject({ post: { text: 'a <b> & &lt;' } })
  })

  test('leaves counts out when X does', async () => {
    const { public_metrics: _, ...user } = USER
    answer(200, { data: TWEET, includes: { users: [user] } })
    expect(await network.getPost(ALICE.url)).toMatchObject({
      post: { author: { followersCount: null, followingCount: null } },
    })
  })

  test('returns a post whose errors concern something it mentions', async () => {
    const errors = [problem(NOT_FOUND, 'Not Found Error', 'Could not find tweet with referenced_tweets.id: [5].')]
    answer(200, { data: TWEET, includes: { users: [USER] }, errors })
    expect(await network.getPost(ALICE.url)).toEqual({ found: true, post: ALICE })
  })

  test('does not treat a repost as a post of its sharer', async () => {
    const repost = { ...TWEET, text: `RT @bob: ${TEXT}`, referenced_tweets: [{ type: 'retweeted', id: '5' }] }
    answer(200, { data: repost, includes: { users: [USER] } })
    expect(await network.getPost(ALICE.url)).toEqual({ found: false, reason: 'not_found' })
  })

  test.each([
    ['a deleted post', 200, NOT_FOUND, 'Could not find tweet with id: [1].', 'not_found'],
    ['a deleted post with status 404', 404, NOT_FOUND, 'Could not find tweet with id: [1].', 'not_found'],
    [
      'a protected account',
      200,
      NOT_AUTHORIZED,
      'Sorry, you are not authorized to see the Tweet with id: [1].',
      'protected',
    ],
    ['a suspended account', 200, NOT_AUTHORIZED, 'User has been suspended: [1].', 'not_found'],
    ['a suspended account reported as missing', 200, NOT_FOUND, 'User has been suspended: [1].', 'not_found'],
    ['a problem named by the new host', 200, 'https://api.x.com/2/problems/resource-not-found', '', 'not_found'],
  ] as const)('returns the reason for %s', async (_name, status, type, detail, reason) => {
    answer(status, { errors: [problem(type, 'Error', detail)] })
    expect(await network.getPost(ALICE.url)).toEqual({ found: false, reason })
  })

  test('reports a post of a protected account as protected', async () => {
    answer(200, { data: TWEET, includes: { users: [{ ...USER, protected: true }] } })
    expect(await network.getPost(ALICE.url)).toEqual({ found: false, reason: 'protected' })
  })

  test('reports a post with a hidden author as protected', async () => {
    const hidden = {
      ...problem(NOT_AUTHORIZED, 'Authorization Error', 'Sorry'),
      resource_type: 'user',
      section: 'includes',
    }
    answer(200, { data: TWEET, errors: [hidden] })
    expect(await network.getPost(ALICE.url)).toEqual({ found: false, reason: 'protected' })
  })

  test.each([
    [401, { title: 'Unauthorized', type: 'about:blank', status: 401, detail: 'Unauthorized' }],
    [403, { title: 'Client Forbidden', type: 'https://api.twitter.com/2/problems/client-forbidden', status: 403 }],
    [404, { message: 'no such path' }],
    [200, { data: TWEET }],
    [200, { data: { id: ALICE.id }, includes: { users: [USER] } }],
  ])('is unavailable when X answers %i with %o', async (status, body) => {
    answer(status, body)
    await expect(network.getPost(ALICE.url)).rejects.toThrow(SocialUnavailable)
  })

  test('never shows the token in an error', async () => {
    answer(401, {})
    const error = await network.getPost(ALICE.url).catch((error: unknown) => error)
    expect(`${error} ${JSON.stringify(error)}`).not.toContain('AAAA-token')
  })

  test('searches for phrases, mentions and an author, without reposts, newest first', async () => {
    answer(200, { meta: { result_count: 0 } })
    await network.findPosts({ terms: ['Activation code: "RK-7F3Q"', '@rookery'], handle: '@alice_labs' })
    expect(requestedUrl().pathname).toBe('/2/tweets/search/recent')
    expect(requestedUrl().searchParams.get('query')).toBe(
      '"Activation code: \\"RK-7F3Q\\"" @rookery from:alice_labs -is:retweet',
    )
    expect(requestedUrl().searchParams.get('sort_order')).toBe('recency')
  })

  test('skips results that only resemble the terms', async () => {
    const data = [{ ...TWEET, id: '9', text: 'Activation code RK 7F3Q' }, TWEET]
    answer(200, { data, includes: { users: [USER] }, meta: { result_count: 2 } })
    expect(await network.findPosts({ terms: ['activation code: rk-7f3q'] })).toEqual([ALICE])
  })

  test('follows the pages of a search, and reads no more than five', async () => {
    const author = (n: number) => ({ ...USER, id: `${n}`, username: `author_${n}` })
    let pages = 3
    loopback.answerWith((request, response) => {
      const token = new URL(request.url ?? '', loopback.baseUrl).searchParams.get('next_token')
      const n = Number(token ?? 1)
      const meta = { result_count: 1, ...(n < pages && { next_token: `${n + 1}` }) }
      answerJson(response, 200, { data: [{ ...TWEET, author_id: `${n}` }], includes: { users: [author(n)] }, meta })
    })
    const found = await network.findPosts({ terms: ['RK-7F3Q'] })
    expect(found?.map(({ author }) => author.handle)).toEqual(['author_1', 'author_2', 'author_3'])
    pages = 6
    loopback.requests.length = 0
    await expect(network.findPosts({ terms: ['RK-7F3Q'] })).rejects.toThrow(TooManyPosts)
    expect(loopback.requests).toHaveLength(5)
  })

  test('spends a call of the budget for every page, and none that is not left', async () => {
    const clock = { now: () => new Date() }
    const budget = createCallBudget(createMemoryLimiter(clock), clock, 3)
    const careful = createXSocialNetwork({
      bearerToken: 'AAAA-token',
      now: Date.now,
      baseUrl: loopback.baseUrl,
      budget,
    })
    answer(200, { data: [TWEET], includes: { users: [USER] }, meta: { result_count: 1, next_token: 'more' } })
    const error = await careful.findPosts({ terms: ['RK-7F3Q'] }).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(SocialBudgetSpent)
    await expect(careful.getPost(ALICE.url)).rejects.toThrow(SocialBudgetSpent)
    expect(loopback.requests).toHaveLength(3)
    expect(await careful.callsLeft?.()).toBe(0)
  })

  test('is unavailable when the app may not search', async () => {
    answer(403, { title: 'Client Forbidden', type: 'https://api.twitter.com/2/problems/client-forbidden' })
    await expect(network.findPosts({ terms: ['a'] })).rejects.toThrow(SocialUnavailable)
  })
})
