import sql, { join } from 'sql-template-tag'
import type { Backfill } from '../../foundation/jobs/backfill.js'
import { bandColumns } from './near-duplicates.js'
import { BANDS } from './sketch.js'

const TWEETS_AT_ONCE = 500
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** An older version, before or beside this one, stores the bands of a text in rows of their own. */
const sketches: Backfill = {
  name: 'tweet_sketches',
  repeats: true,
  count: async (db) => Number((await db.one<{ n: bigint }>(sql`select count(*) / ${BANDS} as n from tweet_band`)).n),
  async step(db, position) {
    const [last] = await db.many<{ id: string; done: number }>(sql`
      with old as (
        select tweet_id, array_agg(value order by band) as bands from tweet_band
        where tweet_id > ${String(position?.after ?? FIRST_ID)} group by tweet_id order by tweet_id limit ${TWEETS_AT_ONCE}),
      copied as (
        insert into tweet_sketch (tweet_id, ${bandColumns})
        select tweet_id, ${join(Array.from({ length: BANDS }, (_, band) => sql`bands[${band + 1}]`))} from old
        where cardinality(bands) = ${BANDS} on conflict do nothing)
      select tweet_id as id, count(*) over ()::integer as done from old order by tweet_id desc limit 1`)
    return last && { position: { after: last.id }, done: last.done }
  },
}

export const tweetBackfills: readonly Backfill[] = [sketches]
