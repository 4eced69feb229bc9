import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { isForReadersOf, visibleToReadersOf } from '../../foundation/db/visibility.js'
import { BANDS, bandsOf, piecesOf, plainText, similarity } from './sketch.js'

/** How far back a text is compared. */
const WINDOW_MS = 6 * 60 * 60_000
const SIMILAR = 0.6
const MOST_COMPARED = 50

interface Written {
  readonly id: string
  readonly content: string
  readonly audience: string | null
  readonly created_at: Date
}

/** All tweets of a set that say the same to the same audience. */
interface Wording {
  readonly audience: string | null
  readonly pieces: Uint32Array
  readonly bands: readonly string[]
  /** The first and the last of them. */
  readonly first: Written
  last: Written
  /** Tweets before the set with a band in common, the newest first, and whether they are similar. */
  readonly before: Compared[]
  /** Other wordings of the set with a band in common that its readers may see, and those of them that were compared. */
  readonly sharing: Set<Wording>
  readonly compared: Map<Wording, boolean>
}

interface Compared {
  readonly id: string
  readonly isSimilar: boolean
}

/**
 * Damps tweets by how many before each said nearly the same: its score, and whatever it will gain, is divided by the
 * square of one more than their number. The tweets are in the order of their ids. A tweet is compared only with those that
 * all its readers may see: otherwise its rank would tell whether somebody has written the same in private.
 */
export async function dampNearDuplicates(db: Db, tweets: readonly Written[]): Promise<void> {
  if (tweets.length === 0) return
  const wordings = wordingsOf(tweets)
  const distinct = [...new Set(wordings)]
  findSharingInside(distinct)
  await compareWithStored(db, distinct, new Set(tweets.map(({ id }) => id)))
  await insertBands(db, tweets, wordings)
  const counts = tweets.map((_, place) => countSimilar(tweets, wordings, place))
  const damped = tweets.flatMap(({ id }, index) => (counts[index] ? [{ id, similar: counts[index] }] : []))
  if (damped.length === 0) return
  // The tweets are locked first, as by all who change their scores.
  await db.run(sql`
    with it as (
      select * from unnest(${literal(damped.map(({ id }) => id))}::uuid[],
        ${literal(damped.map(({ similar }) => 2 * Math.log2(1 + similar)))}::double precision[]) as it (id, damping)),
    locked as (select id from tweet where id in (select id from it) order by id for no key update)
    update tweet_order set score = score - it.damping, damping = it.damping
    from it join locked using (id) where tweet_id = it.id and tweet_order.damping = 0`)
}

/** The wording of each tweet; worked out once for those that say the same. */
function wordingsOf(tweets: readonly Written[]): Wording[] {
  const known = new Map<string, Wording>()
  return tweets.map((tweet) => {
    const plain = plainText(tweet.content)
    const { audience } = tweet
    const key = `${audience} ${plain}`
    let wording = known.get(key)
    if (!wording) {
      const pieces = piecesOf(plain)
      const empty = { before: [], sharing: new Set<Wording>(), compared: new Map<Wording, boolean>() }
      wording = { audience, pieces, bands: bandsOf(pieces), first: tweet, last: tweet, ...empty }
      known.set(key, wording)
    }
    wording.last = tweet
    return wording
  })
}

function findSharingInside(wordings: readonly Wording[]): void {
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

const sinceOf = ({ created_at }: Written) => idAt(new Date(created_at.getTime() - WINDOW_MS))

async function compareWithStored(db: Db, wordings: readonly Wording[], own: ReadonlySet<string>): Promise<void> {
  const found = await findSharing(db, wordings)
  const ids = [...new Set(found.flatMap((row) => row.ids.split(' ')))].filter((id) => !own.has(id))
  if (ids.length === 0) return
  const rows = await db.many<Row<'tweet', 'id' | 'content'>>(
    sql`select id, content from tweet where id = any(${literal(ids)}::uuid[])`,
  )
  const pieces = new Map(rows.map(({ id, content }) => [id, piecesOf(plainText(content))]))
  for (const row of found) {
    const wording = wordings[row.place]
    for (const id of row.ids.split(' ')) {
      const other = pieces.get(id)
      if (wording && other) wording.before.push({ id, isSimilar: similarity(wording.pieces, other) >= SIMILAR })
    }
  }
  for (const { before } of wordings) before.sort(newestFirst)
}

/**
 * Finds the tweets that share a band with each wording: the newest before the first tweet with it, and apart from those
 * the newest before the last, which another process may have published.
 */
function findSharing(db: Db, wordings: readonly Wording[]): Promise<{ place: number; ids: string }[]> {
  const asked = wordings.flatMap(({ audience, bands, first, last }, place) => {
    const older = { place, audience, bands, after: sinceOf(first), until: first.id }
    return first === last ? [older] : [older, { place, audience, bands, after: first.id, until: last.id }]
  })
  const each = (value: (it: (typeof asked)[number], band: number) => string | number) =>
    literal(asked.flatMap((it) => it.bands.map((_, band) => String(value(it, band)))))
  const audiences = asked.flatMap(({ audience, bands }) => bands.map(() => audience))
  return db.many(sql`
    select place, string_agg(tweet_id::text, ' ') as ids from (
      select place, tweet_id, row_number() over (partition by question order by tweet_id desc) as rank from (
        select distinct asked.question, asked.place, near.tweet_id
        from unnest(${literal(asked.flatMap((_, question) => Array(BANDS).fill(question)))}::integer[],
          ${each(({ place }) => place)}::integer[], ${each((_, band) => band)}::smallint[],
          ${each(({ bands }, band) => bands[band] ?? '')}::bigint[],
          ${each(({ after }) => after)}::uuid[], ${each(({ until }) => until)}::uuid[], ${audiences}::text[])
          as asked (question, place, band, value, after, until, audience)
        cross join lateral (
          select tweet_id from tweet_band join tweet on tweet.id = tweet_id
          where tweet_band.band = asked.band and tweet_band.value = asked.value
            and tweet_id > asked.after and tweet_id < asked.until and ${visibleToReadersOf(sql`asked`, sql`tweet`)}
          order by tweet_id desc limit ${MOST_COMPARED}) near) sharing) ranked
    where rank <= ${MOST_COMPARED} group by place`)
}

async function insertBands(db: Db, tweets: readonly Written[], wordings: readonly Wording[]): Promise<void> {
  await db.run(sql`
    insert into tweet_band (band, value, tweet_id)
    select band, value, tweet_id from unnest(
      ${literal(wordings.flatMap(({ bands }) => bands.map((_, band) => band)))}::smallint[],
      ${literal(wordings.flatMap(({ bands }) => bands))}::bigint[],
      ${literal(tweets.flatMap(({ id }) => Array<string>(BANDS).fill(id)))}::uuid[]) as it (band, value, tweet_id)
    on conflict do nothing`)
}

/** How many of the newest tweets before this one that share a band with it are similar. */
function countSimilar(tweets: readonly Written[], wordings: readonly Wording[], place: number): number {
  const [tweet, wording] = [tweets[place], wordings[place]]
  if (!tweet || !wording) return 0
  const since = sinceOf(tweet)
  const candidates: Compared[] = []
  for (let index = place - 1; index >= 0 && candidates.length < MOST_COMPARED; index--) {
    const [other, theirs] = [tweets[index], wordings[index]]
    if (!other || !theirs || other.id <= since) break
    if (theirs === wording || wording.sharing.has(theirs))
      candidates.push({ id: other.id, isSimilar: areSimilar(wording, theirs) })
  }
  candidates.push(...wording.before.filter(({ id }) => id > since && id < tweet.id))
  if (candidates.length > MOST_COMPARED) candidates.sort(newestFirst)
  return candidates.slice(0, MOST_COMPARED).filter(({ isSimilar }) => isSimilar).length
}

function areSimilar(wording: Wording, other: Wording): boolean {
  if (wording === other) return true
  const known = wording.compared.get(other)
  if (known !== undefined) return known
  const isSimilar = similarity(wording.pieces, other.pieces) >= SIMILAR
  wording.compared.set(other, isSimilar)
  return isSimilar
}

const newestFirst = (a: Compared, b: Compared) => (a.id < b.id ? 1 : -1)

/** Removes what later tweets would be compared with. */
export async function removeBands(db: Db, tweetId: string): Promise<void> {
  await db.run(sql`delete from tweet_band where tweet_id = ${tweetId}`)
}

/** Removes what is too old to be compared with. */
export function deleteOldBands({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  return db.run(sql`delete from tweet_band where tweet_id < ${idAt(new Date(clock.now().getTime() - WINDOW_MS))}`)
}
