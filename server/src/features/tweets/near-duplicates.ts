import sql, { join, raw } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { isForReadersOf, visibleToReadersOf } from '../../foundation/db/visibility.js'
import { BANDS, similarity, sketchOf } from './sketch.js'

/** A text is compared with those of this long before it. */
const WINDOW_MS = 6 * 60 * 60_000
const MIN_SIMILARITY = 0.6
const MAX_COMPARED = 50
/** How many tweets with a band in common are looked at for those that may be compared. */
const MAX_READ = 1_000

const bandNames = Array.from({ length: BANDS }, (_, band) => raw(`band_${band}`))
/** The columns of `tweet_sketch` with the bands, in their order. */
export const bandColumns = join(bandNames)

type TweetText = Row<'tweet', 'id' | 'content' | 'created_at'> & { readonly audience: string | null }

/** All tweets of a set with the same plain text and audience. */
interface Wording extends Pick<TweetText, 'audience'> {
  readonly pieces: Uint32Array
  readonly bands: readonly string[]
  readonly first: TweetText
  last: TweetText
  /** Stored tweets with a band in common, newest first, and whether they are similar. */
  readonly before: Compared[]
  /** Other wordings of the set with a band in common that all readers may see, and the comparisons already made. */
  readonly sharing: Set<Wording>
  readonly compared: Map<Wording, boolean>
}

interface Compared {
  readonly id: string
  readonly isSimilar: boolean
}

/**
 * Damps tweets that repeat earlier ones: the score of a tweet with n near-duplicates before it, and everything it gains
 * later, is divided by (n + 1)². `tweets` is ordered by id. A tweet is compared only with tweets that all its readers
 * may see: otherwise its rank would reveal whether somebody has written the same in private.
 */
export async function dampNearDuplicates(db: Db, tweets: readonly TweetText[]): Promise<void> {
  if (tweets.length === 0) return
  const wordings = wordingsOf(tweets)
  const distinct = [...new Set(wordings)]
  linkSharing(distinct)
  await compareWithStored(db, distinct, new Set(tweets.map(({ id }) => id)))
  await insertBands(db, tweets, wordings)
  const counts = tweets.map((_, place) => countSimilar(tweets, wordings, place))
  const damped = tweets.flatMap(({ id }, index) => (counts[index] ? [{ id, similar: counts[index] }] : []))
  if (damped.length === 0) return
  // Locks the tweets first, as every statement does that changes their scores.
  await db.run(sql`
    with damped as (
      select * from unnest(${literal(damped.map(({ id }) => id))}::uuid[],
        ${literal(damped.map(({ similar }) => 2 * Math.log2(1 + similar)))}::double precision[]) as damped (id, damping)),
    locked as (select id from tweet where id in (select id from damped) order by id for no key update)
    update tweet_order set score = score - damped.damping, damping = damped.damping
    from damped join locked using (id) where tweet_id = damped.id and tweet_order.damping = 0`)
}

/** The wording of each tweet, computed once per audience and plain text. */
function wordingsOf(tweets: readonly TweetText[]): Wording[] {
  const byText = new Map<string, Wording>()
  return tweets.map((tweet) => {
    const { plain, pieces, bands } = sketchOf(tweet.content)
    const { audience } = tweet
    const key = `${audience} ${plain}`
    let wording = byText.get(key)
    if (!wording) {
      const empty = { before: [], sharing: new Set<Wording>(), compared: new Map<Wording, boolean>() }
      wording = { audience, pieces, bands, first: tweet, last: tweet, ...empty }
      byText.set(key, wording)
    }
    wording.last = tweet
    return wording
  })
}

function linkSharing(wordings: readonly Wording[]): void {
  const byBand = new Map<string, Wording[]>()
  for (const wording of wordings) {
    for (const [band, value] of wording.bands.entries()) {
      const key = `${band} ${value}`
      const sharing = byBand.get(key)
      if (!sharing) byBand.set(key, [wording])
      else {
        for (const other of sharing) {
          if (isForReadersOf(wording, other)) wording.sharing.add(other)
          if (isForReadersOf(other, wording)) other.sharing.add(wording)
        }
        sharing.push(wording)
      }
    }
  }
}

const sinceOf = ({ created_at }: TweetText) => idAt(new Date(created_at.getTime() - WINDOW_MS))

async function compareWithStored(db: Db, wordings: readonly Wording[], own: ReadonlySet<string>): Promise<void> {
  const found = await findStoredSharing(db, wordings)
  const ids = [...new Set(found.flatMap((row) => row.ids.split(' ')))].filter((id) => !own.has(id))
  if (ids.length === 0) return
  const rows = await db.many<Row<'tweet', 'id' | 'content'>>(
    sql`select id, content from tweet where id = any(${literal(ids)}::uuid[])`,
  )
  const pieces = new Map(rows.map(({ id, content }) => [id, sketchOf(content).pieces]))
  for (const row of found) {
    const wording = wordings[row.place]
    for (const id of row.ids.split(' ')) {
      const other = pieces.get(id)
      if (wording && other) wording.before.push({ id, isSimilar: similarity(wording.pieces, other) >= MIN_SIMILARITY })
    }
  }
  for (const { before } of wordings) before.sort(newestFirst)
}

/**
 * Finds the stored tweets that share a band with each wording: the newest before its first tweet, and separately the
 * newest between its first and last tweet, which another process may have published.
 */
function findStoredSharing(db: Db, wordings: readonly Wording[]): Promise<{ place: number; ids: string }[]> {
  const lookups = wordings.flatMap(({ audience, bands, first, last }, place) => {
    const older = { place, audience, bands, after: sinceOf(first), until: first.id }
    return first === last ? [older] : [older, { place, audience, bands, after: first.id, until: last.id }]
  })
  const near = bandNames.map(
    (band) => sql`(
      select tweet_id from (
        select tweet_id from tweet_sketch
        where tweet_sketch.${band} = lookup.${band} and tweet_id > lookup.after and tweet_id < lookup.until
        order by tweet_id desc limit ${MAX_READ}) newest
      join tweet on tweet.id = tweet_id and ${visibleToReadersOf(sql`lookup`, sql`tweet`)}
      order by tweet_id desc limit ${MAX_COMPARED})`,
  )
  return db.many(sql`
    select place, string_agg(tweet_id::text, ' ') as ids from (
      select place, near.tweet_id, row_number() over (partition by number order by near.tweet_id desc) as rank
      from unnest(${literal(lookups.map(({ place }) => place))}::integer[], ${bandArrays(lookups)},
        ${literal(lookups.map(({ after }) => after))}::uuid[], ${literal(lookups.map(({ until }) => until))}::uuid[],
        ${lookups.map(({ audience }) => audience)}::text[])
        with ordinality as lookup (place, ${bandColumns}, after, until, audience, number)
      cross join lateral (${join(near, ' union ')}) near) ranked
    where rank <= ${MAX_COMPARED} group by place`)
}

const bandArrays = (rows: readonly { readonly bands: readonly string[] }[]) =>
  join(bandNames.map((_, band) => sql`${literal(rows.map(({ bands }) => bands[band] ?? ''))}::bigint[]`))

async function insertBands(db: Db, tweets: readonly TweetText[], wordings: readonly Wording[]): Promise<void> {
  await db.run(sql`
    insert into tweet_sketch (tweet_id, ${bandColumns})
    select * from unnest(${literal(tweets.map(({ id }) => id))}::uuid[], ${bandArrays(wordings)})
    on conflict do nothing`)
}

/** Counts the similar ones among the newest earlier tweets that share a band with this one. */
function countSimilar(tweets: readonly TweetText[], wordings: readonly Wording[], place: number): number {
  const [tweet, wording] = [tweets[place], wordings[place]]
  if (!tweet || !wording) return 0
  const since = sinceOf(tweet)
  const candidates: Compared[] = []
  for (let index = place - 1; index >= 0 && candidates.length < MAX_COMPARED; index--) {
    const [other, theirs] = [tweets[index], wordings[index]]
    if (!other || !theirs || other.id <= since) break
    if (theirs === wording || wording.sharing.has(theirs))
      candidates.push({ id: other.id, isSimilar: areSimilar(wording, theirs) })
  }
  candidates.push(...wording.before.filter(({ id }) => id > since && id < tweet.id))
  if (candidates.length > MAX_COMPARED) candidates.sort(newestFirst)
  return candidates.slice(0, MAX_COMPARED).filter(({ isSimilar }) => isSimilar).length
}

function areSimilar(wording: Wording, other: Wording): boolean {
  if (wording === other) return true
  const isKnownSimilar = wording.compared.get(other)
  if (isKnownSimilar !== undefined) return isKnownSimilar
  const isSimilar = similarity(wording.pieces, other.pieces) >= MIN_SIMILARITY
  wording.compared.set(other, isSimilar)
  return isSimilar
}

const newestFirst = (a: Compared, b: Compared) => (a.id < b.id ? 1 : -1)

/** Excludes a tweet from later comparisons. */
export async function removeBands(db: Db, tweetId: string): Promise<void> {
  await db.run(sql`
    with band as (delete from tweet_band where tweet_id = ${tweetId}) delete from tweet_sketch where tweet_id = ${tweetId}`)
}

export async function deleteOldBands({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = idAt(new Date(clock.now().getTime() - WINDOW_MS))
  await db.run(sql`delete from tweet_sketch where tweet_id < ${before}`)
  await db.run(sql`delete from tweet_band where tweet_id < ${before}`)
}
