import { randomInt } from 'node:crypto'
import type { TweetType } from '@rookery/api'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { audiencesOf, isPrivate, isPublic, isWithheld } from '../../foundation/db/visibility.js'
import { isBareRepost, isQuote } from './targets.js'

const SHARDS = 16
let turn = randomInt(SHARDS)

/** The rows of the totals that the next change goes to. Only their sum is read, so changes made at once take different ones. */
function nextShard(): Sql {
  turn = (turn + 1) % SHARDS
  return sql`${turn}::integer`
}

/** What a total counts: tweets of a type, or the reposts with content of their own, which are among the reposts too. */
export type Counted = TweetType | 'QUOTE'

/**
 * Parts of a `with` that count added or removed tweets; `tweets` is a query for type, is_quote and audience. The
 * number of tweets ever posted only grows, by those that are new. Tweets that are taken down are not counted.
 */
export function tallyChange(tweets: Sql, by: 1 | -1, isNew = by === 1): Sql {
  const shard = nextShard()
  const posted = isNew
    ? sql`union all select 'posted', ${shard}, count(*) from (${tweets}) posted having count(*) > 0`
    : empty
  return sql`
    tallied as (
      insert into tally (name, shard, value)
      select counted.name, ${shard}, ${by} * count(*) from (${tweets}) public
      cross join lateral (select 'tweets:' || type as name union all select 'quotes' where is_quote) counted
      where ${isPublic(sql`public`)} group by counted.name ${posted} order by 1
      on conflict (name, shard) do update set value = tally.value + excluded.value),
    tallied_private as (
      insert into audience_tally (audience, type, value)
      select audience, counted.type, ${by} * count(*) from (${tweets}) private
      cross join lateral (select private.type union all select 'QUOTE' where is_quote) counted (type)
      where ${isPrivate(sql`private`)} group by audience, counted.type order by audience, counted.type
      on conflict (audience, type) do update set value = audience_tally.value + excluded.value)`
}

export async function countRemovedTweet(
  db: Db,
  tweet: Pick<Row<'tweet'>, 'type' | 'content' | 'medias' | 'audience'>,
): Promise<void> {
  const { type, audience } = tweet
  const removed = sql`select ${type}::text as type, ${isQuote(tweet)}::boolean as is_quote, ${audience}::text as audience`
  await db.run(sql`with ${tallyChange(removed, -1)} select`)
}

/** A query for the number of public tweets of these types. */
export function tweetTotal(types: readonly Counted[]) {
  const names = types.map((type) => (type === 'QUOTE' ? 'quotes' : `tweets:${type}`))
  return sql`select coalesce(sum(value), 0)::int as total from tally where name = any(${names})`
}

/** A query for the number of all private posts, which are listed for everybody. A trigger counts them. */
export const privatePostTotal = sql`select coalesce(sum(value), 0)::int as total from tally where name = 'private:POST'`

/** A query for the number of tweets ever posted, private and deleted ones included. */
export const postedTotal = sql`select coalesce(sum(value), 0)::int as total from tally where name = 'posted'`

/**
 * A query for the number of private tweets of these types that each viewer may see: n and total, nothing for those who see none.
 * Needs the parts `viewer`, rows with n and id, and `member`, the audiences of each.
 */
export function privateTotals(types: readonly Counted[]): Sql {
  // What is taken down is among no total, and its author still has it on every page: all of it, or without bare reposts.
  const isListed = types.includes('QUOTE') ? sql`not ${isBareRepost(sql`tweet`)}` : sql`true`
  return sql`
    select n, sum(value)::integer as total from (
      select member.n, tally.value from member
      join audience_tally tally on tally.audience = member.audience and tally.type = any(${types})
      union all
      select viewer.n, mine.value from viewer cross join lateral (
        select count(*) as value from tweet
        where agent_id = viewer.id and ${isPrivate(sql`tweet`)}
          and case when ${isWithheld(sql`tweet`)} then ${isListed}
            else type = any(${types}) and audience not in (select audience from member where member.n = viewer.n) end) mine
    ) counted
    group by n`
}

/** Part of a `with`: the audiences of each row of `viewer`, which has n, subject and wallet_address. */
export const memberPart = sql`
  member as materialized (
    select viewer.n, open.audience from viewer cross join lateral (${audiencesOf(sql`viewer`)}) open (audience))`
