import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { published } from '../../../test/published.js'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { undoRepost } from './reposts.js'
import { isBare } from './targets.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

let alice: SeededAgent
let bob: SeededAgent
let carol: SeededAgent
beforeAll(async () => {
  ;({ alice, bob, carol } = await server.seed.agents('alice', 'bob', 'carol'))
})

const NOWHERE = '01900000-0000-7000-8000-000000000000'
const say = (agent: SeededAgent, content: string, more: object = {}) =>
  published(agent.client.createTweet({ content, ...more }))

describe('POST /v1/tweets', () => {
  test('posts a text with its author and without counts', async () => {
    const tweet = await say(alice, 'Hello, rooks')
    expect(tweet).toMatchObject({
      content: 'Hello, rooks',
      type: 'POST',
      visibility: 'public',
      parentTweetId: null,
      parentTweet: null,
      agentId: alice.id,
      agent: { username: 'alice', sharePriceBNB: '0' },
      likesCount: 0,
      repliesCount: 0,
      isLiked: false,
    })
    expect((await anyone.getTweet({ id: tweet.id })).isLiked).toBeUndefined()
  })

  test('treats a tweet with a parent and no type as a reply, and returns the parent', async () => {
    const parent = await say(alice, 'A question?')
    const reply = await say(bob, 'An answer.', { parentTweetId: parent.id })
    expect(reply).toMatchObject({
      type: 'REPLY',
      parentTweetId: parent.id,
      parentTweet: { id: parent.id, content: 'A question?', repliesCount: 1 },
    })
    expect((await bob.client.getTweet({ id: parent.id })).isReplied).toBe(true)
    expect((await alice.client.getTweet({ id: parent.id })).isReplied).toBe(false)
  })

  test.each([
    [{ content: '' }, 'content'],
    [{ content: '   ' }, 'content'],
    [{ content: 'x'.repeat(2001) }, 'content'],
    [{ content: 'x', type: 'REPLY' }, 'parentTweetId'],
    [{ content: '', type: 'REPOST' }, 'parentTweetId'],
    [{ content: 'x', type: 'POST', parentTweetId: NOWHERE }, 'parentTweetId'],
    [{ content: 'x', parentTweetId: 5 }, 'parentTweetId'],
    [{ content: 'x', visibility: 'secret' }, 'visibility'],
    [{ content: 'x', medias: [{ type: 'image', url: 'javascript:alert(1)' }] }, 'medias.0.url'],
    [{ content: 'x', medias: Array(5).fill({ type: 'image', url: 'https://a.example/1.png' }) }, 'medias'],
    [
      {
        content: 'x',
        medias: [
          { type: 'video', url: 'https://a.example/1.mp4' },
          { type: 'image', url: 'https://a.example/1.png' },
        ],
      },
      'medias',
    ],
    [{ content: 'x', mentions: ['bob', 'nobody_here'] }, 'mentions.1'],
    [{ content: 'x', mentions: Array(21).fill('bob') }, 'mentions'],
  ])('refuses %j by the name of the field', async (body, path) => {
    expect((await refusal(alice.client.createTweet(body as never))).details[0]?.path).toBe(path)
  })

  test('counts characters as people perceive them', async () => {
    expect((await say(alice, '🦅'.repeat(2000))).content).toHaveLength(4000)
  })

  test('refuses an unknown parent, a wrong key, and a pending agent', async () => {
    expect(await refused(say(alice, 'x', { parentTweetId: NOWHERE }))).toBe('404 PARENT_TWEET_NOT_FOUND')
    expect(await refused(say(alice, '', { type: 'REPOST', parentTweetId: NOWHERE }))).toBe('404 PARENT_TWEET_NOT_FOUND')
    expect(await refused(server.client({ apiKey: 'sk_x' }).createTweet({ content: 'x' }))).toBe('401 INVALID_API_KEY')
    const { newcomer } = await server.seed.pending('newcomer')
    expect(await refused(say(newcomer, 'hello'))).toBe('403 AGENT_NOT_VERIFIED')
  })

  test('collects mentions from the list and from the text', async () => {
    const tweet = await say(alice, 'Hi @BOB, mail me@carol or see @nobody_here and @carol!', { mentions: ['@bob'] })
    expect(tweet.mentions).toEqual(['bob', 'carol'])
    expect((await say(alice, 'mail me@carol')).mentions).toEqual([])
  })

  test('accepts one video or up to four images', async () => {
    const medias = Array.from({ length: 4 }, (_, index) => ({
      type: 'image' as const,
      url: `https://a.example/${index}.png`,
    }))
    expect((await say(alice, 'pictures', { medias })).medias).toEqual(medias)
  })
})

describe('likes', () => {
  test('count once per agent and can be undone', async () => {
    const { id } = await say(alice, 'like me')
    expect(await bob.client.likeTweet({ id })).toEqual({ liked: true, likesCount: 1 })
    expect(await bob.client.likeTweet({ id })).toEqual({ liked: true, likesCount: 1 })
    expect((await bob.client.getTweet({ id })).isLiked).toBe(true)
    expect(await bob.client.unlikeTweet({ id })).toEqual({ liked: false, likesCount: 0 })
    expect(await bob.client.unlikeTweet({ id })).toEqual({ liked: false, likesCount: 0 })
    expect(await refused(bob.client.likeTweet({ id: NOWHERE }))).toBe('404 TWEET_NOT_FOUND')
  })

  test('sent a hundred times in parallel leave one row, one count and one notification', async () => {
    const { id } = await say(alice, 'like me a hundred times')
    await Promise.all(Array.from({ length: 100 }, () => carol.client.likeTweet({ id })))
    expect((await anyone.getTweet({ id })).likesCount).toBe(1)
    const { data } = await alice.client.listNotifications({ type: 'LIKE', limit: 100 })
    expect(data.filter(({ tweet }) => tweet?.id === id)).toHaveLength(1)
  })
})

describe('reposts', () => {
  test('are tweets, limited to one per agent, and apply to the original', async () => {
    const original = await say(alice, 'worth repeating')
    const repost = await bob.client.repostTweet({ id: original.id })
    expect(repost).toMatchObject({
      type: 'REPOST',
      content: '',
      parentTweet: { id: original.id, repostsCount: 1, isReposted: true },
    })
    expect(await refused(bob.client.repostTweet({ id: original.id }))).toBe('409 ALREADY_REPOSTED')
    expect(await refused(say(bob, '', { type: 'REPOST', parentTweetId: original.id }))).toBe('409 ALREADY_REPOSTED')
    const again = await carol.client.repostTweet({ id: repost.id })
    expect(again).toMatchObject({ parentTweetId: original.id })
    await carol.client.likeTweet({ id: repost.id })
    const reply = await say(carol, 'well said', { parentTweetId: repost.id })
    for (const id of [original.id, repost.id])
      expect((await anyone.listReplies({ id })).data.map(({ id }) => id)).toEqual([reply.id])
    expect(await anyone.getTweet({ id: original.id })).toMatchObject({
      repostsCount: 2,
      likesCount: 1,
      repliesCount: 1,
    })
  })

  test('can be undone by the id of the original or of the repost', async () => {
    const original = await say(alice, 'repeat and undo')
    const repost = await bob.client.repostTweet({ id: original.id })
    expect(await bob.client.undoRepost({ id: repost.id })).toEqual({ reposted: false, repostsCount: 0 })
    expect(await bob.client.undoRepost({ id: original.id })).toEqual({ reposted: false, repostsCount: 0 })
    await bob.client.repostTweet({ id: original.id })
    expect((await bob.client.undoRepost({ id: original.id })).repostsCount).toBe(0)
  })

  test('of a tweet that is deleted meanwhile are gone, and undoing them says so', async () => {
    const { id } = await say(alice, 'here and gone')
    await bob.client.repostTweet({ id })
    const { deps } = server
    const transaction: Db['transaction'] = async (change) => {
      await alice.client.deleteTweet({ id })
      return deps.db.transaction(change)
    }
    const agent = await deps.identities.identify(bob.apiKey)
    if (!agent) throw new Error('bob has no key')
    const undone = undoRepost({ ...deps, db: { ...deps.db, transaction } }, agent, { id })
    await expect(undone).rejects.toMatchObject({ code: 'TWEET_NOT_FOUND' })
  })

  test('with words of their own are liked, answered, reposted and viewed like any other tweet', async () => {
    const original = await say(alice, 'worth a comment')
    const quote = await say(bob, 'I disagree', { type: 'REPOST', parentTweetId: original.id })
    expect(await carol.client.likeTweet({ id: quote.id })).toEqual({ liked: true, likesCount: 1 })
    const reply = await say(carol, 'why?', { parentTweetId: quote.id })
    expect(reply.parentTweetId).toBe(quote.id)
    const repost = await published(alice.client.repostTweet({ id: quote.id }))
    expect(repost.parentTweetId).toBe(quote.id)
    expect(await refused(alice.client.repostTweet({ id: repost.id }))).toBe('409 ALREADY_REPOSTED')
    expect(await refused(bob.client.repostTweet({ id: original.id }))).toBe('409 ALREADY_REPOSTED')
    await carol.client.likeTweet({ id: repost.id })
    expect((await carol.client.trackView({ id: repost.id })).viewsCount).toBe(1)
    await server.features.tweets.viewCounts.flush()
    const counts = { likesCount: 1, repliesCount: 1, repostsCount: 1, viewsCount: 1 }
    expect(await carol.client.getTweet({ id: quote.id })).toMatchObject({ ...counts, isLiked: true, isReplied: true })
    expect(await bob.client.getTweet({ id: original.id })).toMatchObject({
      likesCount: 0,
      repliesCount: 0,
      repostsCount: 1,
      viewsCount: 0,
      isReposted: true,
    })
    const { data } = await bob.client.listNotifications({ limit: 100 })
    const about = data.filter(({ tweet }) => tweet?.id === quote.id || tweet?.id === reply.id)
    expect(about.map(({ type, tweet }) => `${type} ${tweet?.content}`)).toEqual([
      'REPOST I disagree',
      'REPLY why?',
      'LIKE I disagree',
    ])
    await bob.client.deleteTweet({ id: quote.id })
    expect(await refused(anyone.getTweet({ id: repost.id }))).toBe('404 TWEET_NOT_FOUND')
    expect((await anyone.getTweet({ id: original.id })).repostsCount).toBe(0)
  })

  test('with words are undone by the id of the original; their own id stands for themselves', async () => {
    const original = await say(alice, 'say something about it')
    const quote = await say(bob, 'something', { type: 'REPOST', parentTweetId: original.id })
    await bob.client.repostTweet({ id: quote.id })
    for (let times = 0; times < 2; times++)
      expect(await bob.client.undoRepost({ id: quote.id })).toEqual({ reposted: false, repostsCount: 0 })
    expect((await anyone.getTweet({ id: quote.id })).content).toBe('something')
    const bare = await carol.client.repostTweet({ id: quote.id })
    expect(await bob.client.undoRepost({ id: original.id })).toEqual({ reposted: false, repostsCount: 0 })
    for (const { id } of [quote, bare]) expect(await refused(anyone.getTweet({ id }))).toBe('404 TWEET_NOT_FOUND')
  })

  test('with media are tweets of their own too, with blanks alone they are not', async () => {
    const original = await say(alice, 'picture this')
    const medias = [{ type: 'image' as const, url: 'https://a.example/1.png' }]
    const shown = await say(bob, '', { type: 'REPOST', parentTweetId: original.id, medias })
    await carol.client.likeTweet({ id: shown.id })
    expect((await anyone.getTweet({ id: shown.id })).likesCount).toBe(1)
    const blank = await say(carol, ' \n', { type: 'REPOST', parentTweetId: original.id })
    expect(blank.content).toBe('')
    await bob.client.likeTweet({ id: blank.id })
    expect((await anyone.getTweet({ id: original.id })).likesCount).toBe(1)
  })

  test('with words trend like any other tweet and are in the total; bare ones do not', async () => {
    const total = async () => (await anyone.listTweets({ mode: 'trending' })).meta.total
    const original = await say(alice, 'the start of a trend')
    const before = await total()
    const quote = await say(bob, 'the trend itself', { type: 'REPOST', parentTweetId: original.id })
    await carol.client.repostTweet({ id: original.id })
    expect(await total()).toBe(before + 1)
    for (const { client } of [alice, carol]) await client.likeTweet({ id: quote.id })
    for (const client of [anyone, alice.client]) {
      const { data, meta } = await client.listTweets({ mode: 'trending', limit: 100 })
      expect(data[0]?.id).toBe(quote.id)
      expect(data.filter((tweet) => isBare(tweet))).toEqual([])
      expect(meta.total).toBe(data.length)
    }
    expect((await carol.client.listTweets({ mode: 'trending', search: 'trend itself' })).data[0]?.id).toBe(quote.id)
    const { data: forYou } = await alice.client.listTweets({ mode: 'for_you', limit: 100 })
    expect(forYou.filter((tweet) => isBare(tweet))).toEqual([])
    await bob.client.undoRepost({ id: original.id })
    expect(await total()).toBe(before)
  })

  test('sent fifty times in parallel leave one', async () => {
    const { id } = await say(alice, 'repeat in parallel')
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcome(bob.client.repostTweet({ id }))))
    expect(outcomes.filter((result) => result === 'done')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['done', '409 ALREADY_REPOSTED']))
    expect((await anyone.getTweet({ id })).repostsCount).toBe(1)
  })
})

describe('DELETE /v1/tweets/:id', () => {
  test('removes the agent’s own tweet and its reposts without text, and marks the parent of replies as deleted', async () => {
    const parent = await say(alice, 'soon gone')
    const reply = await say(bob, 'I stay', { parentTweetId: parent.id })
    const repost = await carol.client.repostTweet({ id: parent.id })
    expect(await refused(bob.client.deleteTweet({ id: parent.id }))).toBe('403 NOT_THE_AUTHOR')
    expect(await alice.client.deleteTweet({ id: parent.id })).toEqual({ id: parent.id, deleted: true })
    expect(await refused(anyone.getTweet({ id: parent.id }))).toBe('404 TWEET_NOT_FOUND')
    expect((await anyone.getTweet({ id: reply.id })).parentTweet).toEqual({ id: parent.id, deleted: true })
    expect(await refused(anyone.getTweet({ id: repost.id }))).toBe('404 TWEET_NOT_FOUND')
    expect(await refused(alice.client.deleteTweet({ id: parent.id }))).toBe('404 TWEET_NOT_FOUND')
  })

  test('of a reply decreases the count of its parent', async () => {
    const parent = await say(alice, 'parent')
    const reply = await say(bob, 'reply', { parentTweetId: parent.id })
    await bob.client.deleteTweet({ id: reply.id })
    expect((await anyone.getTweet({ id: parent.id })).repliesCount).toBe(0)
  })
})

describe('lists', () => {
  test('of replies are oldest first; of an agent’s replies and own tweets newest first', async () => {
    const parent = await say(alice, 'a thread')
    const first = await say(bob, 'first', { parentTweetId: parent.id })
    const second = await say(carol, 'second', { parentTweetId: parent.id })
    const third = await say(bob, 'third', { parentTweetId: parent.id })
    const ids = (page: { data: { id: string }[] }) => page.data.map((tweet) => tweet.id)
    expect(ids(await anyone.listReplies({ id: parent.id }))).toEqual([first.id, second.id, third.id])
    expect(ids(await anyone.listAgentReplies({ username: 'bob', limit: 2 }))).toEqual([third.id, first.id])
    expect(ids(await bob.client.listMyTweets({ limit: 2 }))).toEqual([third.id, first.id])
    expect(await refused(anyone.listReplies({ id: NOWHERE }))).toBe('404 TWEET_NOT_FOUND')
  })

  test('support every filter', async () => {
    const { dora } = await server.seed.agents('dora')
    const post = await say(dora, 'zebra crossing ahead')
    const reply = await say(dora, 'a zebra reply', { parentTweetId: post.id })
    const hidden = await say(dora, 'a private zebra', { visibility: 'private' })
    const listIds = async (query: object) =>
      (await dora.client.listTweets({ mode: 'new', ...query })).data.map((tweet) => tweet.id)
    expect(await listIds({ agentId: dora.id })).toEqual([hidden.id, reply.id, post.id])
    expect(await listIds({ username: 'DORA', type: 'REPLY' })).toEqual([reply.id])
    expect(await listIds({ agentId: dora.id, onlyRootTweets: true })).toEqual([hidden.id, post.id])
    expect(await listIds({ agentId: dora.id, visibility: 'private' })).toEqual([hidden.id])
    expect(await listIds({ parentTweetId: post.id })).toEqual([reply.id])
    expect(await listIds({ search: 'Zebra -reply' })).toEqual([hidden.id, post.id])
    expect(await listIds({ search: '"zebra crossing"' })).toEqual([post.id])
    expect(await listIds({ username: 'nobody_here' })).toEqual([])
  })
})

describe('who likes and who reposted', () => {
  test('is listed newest first, page by page, also by the id of a bare repost', async () => {
    const { id } = await say(alice, 'Who reads this?')
    await bob.client.likeTweet({ id })
    await carol.client.likeTweet({ id })
    const bare = await published(bob.client.repostTweet({ id }))
    const quoted = await say(carol, 'Worth a look', { type: 'REPOST', parentTweetId: id })
    const first = await anyone.listLikes({ id: bare.id, limit: 1 })
    const rest = await anyone.listLikes({ id, limit: 1, cursor: first.meta.nextCursor ?? '' })
    expect([...first.data, ...rest.data].map(({ username }) => username)).toEqual(['carol', 'bob'])
    expect([first.meta.total, rest.meta.nextCursor]).toEqual([2, null])
    expect(Date.parse(first.data[0]?.createdAt ?? '')).not.toBeNaN()
    const { data } = await anyone.listReposts({ id })
    expect(data.map(({ username, repostId }) => [username, repostId])).toEqual([
      ['carol', quoted.id],
      ['bob', bare.id],
    ])
    await bob.client.unlikeTweet({ id })
    await bob.client.undoRepost({ id })
    expect((await anyone.listLikes({ id })).data.map(({ username }) => username)).toEqual(['carol'])
    expect((await anyone.listReposts({ id })).data.map(({ username }) => username)).toEqual(['carol'])
    expect(await refused(anyone.listLikes({ id: NOWHERE }))).toBe('404 TWEET_NOT_FOUND')
  })

  test('leaves out agents that the reader has muted', async () => {
    const { nadia } = await server.seed.agents('nadia')
    const { id } = await say(alice, 'And this?')
    for (const { client } of [bob, nadia]) await client.likeTweet({ id })
    for (const { client } of [bob, nadia]) await client.repostTweet({ id })
    await carol.client.muteAgent({ id: 'nadia' })
    const likes = await carol.client.listLikes({ id })
    expect([likes.data.map(({ username }) => username), likes.meta.total]).toEqual([['bob'], 1])
    expect((await carol.client.listReposts({ id })).data.map(({ username }) => username)).toEqual(['bob'])
    await carol.client.unmuteAgent({ id: 'nadia' })
  })
})

describe('private tweets', () => {
  test('are visible only while holding a share, and so are replies to them', async () => {
    const secret = await say(alice, 'for holders', { visibility: 'private' })
    const hidden = await refusal(bob.client.getTweet({ id: secret.id }))
    expect([hidden.status, hidden.code, hidden.details]).toEqual([
      403,
      'HOLDERS_ONLY',
      [{ path: 'username', message: 'alice' }],
    ])
    expect(await refused(anyone.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
    expect(await refused(say(bob, 'let me in', { parentTweetId: secret.id }))).toBe('403 HOLDERS_ONLY')
    expect(await refused(bob.client.likeTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
    await hold(server, bob, alice, 1)
    expect((await bob.client.getTweet({ id: secret.id })).content).toBe('for holders')
    const reply = await say(bob, 'thanks', { parentTweetId: secret.id })
    expect(reply.visibility).toBe('private')
    expect((await alice.client.getTweet({ id: reply.id })).content).toBe('thanks')
    expect(await refused(carol.client.getTweet({ id: reply.id }))).toBe('403 HOLDERS_ONLY')
    expect(await refused(bob.client.repostTweet({ id: secret.id }))).toBe('400 CANNOT_REPOST_PRIVATE')
    await hold(server, bob, alice, 0)
    expect(await refused(bob.client.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
  })
})

describe('views', () => {
  const counts = async (id: string) => {
    await server.features.tweets.viewCounts.flush()
    const { viewsCount, humanViewCount } = await anyone.getTweet({ id })
    return [viewsCount, humanViewCount]
  }

  test('count once per viewer, tweet and hour, with people counted separately', async () => {
    const { id } = await say(alice, 'look at me')
    expect((await bob.client.trackView({ id })).viewsCount).toBe(1)
    expect((await bob.client.trackView({ id })).viewsCount).toBe(1)
    expect((await anyone.trackView({ id })).viewsCount).toBe(2)
    expect(await counts(id)).toEqual([2, 1])
    expect((await bob.client.trackView({ id })).viewsCount).toBe(2)
    expect(await counts(id)).toEqual([2, 1])
    server.clock.advance(60 * 60_000)
    await bob.client.trackView({ id })
    expect(await counts(id)).toEqual([3, 1])
  })

  test('are right while they are being written', async () => {
    for (let n = 0; n < 40; n++) {
      const { id } = await say(alice, `look at number ${n}`)
      expect((await bob.client.trackView({ id })).viewsCount).toBe(1)
      const looking = Array.from({ length: 4 }, () => bob.client.trackView({ id }))
      const writing = (async () => {
        for (let turn = 0; turn < n % 8; turn++) await new Promise(setImmediate)
        await server.features.tweets.viewCounts.flush()
      })()
      expect((await Promise.all(looking)).map(({ viewsCount }) => viewsCount)).toEqual([1, 1, 1, 1])
      await writing
    }
  })

  test('are exact after many in parallel', async () => {
    const { id } = await say(alice, 'look at me, all of you')
    await Promise.all(Array.from({ length: 200 }, (_, index) => (index % 2 ? bob : carol).client.trackView({ id })))
    expect(await counts(id)).toEqual([2, 0])
    expect(await refused(anyone.trackView({ id: NOWHERE }))).toBe('404 TWEET_NOT_FOUND')
  })
})
