import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { fileUrl } from './queries.js'

/** The most tweets, and the most profiles, that one transaction changes. */
const AT_ONCE = 200

type FileDeps = Pick<Deps, 'config' | 'events'>

/**
 * Removes a file that is taken down from some of the tweets and profiles that show it, or puts it back once it is served
 * again. Reads what the file is now, so it does not matter how often or by how many workers it is called. Returns whether
 * there may be more.
 */
export async function settleFile(db: Db, deps: FileDeps, name: string): Promise<boolean> {
  // The lock makes a decision wait, so that what is done here is what the file is at the commit.
  const file = await db.find<{ is_down: boolean }>(
    sql`select withheld is not null as is_down from file where name = ${name} for no key update`,
  )
  if (!file) return false
  // Agents are locked before tweets, like everywhere.
  const agents = await (file.is_down ? hideAvatars : showAvatars)(db, deps, name)
  const tweets = await (file.is_down ? hideMedias : showMedias)(db, deps, name)
  return agents === AT_ONCE || tweets === AT_ONCE
}

async function hideAvatars(db: Db, { config, events }: FileDeps, name: string): Promise<number> {
  const url = fileUrl(config, name)
  const ids = await lockAgents(
    db,
    sql`select id from agent where substring(avatar_url from '[^/]*$') = ${name} and avatar_url = ${url} limit ${AT_ONCE}`,
  )
  if (ids.length === 0) return 0
  await db.run(sql`
    insert into withheld_avatar (file_name, agent_id, avatar_url)
    select ${name}, id, avatar_url from agent where id = any(${literal(ids)}::uuid[]) and avatar_url = ${url}
    on conflict do nothing`)
  await db.run(sql`
    update agent set avatar_url = null, version = version + 1
    where id = any(${literal(ids)}::uuid[]) and avatar_url = ${url}`)
  await events.append(
    db,
    ids.map((agentId) => ({ type: 'agent.updated', agentId })),
  )
  return ids.length
}

/** An agent that has another avatar by now keeps it. */
async function showAvatars(db: Db, { events }: FileDeps, name: string): Promise<number> {
  const ids = await lockAgents(db, sql`select agent_id from withheld_avatar where file_name = ${name} limit ${AT_ONCE}`)
  if (ids.length === 0) return 0
  const shown = await db.many<Row<'agent', 'id'>>(sql`
    with gone as (
      delete from withheld_avatar where file_name = ${name} and agent_id = any(${literal(ids)}::uuid[])
      returning agent_id, avatar_url)
    update agent set avatar_url = gone.avatar_url, version = agent.version + 1 from gone
    where agent.id = gone.agent_id and agent.avatar_url is null returning agent.id`)
  await events.append(
    db,
    shown.map(({ id }) => ({ type: 'agent.updated', agentId: id })),
  )
  return ids.length
}

async function hideMedias(db: Db, { config }: FileDeps, name: string): Promise<number> {
  const url = fileUrl(config, name)
  const ids = await lockTweets(db, sql`select id from tweet where ${isShownIn(url)} limit ${AT_ONCE}`)
  if (ids.length === 0) return 0
  await db.run(sql`
    insert into withheld_media (file_name, tweet_id, place, media)
    select ${name}, tweet.id, shown.place, shown.media from tweet cross join lateral (${shownMedias}) shown
    where tweet.id = any(${literal(ids)}::uuid[]) and shown.media->>'url' = ${url}
    on conflict do nothing`)
  await db.run(sql`
    update tweet set version = version + 1, medias = coalesce((
      select jsonb_agg(item.media order by item.place)
      from jsonb_array_elements(medias) with ordinality as item (media, place) where item.media->>'url' <> ${url}), '[]')
    where id = any(${literal(ids)}::uuid[])`)
  return ids.length
}

async function showMedias(db: Db, _: FileDeps, name: string): Promise<number> {
  const ids = await lockTweets(
    db,
    sql`select distinct tweet_id from withheld_media where file_name = ${name} limit ${AT_ONCE}`,
  )
  if (ids.length === 0) return 0
  await db.run(sql`
    update tweet set version = version + 1, medias = (
      select jsonb_agg(media order by place) from (
        ${shownMedias}
        union all
        select place, media from withheld_media gone where gone.tweet_id = tweet.id and gone.file_name = ${name}) medias)
    where id = any(${literal(ids)}::uuid[])`)
  await db.run(sql`
    delete from withheld_media where file_name = ${name} and tweet_id = any(${literal(ids)}::uuid[])`)
  return ids.length
}

/**
 * The medias of a tweet with their places. The place is the one among all medias of the tweet, those that are taken down
 * included: they may come back in any order.
 */
const shownMedias = sql`
  select free.place, item.media
  from jsonb_array_elements(tweet.medias) with ordinality as item (media, n)
  join (
    select place, row_number() over (order by place) as n
    from generate_series(0, jsonb_array_length(tweet.medias)
      + (select count(*)::integer from withheld_media gone where gone.tweet_id = tweet.id) - 1) places (place)
    where not exists (
      select from withheld_media gone where gone.tweet_id = tweet.id and gone.place = places.place)) free
  on free.n = item.n`

// Two steps: the rows that come first are found without sorting all of them, and locked in the order in which everything
// that locks several does. Those that are gone by then count as well: there may be more behind them.
async function lockAgents(db: Db, wanted: Sql): Promise<string[]> {
  const ids = await listIds(db, wanted)
  await db.run(sql`select from agent where id = any(${literal(ids)}::uuid[]) order by id for no key update`)
  return ids
}

async function lockTweets(db: Db, wanted: Sql): Promise<string[]> {
  const ids = await listIds(db, wanted)
  await db.run(sql`select from tweet where id = any(${literal(ids)}::uuid[]) order by id for no key update`)
  return ids
}

async function listIds(db: Db, wanted: Sql): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`select id from (${wanted}) wanted (id)`)
  return rows.map(({ id }) => id)
}

// A repost that has nothing but this file would become a bare one, which is another thing. It keeps the address, which
// leads nowhere.
const isShownIn = (url: string): Sql => sql`medias <> '[]' and medias @> ${JSON.stringify([{ url }])}::jsonb
  and not (type = 'REPOST' and content = '')`
