import type { Client } from '@rookery/sdk'
import fc from 'fast-check'
import type { Pool } from 'pg'
import { expect } from 'vitest'

/** One action of one agent. */
export interface Step {
  readonly verb: Verb
  readonly agent: number
  readonly tweet: number
  readonly other: number
}

const VERBS = [
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
] as const
type Verb = (typeof VERBS)[number]

/** A thousand actions of agents on some tweets and on each other, the same in every run. */
export function createRandomActions({ agents, tweets }: { agents: number; tweets: readonly string[] }) {
  const step = fc.record({
    verb: fc.constantFrom(...VERBS),
    agent: fc.nat(agents - 1),
    tweet: fc.nat(tweets.length - 1),
    other: fc.nat(agents - 1),
  })
  const [steps = []] = fc.sample(fc.array(step, { minLength: 1000, maxLength: 1000 }), { numRuns: 1, seed: 20_260_601 })
  const replies: string[] = []

  async function perform({ verb, tweet }: Step, client: Client, otherId: string): Promise<void> {
    const id = tweets[tweet] ?? ''
    const reply = async (visibility: 'public' | 'private') =>
      replies.push((await client.createTweet({ content: 're', parentTweetId: id, visibility })).id)
    const calls: Record<Verb, () => Promise<unknown>> = {
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
    // Refusals are expected; server errors are not.
    await calls[verb]().catch((error) => expect(error.status, `${verb}: ${error.message}`).toBeLessThan(500))
  }

  return { steps, perform }
}

// The audience that a tweet has or, when it is taken down, had.
const FORMER = `(case when t.withheld is null then t.audience else t.withheld->>'audience' end)`

const RECOUNTS = [
  `select 'copy of an audience' as what, t.id::text from tweet t join tweet_order o on o.tweet_id = t.id where o.audience is distinct from t.audience`,
  `select 'taken down' as what, id::text from tweet where (withheld is not null) <> coalesce(audience = '0xwithheld', false)`,
  `select 'tweet' as what, id::text from tweet t where
    likes_count <> (select count(*) from tweet_like where tweet_id = t.id) or
    replies_count <> (select count(*) from tweet c where c.parent_id = t.id and c.type = 'REPLY' and c.withheld is null and c.audience is not distinct from ${FORMER}) or
    reposts_count <> (select count(*) from tweet c where c.parent_id = t.id and c.type = 'REPOST' and c.withheld is null and c.audience is not distinct from ${FORMER}) or
    views_count <> (select count(*) from tweet_view where tweet_id = t.id)`,
  `select 'agent' as what, id::text from agent a left join agent_activity on agent_id = id where
    followers_count + coalesce(followers_change, 0) <> (select count(*) from follow where followed_id = a.id) or
    following_count + coalesce(following_change, 0) <> (select count(*) from follow where follower_id = a.id)`,
  `select 'inbox' as what, id::text from agent a left join inbox on inbox.agent_id = a.id where
    coalesce(unread, 0) <> (select count(*) from notification n where n.agent_id = a.id and not is_read) or
    coalesce(total, 0) <> (select count(*) from notification n where n.agent_id = a.id)`,
  `select 'tally' as what, type as id from (values ('POST'), ('REPLY'), ('REPOST')) as types (type) where
    (select count(*) from tweet t where t.type = types.type and audience is null) <>
    (select coalesce(sum(value), 0) from tally where name = 'tweets:' || types.type)`,
  `select 'quotes' as what, '' as id where
    (select count(*) from tweet_order where type = 'QUOTE' and audience is null) <>
    (select coalesce(sum(value), 0) from tally where name = 'quotes')`,
  `select 'agents' as what, status as id from (values ('pending'), ('active'), ('suspended')) as states (status) where
    (select count(*) from agent where agent.status = states.status) <>
    (select coalesce(sum(value), 0) from tally where name = 'agents:' || states.status)`,
  `select 'audience' as what, audience || ' ' || type as id from (
      select audience, type, count(*) as there, 0 as counted from tweet where audience is not null and withheld is null group by audience, type
      union all select audience, type, 0, value from audience_tally) counts
    group by audience, type having sum(there) <> sum(counted)`,
  `select 'private posts' as what, '' as id where
    (select count(*) from tweet where type = 'POST' and audience is not null and withheld is null) <>
    (select coalesce(sum(value), 0) from tally where name = 'private:POST')`,
  `select 'engagement' as what, t.id || ' ' || e.wallet as id from tweet t join tweet_engagement e on e.tweet_id = t.id where e.ways + (
    select coalesce(sum(ways), 0) from deed d where d.engaged_id = t.id and d.wallet = e.wallet) <> (
    select count(*) from tweet_like l join agent a on a.id = l.agent_id where l.tweet_id = t.id and a.wallet_address = e.wallet) + (
    select count(*) from tweet c join agent a on a.id = c.agent_id where c.parent_id = t.id and a.wallet_address = e.wallet and (case when c.withheld is null then c.audience else c.withheld->>'audience' end) is not distinct from ${FORMER})`,
  `select what, tweet_id::text as id from (
      select 'like of no tweet' as what, tweet_id from tweet_like
      union all select 'engagement with no tweet', tweet_id from tweet_engagement
      union all select 'place of no tweet', tweet_id from tweet_order) left_over
    where not exists (select from tweet where id = tweet_id)`,
  `select 'tweet without a place' as what, id::text from tweet where not exists (select from tweet_order where tweet_id = id)`,
  `select 'place of an agent' as what, id::text from agent a where
    not exists (select from agent_trend where agent_id = a.id) or not exists (select from agent_order o where
      o.agent_id = a.id and o.followers_count = (select count(*) from follow where followed_id = a.id and counts) and
        o.following_count = (select count(*) from follow where follower_id = a.id))`,
]

/** Counters that differ from a recount. */
export async function findMiscounts(pool: Pool): Promise<{ what: string; id: string }[]> {
  const wrong = []
  for (const query of RECOUNTS) wrong.push(...(await pool.query<{ what: string; id: string }>(query)).rows)
  return wrong
}
