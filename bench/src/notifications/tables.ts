import type { Db } from '@rookery/server/database'
import sql, { raw, type Sql } from 'sql-template-tag'

/** How followers learn of a tweet: a row for each in a table with these indexes, or one row that they read through their follows. */
export type Way = 'wide' | 'narrow' | 'read'

export const POPULAR = 100
/** Notifications of other kinds that each reader has. */
const OTHERS = 50

/** Tables like one month of `notification` and like `inbox`, for each way that stores rows, and those that reading would need. */
export async function makeTables(db: Db): Promise<void> {
  await db.run(sql`
    create function bench.new_id(ms bigint) returns uuid language sql as $$
      select (lpad(to_hex(ms), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid from md5(random()::text) h
    $$`)
  for (const way of ['wide', 'narrow'] as const) {
    const [table, inbox] = [tableOf(way), inboxOf(way)]
    await db.run(sql`create table ${table} (like notification including defaults including constraints)`)
    await db.run(sql`alter table ${table} add primary key (agent_id, id)`)
    await db.run(sql`create index on ${table} (cause_id) where cause_id is not null`)
    await db.run(sql`create index on ${table} (agent_id, audience) where audience is not null`)
    await db.run(sql`create index on ${table} (tweet_id) where tweet_id is not null`)
    await db.run(sql`create index on ${table} (agent_id, id) where not is_read`)
    await db.run(sql`create table ${inbox} (like inbox including all)`)
  }
  await db.run(sql`alter table told_wide add unique nulls not distinct (agent_id, type, actor_id, tweet_id, cause_id)`)
  await db.run(sql`select index_notifications('told_narrow')`)
  // Numbers of each author's tweets make counting a subtraction: the author's last one less where a follower began or has read.
  await db.run(sql`create table popular (author_id uuid primary key, last_n bigint not null)`)
  await db.run(sql`
    create table notice (author_id uuid, n bigint, id uuid not null, tweet_id uuid not null, created_at timestamptz not null,
      primary key (author_id, n))`)
  await db.run(sql`create index on notice (tweet_id)`)
  await db.run(sql`
    create table popular_follow (follower_id uuid, author_id uuid, since_n bigint not null, read_n bigint not null,
      primary key (follower_id, author_id))`)
  await db.run(
    sql`create table notice_read (agent_id uuid, author_id uuid, n bigint, primary key (agent_id, author_id, n))`,
  )
  // A tweet that is deleted leaves its number, so that counts can leave it out.
  await db.run(sql`create table notice_gone (author_id uuid, n bigint, primary key (author_id, n))`)
}

export const tableOf = (way: Way): Sql => raw(`told_${way === 'wide' ? 'wide' : 'narrow'}`)
export const inboxOf = (way: Way): Sql => raw(`box_${way === 'wide' ? 'wide' : 'narrow'}`)

/** Gives an agent other notifications, and tweets of `follows` authors that it has been told of, `posts` of each. */
export async function makeReader(db: Db, agentId: string, follows: number, posts: number): Promise<void> {
  const past = sql`(extract(epoch from now()) * 1000)::bigint - 60000 * (${posts}::bigint + 10)`
  const others = sql`
    select bench.new_id(${past} + 60000 * n), ${agentId}::uuid, 'FOLLOW', bench.agent_id(n::bigint), null::uuid, n % 2 = 0, now()
    from generate_series(1, ${OTHERS}::int) n`
  const told = sql`
    select bench.new_id(${past} + 60000 * n), ${agentId}::uuid, 'NEW_TWEET', author_id, tweet_id, n <= ${posts}::int - 5, now()
    from notice where author_id in (select author_id from popular order by author_id limit ${follows})`
  const columns = sql`(id, agent_id, type, actor_id, tweet_id, is_read, created_at)`
  await db.run(sql`insert into told_wide ${columns} ${others} union all ${told}`)
  await db.run(sql`insert into told_narrow ${columns} ${others}`)
  for (const way of ['wide', 'narrow'] as const)
    await db.run(sql`
      insert into ${inboxOf(way)} (agent_id, unread, total)
      select agent_id, count(*) filter (where not is_read), count(*) from ${tableOf(way)} where agent_id = ${agentId} group by 1
      on conflict (agent_id) do update set unread = excluded.unread, total = excluded.total`)
  await db.run(sql`
    insert into popular_follow select ${agentId}, author_id, 0, last_n - 5 from popular order by author_id limit ${follows}`)
}

/** Authors whose tweets are told by one row each, `posts` of each. */
export async function makePopular(db: Db, posts: number): Promise<void> {
  await db.run(sql`
    insert into popular select bench.agent_id(n::bigint), ${posts} from generate_series(0, ${POPULAR - 1}::int) n`)
  await db.run(sql`
    insert into notice select author_id, n,
      bench.new_id((extract(epoch from now()) * 1000)::bigint - 60000 * (${posts}::int - n + 1)), tweet.id, now()
    from popular cross join generate_series(1, ${posts}::int) n
    cross join lateral (select id from tweet order by id offset (n - 1) limit 1) tweet`)
}
