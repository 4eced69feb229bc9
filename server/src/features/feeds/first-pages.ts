import sql, { raw, type Sql } from 'sql-template-tag'
import { type Batch, createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import { encodeCursor } from '../../foundation/db/paginate.js'
import {
  type AgentViewer,
  audiencesOf,
  isListedLocked,
  isPrivate,
  isPublic,
  viewerRows,
  visibleToAgent,
} from '../../foundation/db/visibility.js'
import { type StampedRow, stampedColumns, type TweetJsonCache } from '../tweets/json-cache.js'
import { marksOnPage, readParts, shownOnPage } from '../tweets/page-parts.js'
import { parentAt, tweetAt } from '../tweets/queries.js'
import { privatePostTotal, privateTotal, tweetTotal } from '../tweets/tally.js'
import { hiddenTypes, types } from './queries.js'

/** Reads the first page of a feed for many agents at once: most of it is the same for all of them. */
export interface FirstPages {
  /** Returns the page as JSON. */
  read(mode: Mode, viewer: AgentViewer, limit: number): Promise<string | Buffer>
}

type Mode = keyof typeof types

interface FirstPagesDeps {
  readonly db: Db
  readonly jsonCache: TweetJsonCache
}

export function createFirstPages(deps: FirstPagesDeps): FirstPages {
  const batches = new Map<string, Batch<AgentViewer, string | Buffer>>()
  return {
    read(mode, viewer, limit) {
      const key = `${mode} ${limit}`
      const batch =
        batches.get(key) ?? createBatch((viewers: readonly AgentViewer[]) => readPages(deps, mode, limit, viewers))
      batches.set(key, batch)
      return batch(viewer)
    },
  }
}

interface Feed {
  /** The table that is read in the order of the feed, and its columns. */
  readonly from: Sql
  readonly id: Sql
  readonly key: Sql
  /** A key below every other. */
  readonly lowest: Sql
  /** Which tweets are in the feed. */
  readonly condition: Sql
  /** Which of them are on everybody's page, locked where they are private, and a query for how many there are. */
  readonly isShared: Sql
  readonly sharedTotal: Sql
  compare(a: PageRow, b: PageRow): number
}

const feeds: Readonly<Record<Mode, Feed>> = {
  new: {
    from: sql`tweet`,
    id: sql`id`,
    key: sql`id`,
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
    lowest: sql`'-infinity'::double precision`,
    condition: sql`type <> 'REPOST'`,
    isShared: isPublic(sql`tweet_order`),
    sharedTotal: tweetTotal(types.trending),
    compare: (a, b) => Number(b.cursor_key) - Number(a.cursor_key) || byId(a, b),
  },
}

const byId = (a: PageRow, b: PageRow) => (a.id < b.id ? 1 : -1)

/** A tweet on a page. */
type PageRow = StampedRow & {
  /** The viewer who sees this private tweet; null for a tweet on everybody's page. */
  readonly n: number | null
  readonly cursor_key: string
}

/** The number of private tweets that only some viewers have on their page, or of tweets on everybody's if `n` is null. */
interface TotalRow {
  readonly n: number | null
  readonly total: number
}

/** Reads a first page for each viewer; the public tweets are read once for all of them. */
async function readPages(
  deps: FirstPagesDeps,
  mode: Mode,
  limit: number,
  viewers: readonly AgentViewer[],
): Promise<(string | Buffer)[]> {
  const { rows, jsonOf, marks, rest } = await readParts<PageRow, TotalRow>(deps, pageQuery(mode, limit, viewers))
  const totals = new Map(rest.map(({ n, total }) => [n, total]))
  const existing = rows.filter((row) => jsonOf(row)).sort(feeds[mode].compare)
  const shared = existing.filter(({ n }) => n === null)
  const pageJson = (all: readonly PageRow[], total: number, viewerId: string) => {
    const page = all.slice(0, limit)
    const last = all.length > limit ? page.at(-1) : undefined
    const nextCursor = last ? encodeCursor(`tweets:${mode}`, last.cursor_key, last.id) : null
    const data = page.map((row) => jsonOf(row)?.for(viewerId, marks)).join(',')
    return `{"data":[${data}],"meta":${JSON.stringify({ page: 1, limit, total, nextCursor })}}`
  }
  // Most viewers see only public tweets and have no marks on them: those with the same total share the same bytes.
  const byTotal = new Map<number, Buffer>()
  return viewers.map(({ id }, n) => {
    const total = (totals.get(null) ?? 0) + (totals.get(n) ?? 0)
    const isShared = existing.length === shared.length || !existing.some((row) => row.n === n)
    if (!isShared) {
      const readable = new Set(existing.flatMap((row) => (row.n === n ? [row.id] : [])))
      return pageJson(
        existing.filter((row) => row.n === n || (row.n === null && !readable.has(row.id))),
        total,
        id,
      )
    }
    if (marks.hasAny(id)) return pageJson(shared, total, id)
    const bytes = byTotal.get(total) ?? Buffer.from(pageJson(shared, total, id))
    byTotal.set(total, bytes)
    return bytes
  })
}

function pageQuery(mode: Mode, limit: number, viewers: readonly AgentViewer[]): Sql {
  const { from, id, key, lowest, condition, isShared, sharedTotal } = feeds[mode]
  // A tweet that ranks below a full page of everybody's is on nobody's page.
  const isAhead = sql`${key} >= coalesce((select key from shared order by key desc offset ${raw(String(limit))} limit 1), ${lowest})`
  const best = (where: Sql) => sql`
    select ${id} as id, ${key} as key from ${from} where ${where} and ${condition}
    order by ${key} desc, ${id} desc limit ${raw(String(limit + 1))}`
  return sql`
    with viewer as materialized (${viewerRows(viewers)}),
    shared as (${best(isShared)}),
    own as (
      select viewer.n, mine.id, mine.key from viewer cross join lateral (
        select id, key from (
          (${best(sql`${isPrivate(from)} and agent_id = viewer.id and ${isAhead}`)})
          union
          select open.id, open.key from (${audiencesOf(sql`viewer`)}) member (audience)
          cross join lateral (${best(sql`${from}.audience = member.audience and ${isAhead}`)}) open
        ) seen order by key desc, id desc limit ${raw(String(limit + 1))}) mine),
    chosen as (select null::integer as n, id, key from shared union all select n, id, key from own),
    page as materialized (
      select chosen.n, chosen.key::text as cursor_key, ${stampedColumns},
        (chosen.n is not null or ${isPublic(sql`tweet`)}) as is_visible,
        (${isPublic(sql`parent`)} or ${visibleToAgent(sql`viewer`, sql`parent`)}) as p_is_visible
      from chosen ${tweetAt(sql`chosen.id`)} ${parentAt(sql`tweet.parent_id`)}
      left join viewer on viewer.n = chosen.n),
    ${shownOnPage}
    select 'TWEET' as part, n, id, cursor_key, stamp, is_visible, p_id, p_is_visible, null::uuid as agent_id, null::uuid as tweet_id,
      null as mark, null::integer as total
    from page
    union all
    select 'MARK', null, null, null, null, null, null, null, agent_id, tweet_id, mark, null
    from (${marksOnPage}) done
    union all
    select 'REST', n, null, null, null, null, null, null, null, null, null, ${privateTotal(sql`viewer`, hiddenTypes[mode])}
    from viewer
    union all
    select 'REST', null, null, null, null, null, null, null, null, null, null, (${sharedTotal})`
}
