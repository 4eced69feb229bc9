import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Prefixed, Row } from '../../foundation/db/row.js'
import {
  type AgentViewer,
  isPrivate,
  listedForAgent,
  viewerRows,
  visibleToAgent,
  visibleToReadersOf,
} from '../../foundation/db/visibility.js'
import { followingOf } from '../agents/activity-columns.js'
import { type StampedRow, stampedColumns, type TweetJsonCache } from '../tweets/json-cache.js'
import type { MarksLookup } from '../tweets/marks.js'
import { parentAt, tweetAt } from '../tweets/queries.js'
import type { TweetJson } from '../tweets/view.js'
import { marksOnPage, readParts, shownOnPage } from './page-parts.js'

/** The chosen tweets of a page, as read for one agent. */
export interface ChosenPage {
  /** The tweets that the viewer may see, by id. */
  readonly rows: ReadonlyMap<string, TweetJson>
  readonly marks: MarksLookup
  /** A fingerprint of what the viewer follows and holds. */
  readonly state: string | null
}

/** Changes whenever the viewer's follows or holdings change; `viewer` is a row with id and wallet_address. */
function stateOf(viewer: Sql): Sql {
  return sql`concat(
    (select ${followingOf(sql`agent`)} from agent where agent.id = ${viewer}.id), ' ',
    (select followed_id from follow where follower_id = ${viewer}.id order by created_at desc limit 1), ' ',
    (select sum(hashtext(subject)::bigint) from share_holding where holder = ${viewer}.wallet_address))`
}

export async function findState(db: Db, { id, walletAddress }: AgentViewer): Promise<string | null> {
  const { state } = await db.one<{ state: string | null }>(sql`
    select ${stateOf(sql`viewer`)} as state
    from (values (${id}::uuid, ${walletAddress}::text)) as viewer (id, wallet_address)`)
  return state
}

type ChosenRow = StampedRow & {
  /** The viewers who may see the tweet; null for a public tweet. */
  readonly seen_by: string[] | null
}

type StateRow = Prefixed<'agent_', Row<'agent', 'id'>> & Pick<ChosenPage, 'state'>

/** A viewer and the tweets chosen for it. */
export interface ChosenRequest {
  readonly viewer: AgentViewer
  readonly ids: readonly string[]
}

/** Reads chosen tweets for several viewers, each tweet only once. */
export async function readPages(
  deps: { readonly db: Db; readonly jsonCache: TweetJsonCache },
  requests: readonly ChosenRequest[],
  conditions = shared,
): Promise<ChosenPage[]> {
  const { rows, jsonOf, marks, rest } = await readParts<ChosenRow, StateRow>(deps, chosenQuery(requests, conditions))
  const states = new Map(rest.map(({ agent_id, state }) => [agent_id, state]))
  const json = new Map<string, TweetJson>()
  for (const row of rows) {
    const tweet = jsonOf(row)
    if (tweet) json.set(row.id, tweet)
  }
  const restricted = rows.filter(({ seen_by }) => seen_by !== null)
  return requests.map(({ viewer }) => {
    const hidden = new Set(restricted.filter(({ seen_by }) => !seen_by?.includes(viewer.id)).map(({ id }) => id))
    return {
      rows: hidden.size === 0 ? json : new Map([...json].filter(([id]) => !hidden.has(id))),
      marks,
      state: states.get(viewer.id) ?? null,
    }
  })
}

/** Reads chosen tweets for one viewer from whom some agents are hidden. */
export async function readPageApart(
  deps: { readonly db: Db; readonly jsonCache: TweetJsonCache },
  request: ChosenRequest,
): Promise<ChosenPage> {
  const [page] = await readPages(deps, [request], {
    isShown: listedForAgent(sql`viewer`),
    showsParent: visibleToAgent(sql`viewer`, sql`parent`),
    from: sql`cross join viewer`,
  })
  if (!page) throw new Error('A request has no page')
  return page
}

/** What decides about tweets and their parents; `viewer` can be joined where there is only one. */
interface Conditions {
  readonly isShown: Sql
  readonly showsParent: Sql
  readonly from: Sql
}

const shared: Conditions = {
  isShown: sql`true`,
  showsParent: visibleToReadersOf(sql`tweet`, sql`parent`),
  from: empty,
}

function chosenQuery(requests: readonly ChosenRequest[], { isShown, showsParent, from }: Conditions): Sql {
  const ids = new Set(requests.flatMap((request) => request.ids))
  // `seen_by` lists the viewers who may see a private tweet; the same viewers may see its parent.
  return sql`
    with viewer as materialized (${viewerRows(requests.map(({ viewer }) => viewer))}),
    page as materialized (
      select ${stampedColumns}, ${showsParent} as p_is_visible,
        case when ${isPrivate(sql`tweet`)} then array(
          select viewer.id::text from viewer where ${visibleToAgent(sql`viewer`)}) end as seen_by
      from unnest(${literal([...ids])}::uuid[]) as chosen (id) ${from} ${tweetAt(sql`chosen.id`)} ${parentAt(sql`tweet.parent_id`)}
      where tweet.id is not null and ${isShown}),
    ${shownOnPage}
    select 'TWEET' as part, id, stamp, p_id, p_is_visible, seen_by, null::uuid as agent_id, null::uuid as tweet_id,
      null as mark, null as state
    from page
    union all
    select 'MARK', null, null, null, null, null, agent_id, tweet_id, mark, null
    from (${marksOnPage}) done
    union all
    select 'REST', null, null, null, null, null, id, null, null, ${stateOf(sql`viewer`)} from viewer`
}
