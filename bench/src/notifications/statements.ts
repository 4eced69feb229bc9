import sql, { raw, type Sql } from 'sql-template-tag'
import { inboxOf, tableOf, type Way } from './tables.js'

// The statements of both ways without what decides about visibility, which is the same for both.

const PAGE = raw('21')

/** The newest notifications of an agent. */
export function firstPage(way: Way, agentId: string): Sql {
  const stored = sql`
    select id, type, is_read, created_at, actor_id, tweet_id from ${tableOf(way)} where agent_id = ${agentId}
    order by id desc limit ${PAGE}`
  const told = sql`
    select told.id, 'NEW_TWEET' as type, told.n <= read_n or exists (
        select from notice_read one
        where one.agent_id = ${agentId} and one.author_id = told.author_id and one.n = told.n) as is_read,
      told.created_at, told.author_id as actor_id, told.tweet_id
    from popular_follow cross join lateral (
      select * from notice where notice.author_id = popular_follow.author_id and n > since_n
      order by n desc limit ${PAGE}) told
    where follower_id = ${agentId} order by told.id desc limit ${PAGE}`
  const newest = way === 'read' ? sql`(${stored}) union all (${told}) order by id desc limit ${PAGE}` : stored
  return sql`
    select newest.*, actor.username, actor.display_name, actor.avatar_url, tweet.content from (${newest}) newest
    left join agent actor on actor.id = newest.actor_id left join tweet on tweet.id = newest.tweet_id order by newest.id desc`
}

/** How many notifications an agent has, and how many unread. */
export function counts(way: Way, agentId: string): Sql {
  const stored = sql`select unread, total from ${inboxOf(way)} where agent_id = ${agentId}`
  if (way !== 'read') return stored
  const gone = (after: Sql) => sql`(
    select count(*) from notice_gone where notice_gone.author_id = popular.author_id and n > ${after})`
  return sql`
    select coalesce(sum(last_n - since_n - ${gone(sql`since_n`)}), 0) + max(box.total) as total,
      coalesce(sum(last_n - greatest(since_n, read_n) - ${gone(sql`greatest(since_n, read_n)`)}), 0) + max(box.unread) - (
        select count(*) from notice_read where agent_id = ${agentId}) as unread
    from (${stored}) box left join popular_follow on follower_id = ${agentId} left join popular using (author_id)`
}

/** What a cached first page is compared with: it changes with every notification. */
export function stamp(way: Way, agentId: string): Sql {
  const stored = sql`select version::text as stamp from ${inboxOf(way)} where agent_id = ${agentId}`
  if (way !== 'read') return stored
  return sql`
    select (${stored}) || '.' || coalesce(sum(last_n), 0) || '.' || count(*) as stamp
    from popular_follow join popular using (author_id) where follower_id = ${agentId}`
}

/** Marks the newest notification as read. */
export function markOne(way: Way, agentId: string): Sql {
  if (way !== 'read')
    return sql`
      update ${tableOf(way)} set is_read = true where agent_id = ${agentId} and id = (
        select id from ${tableOf(way)} where agent_id = ${agentId} and not is_read order by id desc limit 1)`
  return sql`
    insert into notice_read select follower_id, author_id, last_n from popular_follow join popular using (author_id)
    where follower_id = ${agentId} limit 1 on conflict do nothing`
}

/** Marks all notifications as read. */
export function markAll(way: Way, agentId: string): Sql[] {
  const stored = [
    sql`update ${tableOf(way)} set is_read = true where agent_id = ${agentId} and not is_read`,
    sql`update ${inboxOf(way)} set unread = 0, version = version + 1 where agent_id = ${agentId}`,
  ]
  if (way !== 'read') return stored
  return [
    ...stored,
    sql`update popular_follow set read_n = last_n from popular
      where follower_id = ${agentId} and popular.author_id = popular_follow.author_id and read_n < last_n`,
    sql`delete from notice_read where agent_id = ${agentId}`,
  ]
}

/** Tells the next followers of an author, as the job does: in the order of their ids, some at a time. */
export function tellNext(way: Way, post: { authorId: string; tweetId: string; after: string }, limit: number): Sql {
  const next = sql`
    next as materialized (
      select follower_id from follow where followed_id = ${post.authorId} and follower_id > ${post.after}
      order by follower_id limit ${limit})`
  const events = (told: Sql) => sql`
    event as (
      insert into event_draft (type, topic, at, recipients, tweet_id, data)
      select 'notification.created', 'notifications', now(), array_agg(follower_id order by follower_id), ${post.tweetId}, '{}'
      from ${told} having count(*) > 0)`
  const last = sql`select max(follower_id::text) as last, count(*)::int as told from next`
  if (way === 'read') return sql`with ${next}, ${events(sql`next`)} ${last}`
  return sql`
    with ${next}, told as (
      insert into ${tableOf(way)} (id, agent_id, type, actor_id, tweet_id, created_at)
      select bench.new_id((extract(epoch from clock_timestamp()) * 1000)::bigint), follower_id, 'NEW_TWEET',
        ${post.authorId}::uuid, ${post.tweetId}::uuid, now() from next
      on conflict do nothing returning agent_id as follower_id),
    counted as (
      insert into ${inboxOf(way)} (agent_id, unread, total) select follower_id, 1, 1 from told order by 1
      on conflict (agent_id) do update set unread = ${inboxOf(way)}.unread + 1, total = ${inboxOf(way)}.total + 1,
        version = ${inboxOf(way)}.version + 1),
    ${events(sql`told`)} ${last}`
}

/** What a post of an author with many followers writes once. */
export const noteTweet = ({ authorId, tweetId }: { authorId: string; tweetId: string }): Sql => sql`
  with author as (update popular set last_n = last_n + 1 where author_id = ${authorId} returning last_n)
  insert into notice select ${authorId}, last_n, bench.new_id((extract(epoch from clock_timestamp()) * 1000)::bigint), ${tweetId}, now()
  from author`
