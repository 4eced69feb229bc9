import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import {
  isPrivate,
  type Viewer,
  viewerRows,
  visibleToAgent,
  visibleToReadersOf,
} from '../../foundation/db/visibility.js'
import { type KeptJson, type StampedRow, stampedColumns } from '../tweets/kept-json.js'
import type { MarksOf } from '../tweets/marks.js'
import { parentAt, tweetAt } from '../tweets/queries.js'
import type { TweetJson } from '../tweets/view.js'
import { deedsOnPage, readParts, shownOnPage } from './page-parts.js'

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

/** A tweet that was chosen for somebody. */
interface Row extends StampedRow {
  /** Who of the viewers may see it; null for a public one. */
  seen_by: string[] | null
}

interface State {
  agent_id: string
  state: string | null
}

/** Reads chosen tweets for several viewers: each tweet once, however many it was chosen for. */
export async function readPages(
  deps: { readonly db: Db; readonly keptJson: KeptJson },
  asks: readonly { readonly viewer: Viewer; readonly ids: readonly string[] }[],
): Promise<ChosenPage[]> {
  const { rows, jsonOf, marks, rest } = await readParts<Row, State>(deps, chosenQuery(asks))
  const states = new Map(rest.map(({ agent_id, state }) => [agent_id, state]))
  const json = new Map<string, TweetJson>()
  for (const row of rows) {
    const made = jsonOf(row)
    if (made) json.set(row.id, made)
  }
  const hidden = rows.filter(({ seen_by }) => seen_by !== null)
  return asks.map(({ viewer }) => {
    const closed = new Set(hidden.filter(({ seen_by }) => !seen_by?.includes(viewer.id)).map(({ id }) => id))
    return {
      rows: closed.size === 0 ? json : new Map([...json].filter(([id]) => !closed.has(id))),
      marks,
      state: states.get(viewer.id) ?? null,
    }
  })
}

function chosenQuery(asks: readonly { readonly viewer: Viewer; readonly ids: readonly string[] }[]): Sql {
  const ids = new Set(asks.flatMap((ask) => ask.ids))
  // A private tweet comes with those of the viewers who may see it; its parent is for the same.
  return sql`
    with viewer as materialized (${viewerRows(asks.map(({ viewer }) => viewer))}),
    page as materialized (
      select ${stampedColumns}, ${visibleToReadersOf(sql`tweet`, sql`parent`)} as p_is_visible,
        case when ${isPrivate(sql`tweet`)} then array(
          select viewer.id::text from viewer where ${visibleToAgent(sql`viewer`)}) end as seen_by
      from unnest(${literal([...ids])}::uuid[]) as chosen (id) ${tweetAt(sql`chosen.id`)} ${parentAt(sql`tweet.parent_id`)}
      where tweet.id is not null),
    ${shownOnPage}
    select 'TWEET' as part, id, stamp, p_id, p_is_visible, seen_by, null::uuid as agent_id, null::uuid as tweet_id,
      null as deed, null as state
    from page
    union all
    select 'DEED', null, null, null, null, null, agent_id, tweet_id, deed, null
    from (${deedsOnPage}) done
    union all
    select 'REST', null, null, null, null, null, id, null, null, ${stateOf(sql`viewer`)} from viewer`
}
