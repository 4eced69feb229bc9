import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { TweetJsonCache } from './json-cache.js'
import { createMarksLookup, type MarksLookup, type ViewerMarkRow, viewerMarksQuery } from './marks.js'
import type { StampedRow } from './versions.js'

/** A row of a statement that reads a whole page: a tweet, a mark of a viewer, or something the page needs besides. */
type Part<Row, Rest> = (Row & { part: 'TWEET' }) | (ViewerMarkRow & { part: 'MARK' }) | (Rest & { part: 'REST' })

export interface PageParts<Row, Rest> {
  readonly rows: readonly Row[]
  readonly jsonOf: Awaited<ReturnType<TweetJsonCache['load']>>
  readonly marks: MarksLookup
  readonly rest: readonly Rest[]
}

/** A query for the marks of `viewer` on `shown`: agent_id, tweet_id and mark. */
export const marksOnPage = viewerMarksQuery(
  sql`(select array_agg(id) from viewer)`,
  sql`(select array_agg(id) from shown)`,
)

/** Reads a page in one statement; the column `part` says what a row is. `alsoOf` finds more tweets in the rest. */
export async function readParts<Row extends StampedRow, Rest>(
  { db, jsonCache }: { readonly db: Db; readonly jsonCache: TweetJsonCache },
  query: Sql,
  alsoOf: (rest: readonly Rest[]) => readonly StampedRow[] = () => [],
): Promise<PageParts<Row, Rest>> {
  const rows: Row[] = []
  const marks: ViewerMarkRow[] = []
  const rest: Rest[] = []
  for (const row of await db.many<Part<Row, Rest>>(query)) {
    if (row.part === 'TWEET') rows.push(row)
    else if (row.part === 'MARK') marks.push(row)
    else rest.push(row)
  }
  return { rows, jsonOf: await jsonCache.load([...rows, ...alsoOf(rest)]), marks: createMarksLookup(marks), rest }
}
