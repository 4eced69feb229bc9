import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { isPublic } from '../../foundation/db/visibility.js'
import type { Frequencies } from './terms.js'

const SAMPLE_SIZE = 2_000
const CACHE_MS = 10 * 60_000
const SMALL_SAMPLE_CACHE_MS = 10_000

/** Returns how often words occur in the newest public tweets; the counts are renewed every few minutes. */
export function createFrequencies({ db, clock }: { db: Db; clock: Clock }): () => Promise<Frequencies> {
  let cached: { frequencies: Promise<Frequencies>; until: number } | undefined

  async function readFrequencies(): Promise<Frequencies> {
    const rows = await db.many<{ word: string; ndoc: number; sampled: number }>(sql`
      with counted as materialized (
        select word, ndoc from ts_stat($$
          select to_tsvector('simple', content) from tweet where ${isPublic(sql`tweet`)} order by id desc limit 2000$$))
      select '' as word, 0 as ndoc, (
        select count(*)::int from (select from tweet where ${isPublic(sql`tweet`)} limit ${SAMPLE_SIZE}) sample) as sampled
      union all
      select word, ndoc, 0 from counted where ndoc > 1`)
    return { sampled: rows[0]?.sampled ?? 0, texts: new Map(rows.slice(1).map(({ word, ndoc }) => [word, ndoc])) }
  }

  return () => {
    const now = clock.now().getTime()
    if (cached && cached.until > now) return cached.frequencies
    const previous = cached?.frequencies
    const frequencies = readFrequencies()
    cached = { frequencies, until: now + SMALL_SAMPLE_CACHE_MS }
    const entry = cached
    frequencies.then(
      ({ sampled }) => {
        if (sampled >= SAMPLE_SIZE) entry.until = now + CACHE_MS
      },
      () => {
        cached = undefined
      },
    )
    // Callers get the previous frequencies while the new ones are read.
    return previous ?? frequencies
  }
}
