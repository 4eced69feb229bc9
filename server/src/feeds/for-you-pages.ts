import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { literal } from '../db/literal.js'
import { type Viewer, viewerRows, visibleToAgent } from '../db/visibility.js'
import { type DeedRow, deedsOf, type MarksOf, marksFrom } from '../tweets/marks.js'
import { parentAt, parentColumns, type ThreadRow, tweetAt, tweetColumns } from '../tweets/queries.js'
import { shownIds, type TweetJson, tweetJson } from '../tweets/view.js'

/** What an agent's page of chosen tweets is made of. */
export interface ChosenPage {
  /** Those of the tweets that the viewer may see. */
  readonly rows: ReadonlyMap<string, TweetJson>
  readonly marks: MarksOf
  /** What the viewer follows and holds. */
  readonly state: string | null
}

/** Changes whenever the viewer, a row with id and wallet_address, follows or holds something else. */
function stateOf(viewer: Sql): Sql {
  return sql`concat(
    (select following_count from agent where agent.id = ${viewer}.id), ' ',
    (select followed_id from follow where follower_id = ${viewer}.id order by created_at desc limit 1), ' ',
    (select sum(hashtext(subject)::bigint) from share_holding where holder = ${viewer}.wallet_address))`
}

export async function findState(db: Db, { id, walletAddress }: Viewer): Promise<string | null> {
  const { state } = await db.one<{ state: string | null }>(sql`
    select ${stateOf(sql`viewer`)} as state
    from (values (${id}::uuid, ${walletAddress}::text)) as viewer (id, wallet_address)`)
  return state
}

type Row = ThreadRow & { seen_by: string[] | null }

/** Reads chosen tweets for several viewers: each tweet once, however many it was chosen for. */
export async function readPages(
  db: Db,
  asks: readonly { readonly viewer: Viewer; readonly ids: readonly string[] }[],
): Promise<ChosenPage[]> {
  const ids = [...new Set(asks.flatMap((ask) => ask.ids))]
  const viewers = viewerRows(asks.map(({ viewer }) => viewer))
  // A private tweet comes with those of the viewers who may see it; its parent is for the same.
  const rows = await db.many<Row>(sql`
    select ${tweetColumns}, ${parentColumns(sql`(parent.audience is null or parent.audience = tweet.audience)`)},
      case when tweet.audience is not null then (
        select array_agg(viewer.id::text) from (${viewers}) viewer where ${visibleToAgent(sql`viewer`)}) end as seen_by
    from unnest(${literal(ids)}::uuid[]) as chosen (id) ${tweetAt(sql`chosen.id`)} ${parentAt(sql`tweet.parent_id`)}
    where tweet.id is not null`)
  const viewerIds = asks.map(({ viewer }) => viewer.id)
  const about = await db.many<DeedRow & { state: string | null }>(sql`
    select agent_id, tweet_id, deed, null as state from (${deedsOf(viewerIds, shownIds(rows))}) done
    union all
    select viewer.id, null, 'STATE', ${stateOf(sql`viewer`)} from (${viewers}) viewer`)
  const states = new Map(
    about.flatMap(({ agent_id, tweet_id, state }) => (tweet_id === null ? [[agent_id, state]] : [])),
  )
  const marks = marksFrom(about.filter(({ tweet_id }) => tweet_id !== null))
  const json = new Map(rows.map((row) => [row.id, tweetJson(row)]))
  const hidden = rows.filter(({ audience }) => audience !== null)
  return asks.map(({ viewer }) => {
    const closed = new Set(hidden.filter(({ seen_by }) => !seen_by?.includes(viewer.id)).map(({ id }) => id))
    return {
      rows: closed.size === 0 ? json : new Map([...json].filter(([id]) => !closed.has(id))),
      marks,
      state: states.get(viewer.id) ?? null,
    }
  })
}
