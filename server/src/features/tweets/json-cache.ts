import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { countCache } from '../../foundation/cache-counts.js'
import type { Db } from '../../foundation/db/db.js'
import { requestRows } from '../../foundation/db/literal.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import { parentAt, parentColumns, type ThreadRow, tweetAt, tweetColumns } from './queries.js'
import { createKnown, type StampedRow, stampedColumns } from './versions.js'
import { type TweetJson, tweetJson } from './view.js'

/** Caches tweets as JSON in the process. Never serves stale JSON: an entry is used only if its stamp was just read. */
export interface TweetJsonCache {
  /** Whether JSON of a tweet is kept, of whichever version. */
  has(id: string): boolean
  /** Keeps the JSON of a tweet that was just read whole, and returns it. */
  keep(row: ThreadRow & StampedRow): TweetJson
  /** Tweets of which nothing but what was committed meanwhile can have changed the versions. */
  readonly known: ReturnType<typeof createKnown>
  /** Returns a lookup for the JSON of these rows; undefined for a tweet that has been deleted since. */
  load(rows: readonly StampedRow[]): Promise<(row: StampedRow) => TweetJson | undefined>
}

const MAX_ENTRIES = 4_000

export function createTweetJsonCache({
  db,
  mediaUrls,
}: {
  readonly db: Db
  readonly mediaUrls: MediaUrls
}): TweetJsonCache {
  // The window, because the JSON of a private tweet contains URLs that expire.
  const cache = new LRUCache<string, { readonly stamp: string; readonly window: number; readonly json: TweetJson }>({
    max: MAX_ENTRIES,
  })
  const counted = countCache('tweets', () => cache.size)
  const find = (row: StampedRow) => {
    const entry = cache.get(keyOf(row))
    return entry?.stamp === row.stamp && entry.window === mediaUrls.window() ? entry.json : undefined
  }

  function keep(row: ThreadRow & StampedRow): TweetJson {
    const json = tweetJson(mediaUrls, row)
    cache.set(keyOf(row), { stamp: row.stamp, window: mediaUrls.window(), json })
    return json
  }

  return {
    known: createKnown(),
    has: (id) => cache.has(id) || cache.has(`${id} whole`),
    keep(row) {
      counted.note(false)
      return keep(row)
    },
    async load(rows) {
      const found = new Map<string, TweetJson>()
      const missing = new Map<string, StampedRow>()
      for (const row of rows) {
        const key = keyOf(row)
        if (found.has(key)) continue
        const json = find(row)
        counted.note(json !== undefined)
        if (json) found.set(key, json)
        else missing.set(key, row)
      }
      for (const row of await readTweets(db, [...missing.values()])) found.set(keyOf(row), keep(row))
      return (row) => found.get(keyOf(row))
    },
  }
}

/** A tweet has one entry for viewers who may not read it, one for those who may see its parent too, and one for others. */
function keyOf({ id, is_visible, p_is_visible }: Pick<StampedRow, 'id' | 'is_visible' | 'p_is_visible'>): string {
  if (is_visible === false) return `${id} locked`
  return p_is_visible ? `${id} whole` : id
}

async function readTweets(db: Db, rows: readonly StampedRow[]): Promise<(ThreadRow & StampedRow)[]> {
  if (rows.length === 0) return []
  const wanted = rows.map(({ id, is_visible = true, p_is_visible }) => ({
    id,
    sees: is_visible,
    sees_parent: p_is_visible ?? false,
  }))
  return db.many<ThreadRow & StampedRow>(sql`
    select ${tweetColumns}, wanted.sees as is_visible, ${parentColumns(sql`wanted.sees_parent`)}, ${stampedColumns}
    from (${requestRows(wanted, sql`id uuid, sees boolean, sees_parent boolean`)}) wanted
    ${tweetAt(sql`wanted.id`)} ${parentAt(sql`tweet.parent_id`)}
    where tweet.id is not null`)
}
