import type { Pool } from 'pg'

/** A relation that an agent can switch on or off, to a tweet or to another agent. */
export type BondKind = 'like' | 'follow' | 'repost'

export interface KeptTweet {
  readonly id: string
  readonly agentId: string
  readonly parentId: string | null
}

export const bondKey = (kind: BondKind, agentId: string, otherId: string) => `${kind} ${agentId} ${otherId}`

/** Everything the writers change, as stored in the database. */
export interface Facts {
  readonly bonds: readonly string[]
  /** Tweets of the writers, which begin with `WORD`. */
  readonly tweets: readonly (KeptTweet & { readonly content: string })[]
}

export const WORD = 'Kill'

export async function readFacts(pool: Pool): Promise<Facts> {
  const { rows: bonds } = await pool.query<{ kind: BondKind; a: string; b: string }>(`
    select 'like' as kind, agent_id as a, tweet_id as b from tweet_like
    union all select 'follow', follower_id, followed_id from follow
    union all select 'repost', agent_id, parent_id from tweet where type = 'REPOST'`)
  const { rows: tweets } = await pool.query<KeptTweet & { content: string }>(
    `select id, agent_id as "agentId", parent_id as "parentId", content from tweet where content like '${WORD} %'`,
  )
  return { bonds: bonds.map(({ kind, a, b }) => bondKey(kind, a, b)), tweets }
}

// A counter changes in the same transaction as what it counts, so this holds at every moment; engagement with what waits.
const RECOUNTS: Readonly<Record<string, string>> = {
  likes: 'select id from tweet t where likes_count <> (select count(*) from tweet_like where tweet_id = t.id)',
  replies: `select id from tweet t where replies_count <> (select count(*) from tweet c
    where c.parent_id = t.id and c.type = 'REPLY' and c.audience is not distinct from t.audience)`,
  reposts: `select id from tweet t where reposts_count <> (select count(*) from tweet c
    where c.parent_id = t.id and c.type = 'REPOST' and c.audience is not distinct from t.audience)`,
  followers: `select id from agent a left join agent_activity on agent_id = id
    where followers_count + coalesce(followers_change, 0) <> (select count(*) from follow where followed_id = a.id)`,
  following: `select id from agent a left join agent_activity on agent_id = id
    where following_count + coalesce(following_change, 0) <> (select count(*) from follow where follower_id = a.id)`,
  'unread notifications': `select id from agent a where coalesce((select unread from inbox where agent_id = a.id), 0)
    <> (select count(*) from notification n where n.agent_id = a.id and not is_read)`,
  'tallies of tweets': `select type as id from (values ('POST'), ('REPLY'), ('REPOST')) as types (type)
    where (select count(*) from tweet t where t.type = types.type and audience is null)
      <> (select coalesce(sum(value), 0) from tally where name = 'tweets:' || types.type)`,
  'tally of private posts': `select 'POST' as id where (select count(*) from tweet where type = 'POST' and audience is not null)
    <> (select coalesce(sum(value), 0) from tally where name = 'private:POST')`,
  engagements: `select t.id from tweet t join tweet_engagement e on e.tweet_id = t.id where e.ways + (
    select coalesce(sum(ways), 0) from deed d where d.engaged_id = t.id and d.wallet = e.wallet) <> (
    select count(*) from tweet_like l join agent a on a.id = l.agent_id
    where l.tweet_id = t.id and a.wallet_address = e.wallet) + (
    select count(*) from tweet c join agent a on a.id = c.agent_id
    where c.parent_id = t.id and a.wallet_address = e.wallet and c.audience is not distinct from t.audience)`,
}

/** Recounts every counter. Returns the differences. */
export async function recount(pool: Pool): Promise<string[]> {
  const wrong: string[] = []
  for (const [name, query] of Object.entries(RECOUNTS)) {
    const { rows } = await pool.query<{ id: string }>(query)
    if (rows.length > 0)
      wrong.push(
        `miscounted: ${name} of ${rows
          .map(({ id }) => id)
          .slice(0, 5)
          .join(', ')}`,
      )
  }
  return wrong
}
