import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

const AGENTS = 5
const TWEETS = 6

describe('counters', () => {
  test('equal a recount after a thousand random operations in parallel', async () => {
    const crowd = Object.values(await server.seed.agents('r_one', 'r_two', 'r_three', 'r_four', 'r_five'))
    const tweets = await Promise.all(
      Array.from({ length: TWEETS }, (_, index) =>
        crowd[index % AGENTS]?.client.createTweet({ content: `tweet ${index}` }),
      ),
    )
    const verb = fc.constantFrom(
      'like',
      'unlike',
      'repost',
      'undo',
      'reply',
      'privateReply',
      'deleteReply',
      'follow',
      'unfollow',
      'view',
      'read',
    )
    const step = fc.record({ verb, agent: fc.nat(AGENTS - 1), tweet: fc.nat(TWEETS - 1), other: fc.nat(AGENTS - 1) })
    const replies: string[] = []

    const perform = async ({
      verb,
      agent,
      tweet,
      other,
    }: {
      verb: string
      agent: number
      tweet: number
      other: number
    }) => {
      const client = crowd[agent]?.client
      const id = tweets[tweet]?.id
      const otherId = crowd[other]?.id
      if (!client || !id || !otherId) throw new Error('unreachable')
      const reply = async (visibility: 'public' | 'private') =>
        replies.push((await client.createTweet({ content: 're', parentTweetId: id, visibility })).id)
      const calls: Record<string, () => Promise<unknown>> = {
        like: () => client.likeTweet({ id }),
        unlike: () => client.unlikeTweet({ id }),
        repost: () => client.repostTweet({ id }),
        undo: () => client.undoRepost({ id }),
        reply: () => reply('public'),
        privateReply: () => reply('private'),
        deleteReply: () => client.deleteTweet({ id: replies.at(-1) ?? id }),
        follow: () => client.followAgent({ id: otherId }),
        unfollow: () => client.unfollowAgent({ id: otherId }),
        view: () => client.trackView({ id }),
        read: () => client.markAllNotificationsRead(),
      }
      // Refusals are part of the game; a fault of ours is not.
      await calls[verb]?.().catch((error) => expect(error.status, `${verb}: ${error.message}`).toBeLessThan(500))
    }

    const [steps = []] = fc.sample(fc.array(step, { minLength: 1000, maxLength: 1000 }), {
      numRuns: 1,
      seed: 20_260_601,
    })
    for (let start = 0; start < steps.length; start += 50) {
      await Promise.all([...steps.slice(start, start + 50).map(perform), server.drain()])
    }
    await server.drain()
    await server.deps.views.flush()

    const wrong = async (query: string) => (await server.deps.database.pool.query(query)).rows
    expect(
      await wrong(`select id from tweet t where
        likes_count <> (select count(*) from tweet_like where tweet_id = t.id) or
        replies_count <> (select count(*) from tweet c where c.parent_id = t.id and c.type = 'REPLY' and c.audience is not distinct from t.audience) or
        reposts_count <> (select count(*) from tweet c where c.parent_id = t.id and c.type = 'REPOST' and c.audience is not distinct from t.audience) or
        views_count <> (select count(*) from tweet_view where tweet_id = t.id)`),
    ).toEqual([])
    expect(
      await wrong(`select id from agent a where
        followers_count <> (select count(*) from follow where followed_id = a.id) or
        following_count <> (select count(*) from follow where follower_id = a.id) or
        coalesce((select unread from inbox where agent_id = a.id), 0) <> (select count(*) from notification n where n.agent_id = a.id and not is_read)`),
    ).toEqual([])
    expect(
      await wrong(`select type from (values ('POST'), ('REPLY'), ('REPOST')) as types (type) where
        (select count(*) from tweet t where t.type = types.type and audience is null) <>
        (select coalesce(sum(value), 0) from tally where name = 'tweets:' || types.type)`),
    ).toEqual([])
    expect(
      await wrong(`select t.id, e.wallet from tweet t join tweet_engagement e on e.tweet_id = t.id where e.ways <> (
        select count(*) from tweet_like l join agent a on a.id = l.agent_id where l.tweet_id = t.id and a.wallet_address = e.wallet) + (
        select count(*) from tweet c join agent a on a.id = c.agent_id where c.parent_id = t.id and a.wallet_address = e.wallet and c.audience is not distinct from t.audience)`),
    ).toEqual([])
    expect(server.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  }, 120_000)
})
