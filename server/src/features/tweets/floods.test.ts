import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const LIMITS = {
  REPEATED_POSTS_PER_HOUR: '5',
  RATE_LIMIT_DAILY_FOLLOWS: '6',
  RATE_LIMIT_DAILY_LIKES: '7',
  RATE_LIMIT_DAILY_BLOCKS: '3',
}
const server = await startServer({ env: LIMITS })
const anyone = server.client()
afterAll(() => server.stop())
const { star, ann, ben, cat, dan, eve } = await server.seed.agents('star', 'ann', 'ben', 'cat', 'dan', 'eve')
const ring = [ann, ben, cat]

beforeAll(async () => {
  await server.deps.database.pool.query('update agent set wallet_address = $1 where id = any($2)', [
    ann.walletAddress,
    ring.map(({ id }) => id),
  ])
  for (const { id } of ring) await server.deps.identities.forget(id)
})

const outcomes = async (calls: Promise<unknown>[]) => {
  const settled = await Promise.allSettled(calls)
  return settled
    .map((call) => (call.status === 'fulfilled' ? 'done' : `${call.reason.status} ${call.reason.code}`))
    .sort()
}
const say = ({ client }: SeededAgent, content: string) => client.createTweet({ content })

describe('a campaign of one wallet', () => {
  test('ends at the limit, however its agents share it and vary it, and says when to come back', async () => {
    const text = (n: number) => `Buy the finest rook feathers today, offer ${n} from https://rooks.example/${n}`
    const done = await outcomes(Array.from({ length: 15 }, (_, n) => say(ring[n % 3] as SeededAgent, text(n))))
    expect(done.filter((outcome) => outcome === 'done')).toHaveLength(5)
    expect(done.filter((outcome) => outcome === '429 REPEATED_TOO_OFTEN')).toHaveLength(10)
    const { retryAfterSeconds } = await refusal(say(ann, text(99)))
    expect(retryAfterSeconds).toBeGreaterThan(3_000)
    expect(retryAfterSeconds).toBeLessThanOrEqual(3_600)
    const { id } = (await say(dan, 'What do you think of this?')) as { id: string }
    expect(await refused(ben.client.createTweet({ content: text(7), parentTweetId: id }))).toBe(
      '429 REPEATED_TOO_OFTEN',
    )
    // Other words, other wallets, and what only holders read are not concerned.
    await say(ann, 'A quiet morning over the fields')
    await say(dan, text(1))
    await ann.client.createTweet({ content: text(2), visibility: 'private' })
    server.clock.advance(61 * 60_000)
    await say(cat, text(3))
  })

  test('ends there too when its owner lets some posts wait for approval, and an approved post counts once', async () => {
    const { fay } = await server.seed.agents('fay')
    const { client: owner } = await server.seed.login('fay')
    const text = (n: number) => `The seventh seal of the old rookery is broken, said the ${n} of us`
    const wait = () => owner.updateControls({ id: 'fay', approvePostsAfter: 0 })
    await owner.updateControls({ id: 'fay', approvePostsAfter: 3 })
    for (let n = 0; n < 3; n++) await say(fay, text(n))
    await wait()
    const waiting = await say(fay, text(3))
    await owner.decideApproval({ id: 'fay', approvalId: waiting.id, decision: 'approve' })
    await owner.updateControls({ id: 'fay', approvePostsAfter: 1_000 })
    await say(fay, text(4))
    expect(await refused(say(fay, text(5)))).toBe('429 REPEATED_TOO_OFTEN')
  })

  test('leaves greetings alone', async () => {
    expect(await outcomes(Array.from({ length: 8 }, () => say(eve, 'gm all')))).toEqual(Array(8).fill('done'))
  })
})

describe('a campaign of strangers', () => {
  test('does not rise in trending: copies rank below what nobody repeated', async () => {
    const copy = 'Everybody talks about the golden rook of the northern marshes now'
    for (const agent of [dan, eve, star, ann]) await say(agent, copy)
    await say(ben, 'My elm has a nest again')
    await server.drain()
    const { data } = await anyone.listTweets({ mode: 'trending', limit: 100 })
    const places = data.flatMap(({ content }, place) => (content === copy ? [place] : []))
    const plain = data.findIndex(({ content }) => content === 'My elm has a nest again')
    expect(places.filter((place) => place < plain).length).toBeLessThanOrEqual(1)
    expect(places).toHaveLength(4)
  })
})

describe('a ring', () => {
  const trendOf = async ({ id }: SeededAgent) =>
    (await server.deps.database.pool.query('select trend from agent_trend where agent_id = $1', [id])).rows[0].trend
  const rankOf = async ({ id }: SeededAgent) =>
    (await server.deps.database.pool.query('select followers_count from agent_order where agent_id = $1', [id])).rows[0]
      .followers_count

  test('of one wallet moves neither scores nor ranks by liking and following each other', async () => {
    const { id } = (await say(ann, 'Nobody but us likes this')) as { id: string }
    await server.drain()
    const score = async () =>
      (await server.deps.database.pool.query('select score from tweet_order where tweet_id = $1', [id])).rows[0].score
    const before = [await score(), await trendOf(ann), await rankOf(ann)]
    for (const fan of [ben, cat]) {
      await fan.client.likeTweet({ id })
      await fan.client.followAgent({ id: ann.id })
    }
    expect([await score(), await trendOf(ann), await rankOf(ann)]).toEqual(before)
    expect((await anyone.getAgent({ identifier: 'ann' })).followersCount).toBe(2)
  })

  test('of one wallet counts once for another, also when it follows all at once, and leaves nothing behind', async () => {
    await Promise.all(ring.map(({ client }) => client.followAgent({ id: 'star' })))
    expect(await rankOf(star)).toBe(1)
    const once = await trendOf(star)
    await ben.client.unfollowAgent({ id: 'star' })
    await ben.client.followAgent({ id: 'star' })
    expect(await trendOf(star)).toBeLessThan(once + 0.01)
    await dan.client.followAgent({ id: 'star' })
    expect(await rankOf(star)).toBe(2)
    for (const { client } of [...ring, dan]) await client.unfollowAgent({ id: 'star' })
    expect(await rankOf(star)).toBe(0)
    expect((await anyone.getAgent({ identifier: 'star' })).followersCount).toBe(0)
  })
})

describe('the daily allowances', () => {
  test('of follows and likes are exact under parallel calls, and come back after a day', async () => {
    server.clock.advance(25 * 60 * 60_000)
    const { id } = (await say(star, 'Like me as often as you can')) as { id: string }
    const count = async (call: () => Promise<unknown>) =>
      (await outcomes(Array.from({ length: 12 }, call))).filter((outcome) => outcome === 'done').length
    expect(await count(() => eve.client.followAgent({ id: 'star' }))).toBe(6)
    expect(await count(() => eve.client.likeTweet({ id }))).toBe(7)
    const { code, status, retryAfterSeconds = 0 } = await refusal(eve.client.likeTweet({ id }))
    expect([status, code]).toEqual([429, 'RATE_LIMITED'])
    expect(retryAfterSeconds).toBeGreaterThan(23 * 3_600)
    expect((await eve.client.unlikeTweet({ id })).liked).toBe(false)
    expect((await dan.client.likeTweet({ id })).liked).toBe(true)
    server.clock.advance(25 * 60 * 60_000)
    expect((await eve.client.likeTweet({ id })).liked).toBe(true)
  })

  test('of mutes and blocks is one', async () => {
    const calls = Array.from({ length: 5 }, (_, n) =>
      n % 2 ? dan.client.muteAgent({ id: 'star' }) : dan.client.blockAgent({ id: 'star' }),
    )
    expect((await outcomes(calls)).filter((outcome) => outcome === 'done')).toHaveLength(3)
    expect((await dan.client.unblockAgent({ id: 'star' })).blocked).toBe(false)
  })
})
