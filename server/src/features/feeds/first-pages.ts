import sql, { raw, type Sql } from 'sql-template-tag'
import { type Batch, createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import { encodeCursor } from '../../foundation/db/paginate.js'
import {
  audiencesOf,
  isPrivate,
  isPublic,
  type Viewer,
  viewerRows,
  visibleToAgent,
} from '../../foundation/db/visibility.js'
import { type KeptJson, type StampedRow, stampedColumns } from '../tweets/kept-json.js'
import { parentAt, tweetAt } from '../tweets/queries.js'
import { privateTotal, tweetTotal } from '../tweets/tally.js'
import { deedsOnPage, readParts, shownOnPage } from './page-parts.js'
import { types } from './queries.js'

/** The first page of a feed as many agents read it: most of it is the same for all of them. */
export interface FirstPages {
  /** The page as JSON. */
  read(mode: Mode, viewer: Viewer, limit: number): Promise<string | Buffer>
}

type Mode = keyof typeof types

interface FirstPagesDeps {
  readonly db: Db
  readonly keptJson: KeptJson
}

export function createFirstPages(deps: FirstPagesDeps): FirstPages {
  const batches = new Map<string, Batch<Viewer, string | Buffer>>()
  return {
    read(mode, viewer, limit) {
      const name = `${mode} ${limit}`
      const batch =
        batches.get(name) ?? createBatch((viewers: readonly Viewer[]) => readPages(deps, mode, limit, viewers))
      batches.set(name, batch)
      return batch(viewer)
    },
  }
}

/** Where the order of a feed is kept and how, what is below all of it, and which tweets are in it. */
const feeds: Readonly<
  Record<Mode, { from: Sql; id: Sql; key: Sql; lowest: Sql; narrow: Sql; compare(a: Row, b: Row): number }>
> = {
  new: {
    from: sql`tweet`,
    id: sql`id`,
    key: sql`id`,
    lowest: sql`'00000000-0000-0000-0000-000000000000'::uuid`,
    narrow: sql`true`,
    compare: (a, b) => byId(a, b),
  },
  trending: {
    from: sql`tweet_order`,
    id: sql`tweet_id`,
    key: sql`score`,
    lowest: sql`'-infinity'::double precision`,
    narrow: sql`type <> 'REPOST'`,
    compare: (a, b) => Number(b.cursor_key) - Number(a.cursor_key) || byId(a, b),
  },
}

const byId = (a: Row, b: Row) => (a.id < b.id ? 1 : -1)

/** A tweet on a page. */
interface Row extends StampedRow {
  /** Whose private tweet it is; null for those that all see. */
  n: number | null
  cursor_key: string
}

/** How many private tweets a viewer sees; the public ones have no viewer. */
interface Total {
  n: number | null
  total: number
}

/** A first page for each viewer: what is public is read once for all. */
async function readPages(
  deps: FirstPagesDeps,
  mode: Mode,
  limit: number,
  viewers: readonly Viewer[],
): Promise<(string | Buffer)[]> {
  const { rows, jsonOf, marks, rest } = await readParts<Row, Total>(deps, pageQuery(mode, limit, viewers))
  const totals = new Map(rest.map(({ n, total }) => [n, total]))
  const there = rows.filter((row) => jsonOf(row)).sort(feeds[mode].compare)
  const shared = there.filter(({ n }) => n === null)
  const answer = (all: readonly Row[], total: number, viewerId: string) => {
    const page = all.slice(0, limit)
    const last = all.length > limit ? page.at(-1) : undefined
    const nextCursor = last ? encodeCursor(`tweets:${mode}`, last.cursor_key, last.id) : null
    const data = page.map((row) => jsonOf(row)?.for(viewerId, marks)).join(',')
    return `{"data":[${data}],"meta":${JSON.stringify({ page: 1, limit, total, nextCursor })}}`
  }
  // Most viewers see only what everyone sees and have done nothing with it: those with the same total get the same bytes.
  const alike = new Map<number, Buffer>()
  return viewers.map(({ id }, n) => {
    const total = (totals.get(null) ?? 0) + (totals.get(n) ?? 0)
    const isShared = there.length === shared.length || !there.some((row) => row.n === n)
    if (!isShared)
      return answer(
        there.filter((row) => row.n === null || row.n === n),
        total,
        id,
      )
    if (marks.hasAny(id)) return answer(shared, total, id)
    const bytes = alike.get(total) ?? Buffer.from(answer(shared, total, id))
    alike.set(total, bytes)
    return bytes
  })
}

function pageQuery(mode: Mode, limit: number, viewers: readonly Viewer[]): Sql {
  const { from, id, key, lowest, narrow } = feeds[mode]
  // What comes after a full page of public tweets is on nobody's page.
  const isAhead = sql`${key} >= coalesce((select key from shared order by key desc offset ${raw(String(limit))} limit 1), ${lowest})`
  const best = (where: Sql) => sql`
    select ${id} as id, ${key} as key from ${from} where ${where} and ${narrow}
    order by ${key} desc, ${id} desc limit ${raw(String(limit + 1))}`
  return sql`
    with viewer as materialized (${viewerRows(viewers)}),
    shared as (${best(isPublic(from))}),
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
        (${isPublic(sql`parent`)} or ${visibleToAgent(sql`viewer`, sql`parent`)}) as p_is_visible
      from chosen ${tweetAt(sql`chosen.id`)} ${parentAt(sql`tweet.parent_id`)}
      left join viewer on viewer.n = chosen.n),
    ${shownOnPage}
    select 'TWEET' as part, n, id, cursor_key, stamp, p_id, p_is_visible, null::uuid as agent_id, null::uuid as tweet_id,
      null as deed, null::integer as total
    from page
    union all
    select 'DEED', null, null, null, null, null, null, agent_id, tweet_id, deed, null
    from (${deedsOnPage}) done
    union all
    select 'REST', n, null, null, null, null, null, null, null, null, ${privateTotal(sql`viewer`, types[mode])}
    from viewer
    union all
    select 'REST', null, null, null, null, null, null, null, null, null, (${tweetTotal(types[mode])})`
}
