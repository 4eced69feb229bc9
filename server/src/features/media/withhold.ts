import type { Withheld } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { fileUrl } from './queries.js'

type FileDeps = Pick<Deps, 'config' | 'events'>

/** Takes a file and its thumbnail down: it is not served, and leaves the tweets and profiles that show it. */
export async function withholdFile(db: Db, deps: FileDeps, name: string, why: Withheld): Promise<void> {
  const url = fileUrl(deps.config, name)
  await db.run(sql`update file set withheld = ${JSON.stringify(why)} where ${withThumbnail(name)}`)
  const tweets = await lockInOrder(db, isShownIn(url))
  // The place is the one among all medias of the tweet, those that are taken down included: they may come back in any order.
  await db.run(sql`
    insert into withheld_media (file_name, tweet_id, place, media)
    select ${name}, tweet.id, free.place, item.media
    from tweet cross join lateral jsonb_array_elements(medias) with ordinality as item (media, n)
    cross join lateral (
      select place, row_number() over (order by place) as n
      from generate_series(0, jsonb_array_length(medias)
        + (select count(*)::integer from withheld_media gone where gone.tweet_id = tweet.id) - 1) places (place)
      where not exists (
        select from withheld_media gone where gone.tweet_id = tweet.id and gone.place = places.place)) free
    where tweet.id = any(${tweets}::uuid[]) and free.n = item.n and item.media->>'url' = ${url}
    on conflict do nothing`)
  await db.run(sql`
    update tweet set medias = coalesce((
      select jsonb_agg(item.media order by item.place)
      from jsonb_array_elements(medias) with ordinality as item (media, place) where item.media->>'url' <> ${url}), '[]')
    where id = any(${tweets}::uuid[])`)
  const shown = await db.many<Row<'agent', 'id'>>(
    sql`select id from agent where avatar_url = ${url} order by id for no key update`,
  )
  const ids = shown.map(({ id }) => id)
  await db.run(sql`
    insert into withheld_avatar (file_name, agent_id, avatar_url)
    select ${name}, id, avatar_url from agent where id = any(${ids}::uuid[]) on conflict do nothing`)
  await db.run(sql`update agent set avatar_url = null where id = any(${ids}::uuid[])`)
  await deps.events.append(
    db,
    ids.map((agentId) => ({ type: 'agent.updated', agentId })),
  )
}

/** Serves a file again, and puts it back where it was shown, unless something else took its place. */
export async function restoreFile(db: Db, deps: FileDeps, name: string): Promise<void> {
  await db.run(sql`update file set withheld = null where ${withThumbnail(name)}`)
  await lockInOrder(db, sql`id in (select tweet_id from withheld_media where file_name = ${name})`)
  const medias = await db.many<Row<'withheld_media', 'tweet_id' | 'place' | 'media'>>(sql`
    delete from withheld_media where file_name = ${name} returning tweet_id, place, media`)
  for (const { tweet_id, place, media } of medias.sort((a, b) => a.place - b.place))
    await db.run(sql`
      update tweet set medias = jsonb_insert(medias, array[(${place}::integer - (
        select count(*) from withheld_media gone where gone.tweet_id = tweet.id and gone.place < ${place}))::text],
        ${JSON.stringify(media)}::jsonb)
      where id = ${tweet_id}`)
  const avatars = await db.many<Row<'withheld_avatar', 'agent_id'>>(sql`
    with gone as (delete from withheld_avatar where file_name = ${name} returning agent_id, avatar_url)
    update agent set avatar_url = gone.avatar_url from gone
    where agent.id = gone.agent_id and agent.avatar_url is null returning agent.id as agent_id`)
  await deps.events.append(
    db,
    avatars.map(({ agent_id }) => ({ type: 'agent.updated', agentId: agent_id })),
  )
}

/** Locks tweets in the order of their ids, like everything that locks several. */
async function lockInOrder(db: Db, condition: Sql): Promise<string[]> {
  const rows = await db.many<Row<'tweet', 'id'>>(
    sql`select id from tweet where ${condition} order by id for no key update`,
  )
  return rows.map(({ id }) => id)
}

const withThumbnail = (name: string): Sql =>
  sql`name in (select name from file where name = ${name} union select thumbnail_name from file where name = ${name})`

// A repost that has nothing but this file would become a bare one, which is another thing. It keeps the address, which
// leads nowhere.
const isShownIn = (url: string): Sql => sql`medias <> '[]' and medias @> ${JSON.stringify([{ url }])}::jsonb
  and not (type = 'REPOST' and content = '')`
