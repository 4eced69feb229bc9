import sql, { raw, type Sql } from 'sql-template-tag'
import { literal } from '../../foundation/db/literal.js'
import {
  type AgentViewer,
  isListedLocked,
  isPrivate,
  isPublic,
  viewerRows,
  visibleToAgent,
} from '../../foundation/db/visibility.js'
import { marksOnPage } from '../tweets/page-parts.js'
import { parentAt, tweetAt } from '../tweets/queries.js'
import { memberPart, privatePostTotal, privateTotals, tweetTotal } from '../tweets/tally.js'
import {
  isCommitted,
  listedIds,
  type StampedRow,
  stampedColumns,
  versionParts,
  versionText,
} from '../tweets/versions.js'
import { hiddenTypes, types } from './queries.js'

export type Mode = keyof typeof types

interface Feed {
  /** The table that is read in the order of the feed, and its columns. */
  readonly from: Sql
  readonly id: Sql
  readonly key: Sql
  readonly keyType: Sql
  /** A key below every other. */
  readonly lowest: Sql
  /** Which tweets are in the feed. */
  readonly condition: Sql
  /** Which of them are on everybody's page, locked where they are private, and a query for how many there are. */
  readonly isShared: Sql
  readonly sharedTotal: Sql
  compare(a: PageRow, b: PageRow): number
}

export const feeds: Readonly<Record<Mode, Feed>> = {
  new: {
    from: sql`tweet`,
    id: sql`id`,
    key: sql`id`,
    keyType: sql`uuid`,
    lowest: sql`'00000000-0000-0000-0000-000000000000'::uuid`,
    condition: sql`true`,
    isShared: sql`(${isPublic(sql`tweet`)} or ${isListedLocked(sql`tweet`)})`,
    sharedTotal: sql`select (${tweetTotal(types.new)}) + (${privatePostTotal})`,
    compare: (a, b) => byId(a, b),
  },
  trending: {
    from: sql`tweet_order`,
    id: sql`tweet_id`,
    key: sql`score`,
    keyType: sql`double precision`,
    lowest: sql`'-infinity'::double precision`,
    condition: sql`type <> 'REPOST'`,
    isShared: isPublic(sql`tweet_order`),
    sharedTotal: tweetTotal(types.trending),
    compare: (a, b) => Number(b.cursor_key) - Number(a.cursor_key) || byId(a, b),
  },
}

const byId = (a: PageRow, b: PageRow) => (a.id < b.id ? 1 : -1)

/** A tweet on a page. */
export type PageRow = StampedRow & {
  /** The viewer who sees this private tweet; null for a tweet on everybody's page. */
  readonly n: number | null
  readonly cursor_key: string
}

/** The number of private tweets that only some viewers have on their page; or, if `n` is null, everybody's page. */
export interface RestRow {
  readonly n: number | null
  readonly total: number | null
  readonly snapshot: string | null
  /** Null if nothing was committed since the kept page was read. */
  readonly shared: string | null
}

/** A page that is kept. */
export interface KeptPage {
  /** What was committed when it was read. */
  readonly snapshot: string
  readonly rows: readonly PageRow[]
}

/** The tweets of a kept page, as the database lists them. */
const listOf = (kept: KeptPage | undefined) => ({
  snapshot: kept?.snapshot ?? null,
  shown: literal(kept?.rows.flatMap(({ id, p_id, p_is_visible }) => (p_id && p_is_visible ? [id, p_id] : [id])) ?? []),
})

// Everybody's page is read unless nothing was committed since it was kept.
export function pageQuery(mode: Mode, limit: number, viewers: readonly AgentViewer[], kept: KeptPage | undefined): Sql {
  const { from, id, key, keyType, lowest, condition, isShared, sharedTotal } = feeds[mode]
  const { snapshot, shown } = listOf(kept)
  const isKept = isCommitted(snapshot)
  const most = raw(String(limit + 1))
  const best = (where: Sql) => sql`
    select ${id} as id, ${key} as key from ${from} where ${where} and ${condition}
    order by ${key} desc, ${id} desc limit ${most}`
  // A tweet that ranks below a full page of everybody's is on nobody's page.
  const isAhead = sql`${key} >= coalesce((select key from last), ${lowest})`
  return sql`
    with viewer as materialized (${viewerRows(viewers)}),
    ${memberPart},
    shared as materialized (${best(sql`${isShared} and not ${isKept}`)}),
    last as materialized (
      (select key from shared order by key desc offset ${raw(String(limit))} limit 1)
      union all select ${kept?.rows[limit]?.cursor_key ?? null}::${keyType} where ${isKept}),
    own as (
      select n, id, key from (
        select *, row_number() over (partition by n order by key desc, id desc) as place from (
          select viewer.n, mine.id, mine.key from viewer
          cross join lateral (${best(sql`${isPrivate(from)} and agent_id = viewer.id and ${isAhead}`)}) mine
          union
          select member.n, open.id, open.key from member
          cross join lateral (${best(sql`${from}.audience = member.audience and ${isAhead}`)}) open) seen) placed
      where place <= ${most}),
    page as materialized (
      select own.n, own.key::text as cursor_key, ${stampedColumns}, true as is_visible,
        (${isPublic(sql`parent`)} or ${visibleToAgent(sql`viewer`, sql`parent`)}) as p_is_visible
      from own join viewer using (n) ${tweetAt(sql`own.id`)} ${parentAt(sql`tweet.parent_id`)}),
    ${versionParts(sql`array(select id from shared)`)},
    shown as (
      select id from page union select p_id from page where p_is_visible union ${listedIds}
      union select id from unnest(${shown}::uuid[]) as kept (id) where ${isKept})
    select 'TWEET' as part, n, id, cursor_key, stamp, is_visible, p_id, p_is_visible, null::uuid as agent_id, null::uuid as tweet_id,
      null as mark, null::integer as total, null as snapshot, null as shared
    from page
    union all
    select 'MARK', null, null, null, null, null, null, null, agent_id, tweet_id, mark, null, null, null
    from (${marksOnPage}) done
    union all
    select 'REST', n, null, null, null, null, null, null, null, null, null, total, null, null
    from (${privateTotals(hiddenTypes[mode])}) own
    union all
    select 'REST', null, null, null, null, null, null, null, null, null, null,
      case when not ${isKept} then (${sharedTotal}) end, pg_current_snapshot()::text,
      case when not ${isKept} then ${versionText(sql`select listed.*, key from shared join listed using (id)`)} end`
}
