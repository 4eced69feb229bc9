import sql from 'sql-template-tag'
import type { Clock } from '../clock.js'
import type { Db } from '../db/db.js'
import { idAt } from '../db/id-at.js'

/** How far back a text is compared. */
const WINDOW_MS = 6 * 60 * 60_000
const SHINGLE = 5
const BANDS = 8
const ROWS = 2
const SIMILAR = 0.6
const MOST_COMPARED = 50

/** The overlapping pieces of a text, without case, links, mentions, digits and punctuation. */
function shinglesOf(text: string): Set<string> {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/https?:\/\/\S+|@\w+/g, ' ')
    .replace(/[^\p{Letter}]+/gu, ' ')
    .trim()
  if (plain.length <= SHINGLE) return new Set([plain])
  return new Set(Array.from({ length: plain.length - SHINGLE + 1 }, (_, start) => plain.slice(start, start + SHINGLE)))
}

/** How much two texts have in common, 0 to 1 (Jaccard). */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((piece) => b.has(piece)).length
  return common / (a.size + b.size - common)
}

/** Bands of the text's MinHash. Texts that share most of their pieces share a band, with high probability. */
function bandsOf(shingles: ReadonlySet<string>): bigint[] {
  const hashes = [...shingles].map(hash32)
  const minima = Array.from({ length: BANDS * ROWS }, (_, index) => {
    const factor = Math.imul(index * 2 + 1, 0x9e3779b1) | 1
    return hashes.reduce((least, hash) => Math.min(least, scramble(Math.imul(hash, factor) + index)), 0xffffffff)
  })
  return Array.from({ length: BANDS }, (_, band) => {
    const [first = 0, second = 0] = minima.slice(band * ROWS, band * ROWS + ROWS)
    return BigInt.asIntN(64, (BigInt(first) << 32n) | BigInt(second))
  })
}

// FNV-1a.
function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

function scramble(value: number): number {
  const mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * Damps a tweet by how many before it said nearly the same: its score, and whatever it will gain, is divided by the
 * square of one more than their number.
 */
export async function dampNearDuplicate(
  db: Db,
  { id, content, created_at }: { id: string; content: string; created_at: Date },
): Promise<void> {
  const shingles = shinglesOf(content)
  const values = bandsOf(shingles).map(String)
  const bands = values.map((_, band) => band)
  const candidates = await db.many<{ content: string }>(sql`
    select content from tweet
    where id in (
      select distinct tweet_id from tweet_band
      join unnest(${bands}::smallint[], ${values}::bigint[]) as mine (band, value) using (band, value)
      where tweet_id > ${idAt(new Date(created_at.getTime() - WINDOW_MS))} and tweet_id < ${id})
    order by id desc limit ${MOST_COMPARED}`)
  const similar = candidates.filter((other) => similarity(shingles, shinglesOf(other.content)) >= SIMILAR).length
  await db.run(sql`
    insert into tweet_band (band, value, tweet_id)
    select band, value, ${id} from unnest(${bands}::smallint[], ${values}::bigint[]) as mine (band, value)
    on conflict do nothing`)
  if (similar === 0) return
  const damping = 2 * Math.log2(1 + similar)
  await db.run(sql`update tweet set score = score - ${damping}, damping = ${damping} where id = ${id} and damping = 0`)
}

/** Removes what is too old to be compared with. */
export function deleteOldBands({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  return db.run(sql`delete from tweet_band where tweet_id < ${idAt(new Date(clock.now().getTime() - WINDOW_MS))}`)
}
