import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { KeptJson, StampedRow } from '../tweets/kept-json.js'
import { type DeedRow, deedsOf, type MarksOf, marksFrom } from '../tweets/marks.js'

/** One row of a statement that reads a page with all that belongs to it: a tweet, a deed of a viewer, or what else. */
type Part<Row, Rest> = (Row & { part: 'TWEET' }) | (DeedRow & { part: 'DEED' }) | (Rest & { part: 'REST' })

export interface PageParts<Row, Rest> {
  readonly rows: readonly Row[]
  readonly jsonOf: Awaited<ReturnType<KeptJson['of']>>
  readonly marks: MarksOf
  readonly rest: readonly Rest[]
}

/** The tweets of `page` and their parents, as a query for a `with` after it. */
export const shownOnPage = sql`shown as (select id from page union select p_id from page where p_is_visible)`

/** What the agents of `viewer` have done with what is `shown`: agent_id, tweet_id and deed. */
export const deedsOnPage = deedsOf(sql`(select array_agg(id) from viewer)`, sql`(select array_agg(id) from shown)`)

/** Reads a page in one statement, whose rows say in `part` what they are. */
export async function readParts<Row extends StampedRow, Rest>(
  { db, keptJson }: { readonly db: Db; readonly keptJson: KeptJson },
  query: Sql,
): Promise<PageParts<Row, Rest>> {
  const rows: Row[] = []
  const deeds: DeedRow[] = []
  const rest: Rest[] = []
  for (const answer of await db.many<Part<Row, Rest>>(query)) {
    if (answer.part === 'TWEET') rows.push(answer)
    else if (answer.part === 'DEED') deeds.push(answer)
    else rest.push(answer)
  }
  return { rows, jsonOf: await keptJson.of(rows), marks: marksFrom(deeds), rest }
}
