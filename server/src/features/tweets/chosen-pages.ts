import sql, { empty, type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import {
  type AgentViewer,
  audiencesOf,
  isPrivate,
  listedForAgent,
  viewerRows,
  visibleToAgent,
  visibleToReadersOf,
} from '../../foundation/db/visibility.js'
import type { TweetJsonCache } from './json-cache.js'
import { type MarksLookup, pairMarksQuery } from './marks.js'
import { readParts } from './page-parts.js'
import { parentAt, tweetAt } from './queries.js'
import {
  isCommitted,
  type Known,
  type ListedTweet,
  readVersions,
  type StampedRow,
  stampedColumns,
  versionParts,
  versionText,
} from './versions.js'
import type { TweetJson } from './view.js'

/** The chosen tweets of a page, as read for one agent. */
export interface ChosenPage {
  /** The tweets that the viewer may see, by id. */
  readonly rows: ReadonlyMap<string, TweetJson>
  readonly marks: MarksLookup
  /** What the page needs to know about its viewer. */
  readonly state: string | null
}

type ChosenRow = StampedRow & {
  /** The viewers who may see the tweet; null for a public tweet. */
  readonly seen_by: string[] | null
}

/** The state of the viewer of the request at place `n`; or, if `n` is null, the versions of what is for everybody. */
type StateRow = Pick<ChosenPage, 'state'> & { readonly n: number | null }

/** A viewer and the tweets chosen for it. */
export interface ChosenRequest {
  readonly viewer: AgentViewer
  readonly ids: readonly string[]
}

interface Deps {
  readonly db: Db
  readonly jsonCache: TweetJsonCache
}

/** A text about `viewer`, a row with id, subject and wallet_address, and the place `n` of its request. */
export type StateOf = (viewer: Sql) => Sql

const noState: StateOf = () => sql`null`

/** Whether `viewer` may read any private tweet; null if not. */
export const readsPrivate: StateOf = (viewer) => {
  return sql`coalesce(
    (select 'reader' from tweet where ${isPrivate(sql`tweet`)} and tweet.agent_id = ${viewer}.id limit 1),
    (select 'reader' from (${audiencesOf(viewer)}) member (audience) cross join lateral (
      select from tweet where tweet.audience = member.audience limit 1) open limit 1))`
}

/** Reads chosen tweets for several viewers from whom nobody is hidden, each tweet only once. */
export function readChosen(
  deps: Deps,
  requests: readonly ChosenRequest[],
  stateOf: StateOf = noState,
): Promise<readonly ChosenPage[]> {
  return readPages(deps, requests, stateOf, {
    keeps: true,
    apart: sql`select id from listed where ${isPrivate(sql`listed`)}`,
    isShown: sql`true`,
    showsParent: visibleToReadersOf(sql`tweet`, sql`parent`),
    from: empty,
  })
}

/** Reads chosen tweets for one viewer, from whom some agents may be hidden; `where` are more conditions on them. */
export async function readChosenApart(
  deps: Deps,
  request: ChosenRequest,
  { where = [], stateOf = noState }: { readonly where?: readonly Sql[]; readonly stateOf?: StateOf } = {},
): Promise<ChosenPage> {
  const [page] = await readPages(deps, [request], stateOf, {
    keeps: false,
    apart: sql`select id from listed`,
    isShown: every([listedForAgent(sql`viewer`), ...where]),
    showsParent: visibleToAgent(sql`viewer`, sql`parent`),
    from: sql`cross join viewer`,
  })
  if (!page) throw new Error('A request has no page')
  return page
}

/** What decides about tweets and their parents; `viewer` can be joined where there is only one. */
interface Conditions {
  /** Whether what is for everybody may be taken from what is known. */
  readonly keeps: boolean
  /** Which tweets have a row of their own; the others are for everybody. */
  readonly apart: Sql
  readonly isShown: Sql
  readonly showsParent: Sql
  readonly from: Sql
}

async function readPages(
  deps: Deps,
  requests: readonly ChosenRequest[],
  stateOf: StateOf,
  conditions: Conditions,
): Promise<ChosenPage[]> {
  const { known } = deps.jsonCache
  const before = known.current()
  const query = chosenQuery(requests, stateOf, conditions, before)
  let listed: readonly ListedTweet[] = []
  const parts = await readParts<ChosenRow, StateRow>(deps, query, (rest) => {
    const state = rest.find(({ n }) => n === null)?.state ?? ' '
    const [snapshot, read] = [state.slice(0, state.indexOf(' ')), readVersions(state.slice(state.indexOf(' ') + 1))]
    const ids = snapshot === before.snapshot ? requests.flatMap((request) => request.ids) : []
    listed = [...read, ...ids.flatMap((id) => before.tweets.get(id) ?? [])]
    if (conditions.keeps) known.add(snapshot, read)
    return listed
  })
  const { rows, jsonOf, marks, rest } = parts
  const states = new Map(rest.map(({ n, state }) => [n, state]))
  const json = new Map<string, TweetJson>()
  for (const row of [...rows, ...listed]) {
    const tweet = jsonOf(row)
    if (tweet) json.set(row.id, tweet)
  }
  const restricted = rows.filter(({ seen_by }) => seen_by !== null)
  return requests.map(({ viewer }, n) => {
    const hidden = new Set(restricted.filter(({ seen_by }) => !seen_by?.includes(viewer.id)).map(({ id }) => id))
    return {
      rows: hidden.size === 0 ? json : new Map([...json].filter(([id]) => !hidden.has(id))),
      marks,
      state: states.get(n) ?? null,
    }
  })
}

function chosenQuery(
  requests: readonly ChosenRequest[],
  stateOf: StateOf,
  { keeps, apart, isShown, showsParent, from }: Conditions,
  { snapshot, tweets }: Known,
): Sql {
  const ids = [...new Set(requests.flatMap((request) => request.ids))]
  const unknown = keeps ? ids.filter((id) => !tweets.has(id)) : ids
  const asked = requests.flatMap(({ viewer, ids }) =>
    ids.flatMap((id) => [id, tweets.get(id)?.p_id]).flatMap((id) => (id ? [{ by: viewer.id, id }] : [])),
  )
  const wanted = sql`case when ${isCommitted(snapshot)} then ${literal(unknown)}::uuid[] else ${literal(ids)}::uuid[] end`
  // `seen_by` lists the viewers who may see a private tweet; the same viewers may see its parent.
  return sql`
    with viewer as materialized (${viewerRows(requests.map(({ viewer }) => viewer))}),
    ${versionParts(wanted)},
    apart as materialized (${apart}),
    page as materialized (
      select ${stampedColumns}, ${showsParent} as p_is_visible,
        case when ${isPrivate(sql`tweet`)} then array(
          select viewer.id::text from viewer where ${visibleToAgent(sql`viewer`)}) end as seen_by
      from apart ${from} ${tweetAt(sql`apart.id`)} ${parentAt(sql`tweet.parent_id`)}
      where ${isShown}),
    asked as materialized (
      select agent_id, tweet_id from unnest(
        ${literal(asked.map(({ by }) => by))}::uuid[], ${literal(asked.map(({ id }) => id))}::uuid[]) as asked (agent_id, tweet_id)),
    shown as (
      select agent_id, tweet_id from asked
      union
      select asked.agent_id, page.p_id from page join asked on asked.tweet_id = page.id where page.p_is_visible
      union
      select asked.agent_id, listed.parent_id from listed join asked on asked.tweet_id = listed.id where listed.parent_id is not null)
    select 'TWEET' as part, id, stamp, p_id, p_is_visible, seen_by, null::uuid as agent_id, null::uuid as tweet_id,
      null as mark, null::integer as n, null as state
    from page
    union all
    select 'MARK', null, null, null, null, null, agent_id, tweet_id, mark, null, null
    from (${pairMarksQuery(sql`shown`)}) done
    union all
    select 'REST', null, null, null, null, null, null, null, null, n, ${stateOf(sql`viewer`)} from viewer
    union all
    select 'REST', null, null, null, null, null, null, null, null, null,
      concat_ws(' ', pg_current_snapshot()::text, ${versionText(sql`select listed.*, 0 as key from listed where id not in (select id from apart)`)})`
}
