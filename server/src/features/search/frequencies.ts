import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { isPublic } from '../../foundation/db/visibility.js'
import type { Frequencies } from './terms.js'

const SAMPLE = 2_000
const KEPT_MS = 10 * 60_000
const KEPT_WHILE_FEW_MS = 10_000

/** How often words are written, learnt from the newest public tweets now and then. */
export function createFrequencies({ db, clock }: { db: Db; clock: Clock }): () => Promise<Frequencies> {
  let known: { frequencies: Promise<Frequencies>; until: number } | undefined

  async function learn(): Promise<Frequencies> {
    const rows = await db.many<{ word: string; ndoc: number; sampled: number }>(sql`
      with counted as materialized (
        select word, ndoc from ts_stat($$
          select to_tsvector('simple', content) from tweet where ${isPublic(sql`tweet`)} order by id desc limit 2000$$))
      select '' as word, 0 as ndoc, (
        select count(*)::int from (select from tweet where ${isPublic(sql`tweet`)} limit ${SAMPLE}) sample) as sampled
      union all
      select word, ndoc, 0 from counted where ndoc > 1`)
    return { sampled: rows[0]?.sampled ?? 0, texts: new Map(rows.slice(1).map(({ word, ndoc }) => [word, ndoc])) }
  }

  return () => {
    const now = clock.now().getTime()
    if (known && known.until > now) return known.frequencies
    const before = known?.frequencies
    const frequencies = learn()
    known = { frequencies, until: now + KEPT_WHILE_FEW_MS }
    const mine = known
    frequencies.then(
      ({ sampled }) => {
        if (sampled >= SAMPLE) mine.until = now + KEPT_MS
      },
      () => {
        known = undefined
      },
    )
    // Whoever comes while they are learnt anew is not kept waiting.
    return before ?? frequencies
  }
}
