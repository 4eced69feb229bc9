import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import type { Secrets } from '../../foundation/secrets.js'

/** A viewer to count: an agent by its id, or a person by their network address. */
export type Onlooker = { readonly agentId: string } | { readonly address: string }

/** Counts each viewer of a tweet once an hour, and writes the counts in batches. */
export interface ViewCounts {
  /** Returns the number of the tweet's unwritten views, including this one. */
  track(tweetId: string, onlooker: Onlooker): number
  /** Reads what is written, and adds what `count` says of the views that are not: none is left out or counted twice. */
  readBeside<Read>(read: () => Promise<Read>, count: (read: Read) => number): Promise<number>
  /** Writes the waiting views. */
  flush(): Promise<void>
  close(): Promise<void>
}

const HOUR_MS = 60 * 60_000
const FLUSH_EVERY_MS = 1_000
const FLUSH_AT = 5_000
const DELETED_AT_ONCE = 10_000
const MAX_WRITTEN_KEYS = 100_000
// Under a load at which sets follow each other without end, a count may be one set off.
const ATTEMPTS = 3

interface View {
  readonly tweetId: string
  readonly viewer: string
  readonly hour: Date
}

export function createViewCounts(options: {
  db: Db
  clock: Clock
  secrets: Secrets
  onError(error: Error): void
}): ViewCounts {
  const { db, clock, secrets, onError } = options
  let waiting = new Map<string, View>()
  let underWay = new Map<string, View>()
  const perTweet = new Map<string, number>()
  // The views written this hour: a repeated view neither waits again nor counts in the response.
  // With `max`, room for all would be made at the start.
  const written = new LRUCache<string, true>({ maxSize: MAX_WRITTEN_KEYS, sizeCalculation: () => 1 })
  let flushing: Promise<void> = Promise.resolve()
  let sets = 0
  const timer = setInterval(() => void flush().catch(onError), FLUSH_EVERY_MS).unref()

  function viewerKey(onlooker: Onlooker): string {
    if ('agentId' in onlooker) return `agent:${onlooker.agentId}`
    return `human:${secrets.sign('viewer', onlooker.address).toString('base64url').slice(0, 22)}`
  }

  async function write(batch: Map<string, View>): Promise<void> {
    const rows = [...batch.values()]
    await db.transaction((db) => countViews(db, rows))
    for (const key of batch.keys()) written.set(key, true)
    for (const { tweetId } of rows) {
      const left = (perTweet.get(tweetId) ?? 1) - 1
      if (left === 0) perTweet.delete(tweetId)
      else perTweet.set(tweetId, left)
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(async () => {
      if (waiting.size === 0) return
      underWay = waiting
      waiting = new Map()
      sets++
      await write(underWay).catch((error: Error) => {
        waiting = new Map([...underWay, ...waiting])
        onError(error)
      })
      underWay = new Map()
    })
    return flushing
  }

  return {
    track(tweetId, onlooker) {
      const now = clock.now().getTime()
      const hour = new Date(now - (now % HOUR_MS))
      const viewer = viewerKey(onlooker)
      const key = `${tweetId} ${viewer} ${hour.getTime()}`
      if (!written.has(key) && !underWay.has(key) && !waiting.has(key)) {
        waiting.set(key, { tweetId, viewer, hour })
        perTweet.set(tweetId, (perTweet.get(tweetId) ?? 0) + 1)
        if (waiting.size >= FLUSH_AT) void flush()
      }
      return perTweet.get(tweetId) ?? 0
    },
    async readBeside(read, count) {
      for (let attempt = 1; ; attempt++) {
        await flushing
        const before = sets
        const counted = count(await read())
        // A set that was written meanwhile is in one of the two numbers or in both.
        if (sets === before || attempt === ATTEMPTS) return counted
      }
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

async function countViews(db: Db, rows: readonly View[]): Promise<void> {
  const column = <Name extends keyof View>(name: Name) => rows.map((row) => row[name])
  await db.run(sql`
    with seen as (
      insert into tweet_view (tweet_id, viewer, hour)
      select waiting.tweet_id, waiting.viewer, waiting.hour
      from unnest(${column('tweetId')}::uuid[], ${column('viewer')}::text[], ${column('hour')}::timestamptz[])
        as waiting (tweet_id, viewer, hour)
      join tweet on tweet.id = waiting.tweet_id
      on conflict do nothing
      returning tweet_id, viewer
    ), counted as (
      select tweet_id, count(*)::int as views, count(*) filter (where viewer like 'human:%')::int as human_views
      from seen group by tweet_id
    )
    update tweet set views_count = views_count + views, human_views_count = human_views_count + human_views,
      version = tweet.version + 1
    from counted where tweet.id = counted.tweet_id`)
}

/** Deletes the rows of past hours, which no longer prevent double counting. */
export async function deleteOldViews({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - 2 * HOUR_MS)
  const deleteSome = () =>
    db.run(sql`
      delete from tweet_view where ctid = any(array(
        select ctid from tweet_view where hour < ${before} limit ${DELETED_AT_ONCE}))`)
  while ((await deleteSome()) === DELETED_AT_ONCE);
}
