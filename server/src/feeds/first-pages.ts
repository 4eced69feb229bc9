import sql, { raw, type Sql } from 'sql-template-tag'
import { type Batch, createBatch } from '../db/batch.js'
import type { Db } from '../db/db.js'
import { encodeCursor } from '../db/paginate.js'
import { type Viewer, viewerRows, visibleToAgent } from '../db/visibility.js'
import { type DeedRow, deedsOf, type MarksOf, marksFrom } from '../tweets/marks.js'
import { parentAt, parentColumns, type ThreadRow, tweetAt, tweetColumns } from '../tweets/queries.js'
import { privateTotal, tweetTotal } from '../tweets/tally.js'
import { shownIds, type TweetJson, tweetJson } from '../tweets/view.js'
import { types } from './queries.js'

/** The first page of a feed as many agents read it: most of it is the same for all of them. */
export interface FirstPages {
  /** The page as JSON. */
  read(mode: Mode, viewer: Viewer, limit: number): Promise<string>
}

type Mode = keyof typeof types

export function createFirstPages({ db }: { db: Db }): FirstPages {
  const batches = new Map<string, Batch<Viewer, string>>()
  return {
    read(mode, viewer, limit) {
      const name = `${mode} ${limit}`
      const batch =
        batches.get(name) ?? createBatch((viewers: readonly Viewer[]) => readPages(db, mode, limit, viewers))
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

type Row = ThreadRow & {
  /** Whose private tweet it is; null for those that all see. */
  n: number | null
  cursor_key: string
  total: number
}

/** A first page for each viewer: what is public is read once for all. */
async function readPages(db: Db, mode: Mode, limit: number, viewers: readonly Viewer[]): Promise<string[]> {
  const rows = (await db.many<Row>(pageQuery(mode, limit, viewers))).filter(({ id }) => id !== null)
  const shared = rows.filter(({ n }) => n === null)
  const about = await readAbout(db, mode, viewers, shownIds(rows))
  const json = new Map<Row, TweetJson>()
  const jsonOf = (row: Row): TweetJson => {
    const made = json.get(row) ?? tweetJson(row)
    json.set(row, made)
    return made
  }
  return viewers.map((viewer, n) => {
    const own = rows.filter((row) => row.n === n)
    const all = own.length === 0 ? shared : [...shared, ...own].sort(feeds[mode].compare)
    const page = all.slice(0, limit)
    const last = all.length > limit ? page.at(-1) : undefined
    const data = page.map((row) => jsonOf(row).for(viewer.id, about.marks)).join(',')
    const meta = {
      page: 1,
      limit,
      total: (about.publicTotal ?? 0) + (about.privateTotals.get(viewer.id) ?? 0),
      nextCursor: last ? encodeCursor(`tweets:${mode}`, last.cursor_key, last.id) : null,
    }
    return `{"data":[${data}],"meta":${JSON.stringify(meta)}}`
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
    with viewer as (${viewerRows(viewers)}),
    shared as (${best(sql`audience is null`)}),
    own as (
      select viewer.n, mine.id, mine.key from viewer cross join lateral (
        select id, key from (
          (${best(sql`audience is not null and agent_id = viewer.id and ${isAhead}`)})
          union
          select open.id, open.key from (
            select viewer.subject union all select subject from share_holding where holder = viewer.wallet_address
          ) held (subject)
          cross join lateral (${best(sql`audience = held.subject and ${isAhead}`)}) open
        ) seen order by key desc, id desc limit ${raw(String(limit + 1))}) mine),
    chosen as (select null::integer as n, id, key from shared union all select n, id, key from own)
    select chosen.n, chosen.key::text as cursor_key, ${tweetColumns},
      ${parentColumns(sql`(parent.audience is null or ${visibleToAgent(sql`viewer`, sql`parent`)})`)}
    from chosen ${tweetAt(sql`chosen.id`)} ${parentAt(sql`tweet.parent_id`)}
    left join viewer on viewer.n = chosen.n
    order by chosen.key desc, chosen.id desc`
}

/** What is different for each viewer, besides private tweets. */
interface About {
  readonly marks: MarksOf
  readonly publicTotal: number | undefined
  readonly privateTotals: ReadonlyMap<string, number>
}

async function readAbout(db: Db, mode: Mode, viewers: readonly Viewer[], ids: readonly string[]): Promise<About> {
  const rows = await db.many<
    (DeedRow & { total: null }) | { agent_id: string; deed: 'PRIVATE' | 'PUBLIC'; total: number }
  >(sql`
    select agent_id, tweet_id, deed, null::integer as total from (${deedsOf(
      viewers.map(({ id }) => id),
      ids,
    )}) done
    union all
    select viewer.id, null, 'PRIVATE', ${privateTotal(sql`viewer`, types[mode])} from (${viewerRows(viewers)}) viewer
    union all
    select null, null, 'PUBLIC', (${tweetTotal(types[mode])})`)
  const deeds = rows.filter((row): row is DeedRow & { total: null } => row.total === null)
  const totals = rows.filter((row) => row.total !== null)
  return {
    marks: marksFrom(deeds),
    publicTotal: totals.find(({ deed }) => deed === 'PUBLIC')?.total,
    privateTotals: new Map(
      totals.flatMap(({ agent_id, deed, total }) => (deed === 'PRIVATE' ? [[agent_id, total]] : [])),
    ),
  }
}
