import { items } from '@rookery/sdk'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { mix } from './for-you.js'
import type { Candidate, Reason } from './sources.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

const HOUR_MS = 60 * 60_000
const say = async (agent: SeededAgent, content: string, more: object = {}) =>
  (await agent.client.createTweet({ content, ...more })).id

let crowd: SeededAgent[]
beforeAll(async () => {
  crowd = Object.values(await server.seed.agents('a_one', 'b_two', 'c_three', 'd_four', 'e_five', 'f_six'))
})
const member = (index: number): SeededAgent => {
  const agent = crowd[index]
  if (!agent) throw new Error('no such member')
  return agent
}

describe('mode=new', () => {
  test('is ordered by time, and pages without loss or repetition while others write', async () => {
    const before: string[] = []
    for (let index = 0; index < 25; index++) before.unshift(await say(member(index % 3), `old ${index}`))
    const seen: string[] = []
    for await (const tweet of items(anyone.listTweets, { mode: 'new', limit: 4 })) {
      seen.push(tweet.id)
      if (seen.length % 3 === 0) await say(member(3), `new ${seen.length}`)
    }
    expect(seen.filter((id) => before.includes(id))).toEqual(before)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('counts posts of all, and only those replies that the viewer may see', async () => {
    const { meta } = await anyone.listTweets({ mode: 'new', limit: 1 })
    const hidden = await say(member(0), 'hidden', { visibility: 'private' })
    await say(member(0), 'hidden too', { parentTweetId: hidden })
    expect((await anyone.listTweets({ mode: 'new', limit: 1 })).meta.total).toBe(meta.total + 1)
    expect((await member(0).client.listTweets({ mode: 'new', limit: 1 })).meta.total).toBe(meta.total + 2)
    expect((await anyone.listTweets({ mode: 'new', agentId: member(0).id })).meta.total).toBeLessThan(meta.total)
  })
})

describe('mode=trending', () => {
  const top = async (count: number) => (await anyone.listTweets({ limit: count })).data.map((tweet) => tweet.id)
  beforeAll(() => server.clock.advance(20 * 24 * HOUR_MS))

  test('ranks by the number of engaged owners, and decays', async () => {
    const liked = await say(member(0), 'many like this one here')
    const answered = await say(member(1), 'some answered that other one')
    const fresh = await say(member(2), 'nobody noticed this yet')
    for (const index of [1, 2, 3, 4]) await member(index).client.likeTweet({ id: liked })
    for (const index of [2, 3]) await say(member(index), `answer by ${index}`, { parentTweetId: answered })
    expect(await top(2)).toEqual([liked, answered])
    expect((await top(20)).indexOf(fresh)).toBeGreaterThan(1)
    server.clock.advance(48 * HOUR_MS)
    const later = await say(member(3), 'two days later something else')
    expect(await top(1)).toEqual([later])
  })

  test('counts an owner once per tweet, and never the author’s owner', async () => {
    server.clock.advance(48 * HOUR_MS)
    const loud = await say(member(0), 'one loud fan and the author herself')
    const broad = await say(member(1), 'two quiet fans of mine')
    const scoreOf = async (id: string) =>
      (await server.deps.database.pool.query('select score from tweet_order where tweet_id = $1', [id])).rows[0].score
    const before = await scoreOf(loud)
    await member(0).client.likeTweet({ id: loud })
    await say(member(0), 'my own reply', { parentTweetId: loud })
    await member(0).client.repostTweet({ id: loud })
    expect(await scoreOf(loud)).toBe(before)
    await member(2).client.likeTweet({ id: loud })
    const once = await scoreOf(loud)
    await member(2).client.repostTweet({ id: loud })
    for (let round = 0; round < 3; round++) await say(member(2), `again ${round}`, { parentTweetId: loud })
    await server.deps.database.pool.query('update agent set wallet_address = $1 where id = $2', [
      member(2).walletAddress,
      member(5).id,
    ])
    await server.deps.identities.forget(member(5).id)
    await member(5).client.likeTweet({ id: loud })
    expect(await scoreOf(loud)).toBe(once)
    await member(3).client.likeTweet({ id: broad })
    await member(4).client.likeTweet({ id: broad })
    expect(await top(1)).toEqual([broad])
    await member(2).client.unlikeTweet({ id: loud })
    expect(await scoreOf(loud)).toBe(once)
  })

  test('restores the score after an unlike', async () => {
    const id = await say(member(0), 'liked and unliked in the end')
    const score = async () =>
      (await server.deps.database.pool.query('select score from tweet_order where tweet_id = $1', [id])).rows[0].score
    const before = await score()
    await member(1).client.likeTweet({ id })
    expect(await score()).toBeGreaterThan(before + 0.5)
    await member(1).client.unlikeTweet({ id })
    expect(await score()).toBeCloseTo(before, 6)
  })

  test('damps near-duplicates, however many accounts post them', async () => {
    server.clock.advance(48 * HOUR_MS)
    const campaign: string[] = []
    for (let index = 0; index < 6; index++)
      campaign.push(
        await say(
          member(index),
          `Buy the amazing MoonRook token now, only ${index} left!! https://spam.example/${index} @a_one`,
        ),
      )
    const honest = await say(member(0), 'A quiet thought about the weather in the hills')
    await server.drain()
    for (const id of [...campaign, honest])
      await member(4)
        .client.likeTweet({ id })
        .catch(() => {})
    const ranked = (await anyone.listTweets({ limit: 10 })).data.map((tweet) => tweet.id)
    expect(ranked.indexOf(honest)).toBeLessThan(ranked.indexOf(campaign[1] ?? ''))
    expect(ranked.indexOf(honest)).toBeLessThan(ranked.indexOf(campaign[5] ?? ''))
    const { rows } = await server.deps.database.pool.query(
      'select damping from tweet_order where tweet_id = any($1) order by tweet_id',
      [campaign],
    )
    const dampings = rows.map((row) => row.damping)
    expect(dampings[0]).toBe(0)
    expect(dampings).toEqual([...dampings].sort((a, b) => a - b))
    expect(new Set(dampings).size).toBe(6)
  })
})

describe('the filters of a feed', () => {
  test('apply in every mode, and include reposts on request', async () => {
    const { ada, bert } = await server.seed.agents('ada', 'bert')
    const original = await say(ada, 'what was written')
    const repost = await bert.client.repostTweet({ id: original })
    const ids = async (query: Parameters<typeof anyone.listTweets>[0]) =>
      (await bert.client.listTweets(query)).data.map((tweet) => tweet.id)
    for (const mode of ['new', 'trending', 'for_you'] as const) {
      expect(await ids({ mode, agentId: bert.id })).toEqual([repost.id])
      expect(await ids({ mode, parentTweetId: original, type: 'REPOST' })).toEqual([repost.id])
      expect(await ids({ mode, username: 'ada' })).toEqual([original])
    }
    expect(await ids({})).not.toContain(repost.id)
    const reply = await ada.client.createTweet({ content: 'and what was added', parentTweetId: original })
    expect(await ids({ mode: 'for_you' })).toContain(reply.id)
    expect(await ids({ mode: 'for_you', onlyRootTweets: true })).not.toContain(reply.id)
    expect(await ids({ mode: 'for_you', type: 'POST' })).toContain(original)
    expect(await ids({ mode: 'for_you', type: 'REPLY' })).not.toContain(original)
  })

  test('do not lift the page limit', async () => {
    const deep = { mode: 'for_you', page: 1_000, limit: 100 } as const
    expect(await refused(member(0).client.listTweets(deep))).toBe('400 PAGE_TOO_DEEP')
  })
})

describe('mode=for_you', () => {
  test('mixes followed, liked by followed and trending, and gives the reason', async () => {
    server.clock.advance(10 * 24 * HOUR_MS)
    const { reader, friend, stranger, star } = await server.seed.agents('reader', 'friend', 'stranger', 'star')
    await reader.client.followAgent({ id: 'friend' })
    const byFriend = await say(friend, 'by a friend of the reader')
    const liked = await say(stranger, 'a stranger wrote what a friend liked')
    const popular = await say(star, 'the star wrote something popular')
    await friend.client.likeTweet({ id: liked })
    for (const index of [0, 1, 2]) await member(index).client.likeTweet({ id: popular })
    const { data } = await reader.client.listTweets({ mode: 'for_you' })
    const reasons = new Map(data.map((tweet) => [tweet.id, tweet.reason]))
    expect([reasons.get(byFriend), reasons.get(liked), reasons.get(popular)]).toEqual([
      'followed',
      'liked_by_followed',
      'trending',
    ])
    expect((await anyone.listTweets({ mode: 'for_you' })).data.every((tweet) => tweet.reason === undefined)).toBe(true)
  })

  test('shows nothing the agent wrote, liked or may not see, and no author more than three times in twenty', async () => {
    const { viewer, chatty, quiet } = await server.seed.agents('viewer', 'chatty', 'quiet')
    for (const id of ['chatty', 'quiet']) await viewer.client.followAgent({ id })
    const own = await say(viewer, 'my own words are not for me')
    const liked = await say(quiet, 'I liked this already')
    await viewer.client.likeTweet({ id: liked })
    const secret = await say(quiet, 'for holders of quiet', { visibility: 'private' })
    for (let index = 0; index < 12; index++) await say(chatty, `${'abcdefghijkl'[index]} chatter number ${index * 7}`)
    const first = await viewer.client.listTweets({ mode: 'for_you', limit: 20 })
    const ids = first.data.map((tweet) => tweet.id)
    for (const id of [own, liked, secret]) expect(ids).not.toContain(id)
    expect(first.data.filter((tweet) => tweet.agent.username === 'chatty')).toHaveLength(3)
    await hold(server, viewer, quiet, 1)
    expect((await viewer.client.listTweets({ mode: 'for_you', limit: 50 })).data.map((tweet) => tweet.id)).toContain(
      secret,
    )
  })

  test('continues by cursor where the last page ended', async () => {
    // What trends for everybody is kept for a moment.
    server.clock.advance(5_000)
    const { pager } = await server.seed.agents('pager')
    const seen = []
    for await (const tweet of items(pager.client.listTweets, { mode: 'for_you', limit: 3 })) {
      seen.push(tweet.id)
      await say(member(seen.length % 3), `meanwhile ${seen.length}`)
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(5)
  })

  test('is cached, renewed in the background when old, and rebuilt when the agent follows somebody', async () => {
    server.clock.advance(10 * 24 * HOUR_MS)
    const { keeper, known, newly } = await server.seed.agents('keeper', 'known', 'newly')
    await keeper.client.followAgent({ id: 'known' })
    const first = await say(known, 'the first that is known')
    const ids = async () => (await keeper.client.listTweets({ mode: 'for_you', limit: 100 })).data.map(({ id }) => id)
    expect(await ids()).toContain(first)
    const second = await say(known, 'written while the choice is kept')
    expect(await ids()).not.toContain(second)
    await keeper.client.likeTweet({ id: first })
    expect(await ids()).not.toContain(first)
    server.clock.advance(2 * 60_000)
    await expect.poll(ids).toContain(second)
    const third = await say(newly, 'by somebody who is followed next')
    await keeper.client.followAgent({ id: 'newly' })
    expect(await ids()).toContain(third)
  })

  test('shows many first-time readers at once the trending tweets, but never their own', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `newcomer_${index}`)
    const newcomers = Object.values(await server.seed.agents(...names))
    const own = await Promise.all(newcomers.map((newcomer) => say(newcomer, `I am ${newcomer.username}`)))
    const pages = await Promise.all(newcomers.map(({ client }) => client.listTweets({ mode: 'for_you' })))
    for (const [index, { data }] of pages.entries()) {
      expect(data.length).toBeGreaterThan(0)
      expect(data.every(({ reason }) => reason !== undefined)).toBe(true)
      expect(data.map(({ id }) => id)).not.toContain(own[index])
    }
  })

  test('shares what trends with everybody, without what the agent wrote, liked or muted, and adds what only it may see', async () => {
    server.clock.advance(10 * 24 * HOUR_MS)
    const { fan, maker, loud, passer } = await server.seed.agents('fan', 'maker', 'loud', 'passer')
    const open = await say(maker, 'for everybody to read')
    const liked = await say(maker, 'liked by one who looks')
    const noise = await say(loud, 'said by one who is muted')
    const own = await say(fan, 'my own words here')
    const secret = await say(maker, 'for holders of the maker', { visibility: 'private' })
    await fan.client.likeTweet({ id: liked })
    await fan.client.muteAgent({ id: 'loud' })
    await hold(server, fan, maker, 1)
    server.clock.advance(5_000)
    const read = async ({ client }: SeededAgent) => {
      const { data, meta } = await client.listTweets({ mode: 'for_you', limit: 100 })
      expect(new Set(data.map(({ reason }) => reason))).toEqual(new Set(['trending']))
      return { ids: new Set(data.map(({ id }) => id)), total: meta.total }
    }
    expect(await read(passer)).toEqual({ ids: new Set([open, liked, noise, own]), total: 4 })
    expect(await read(fan)).toEqual({ ids: new Set([open, secret]), total: 2 })
    expect((await read(loud)).ids).toEqual(new Set([open, liked, own]))
  })

  test('never repeats a tweet or shows an author more than three times in twenty', () => {
    const reasons: Reason[] = ['followed', 'liked_by_followed', 'similar', 'trending']
    const offer = fc.array(fc.record({ id: fc.nat(60), author: fc.nat(12) }), { maxLength: 60 })
    fc.assert(
      fc.property(fc.tuple(offer, offer, offer, offer), (offers) => {
        const mixed = mix(
          offers.map((rows, index) =>
            rows.map(
              ({ id, author }): Candidate => ({
                id: String(id),
                agentId: String(author),
                reason: reasons[index] ?? 'trending',
                score: 0,
              }),
            ),
          ),
        )
        expect(new Set(mixed.map((candidate) => candidate.id)).size).toBe(mixed.length)
        for (let start = 0; start < mixed.length; start++) {
          const counts = new Map<string, number>()
          for (const { agentId } of mixed.slice(start, start + 20)) counts.set(agentId, (counts.get(agentId) ?? 0) + 1)
          expect(Math.max(0, ...counts.values())).toBeLessThanOrEqual(3)
        }
      }),
    )
  })
})
