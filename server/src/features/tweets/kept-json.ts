import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import { parentAt, parentColumns, type ThreadRow, tweetAt, tweetColumns } from './queries.js'
import { type TweetJson, tweetJson } from './view.js'

/** What a query tells of a tweet whose JSON may be kept. */
export interface StampedRow {
  id: string
  /** Differs as soon as anything in the JSON does. */
  stamp: string
  /** The tweet that it answers, when there is one. */
  p_id: string | null
  /** Whether the viewer may see that one. */
  p_is_visible: boolean | null
}

/**
 * The columns of a StampedRow besides `p_is_visible`, where `tweetAt` and `parentAt` are joined. PostgreSQL marks every
 * version of a row with the transaction that wrote it, so one of these four changes whenever anything in the JSON does.
 */
export const stampedColumns = sql`tweet.id, parent.id as p_id,
  concat_ws('.', tweet.row_version, agent.row_version, parent.row_version, parent_agent.row_version) as stamp`

/** Tweets in JSON, kept in the process. Nothing old is ever shown: what is kept counts only with the stamp just read. */
export interface KeptJson {
  /** The JSON of all the rows; undefined for a tweet that was deleted meanwhile. */
  of(rows: readonly StampedRow[]): Promise<(row: StampedRow) => TweetJson | undefined>
}

const MOST_KEPT = 4_000

export function createKeptJson({ db }: { readonly db: Db }): KeptJson {
  const kept = new LRUCache<string, { readonly stamp: string; readonly json: TweetJson }>({ max: MOST_KEPT })
  const find = (row: StampedRow) => {
    const known = kept.get(nameOf(row))
    return known?.stamp === row.stamp ? known.json : undefined
  }

  return {
    async of(rows) {
      const found = new Map<string, TweetJson>()
      const missing = new Map<string, StampedRow>()
      for (const row of rows) {
        const name = nameOf(row)
        if (found.has(name)) continue
        const json = find(row)
        if (json) found.set(name, json)
        else missing.set(name, row)
      }
      for (const row of await readAll(db, [...missing.values()])) {
        const json = tweetJson(row)
        found.set(nameOf(row), json)
        kept.set(nameOf(row), { stamp: row.stamp, json })
      }
      return (row) => found.get(nameOf(row))
    },
  }
}

/** A tweet has one JSON for those who see what it answers, and one for the others. */
function nameOf({ id, p_is_visible }: Pick<StampedRow, 'id' | 'p_is_visible'>): string {
  return p_is_visible ? `${id} whole` : id
}

async function readAll(db: Db, rows: readonly StampedRow[]): Promise<(ThreadRow & StampedRow)[]> {
  if (rows.length === 0) return []
  const asks = rows.map(({ id, p_is_visible }) => ({ id, sees_parent: p_is_visible ?? false }))
  return db.many<ThreadRow & StampedRow>(sql`
    select ${tweetColumns}, ${parentColumns(sql`wanted.sees_parent`)}, ${stampedColumns}
    from (${requestRows(asks, sql`id uuid, sees_parent boolean`)}) wanted
    ${tweetAt(sql`wanted.id`)} ${parentAt(sql`tweet.parent_id`)}
    where tweet.id is not null`)
}
