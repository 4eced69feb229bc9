import { createHash, hkdfSync } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Clock } from './clock.js'
import type { Db } from './db/db.js'
import { Problem } from './problem.js'
import { seal, unseal } from './sealed.js'
import type { Secrets } from './secrets.js'

/** An answer that was given before. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** A request that carries an Idempotency-Key. */
export interface Attempt {
  /** Who sent it, and to which endpoint: keys of different callers never meet. */
  readonly scope: string
  readonly key: string
  /** What was sent; the same key with anything else is a mistake. */
  readonly request: string
}

/** How long an answer is kept. */
export const KEPT_MS = 24 * 60 * 60_000
// A first request that has not ended by now died with its process; the next one may run.
const ABANDONED_MS = 60_000

/**
 * Answers given to keyed requests. Bodies can hold an API key, so they are stored encrypted under the caller's own
 * Idempotency-Key, of which only a hash is kept: the database alone cannot read them.
 */
export interface Idempotency {
  /** The answer to replay, or undefined when the request is to be run now. */
  begin(attempt: Attempt): Promise<StoredAnswer | undefined>
  finish(attempt: Attempt, answer: StoredAnswer): Promise<void>
  /** The request may be repeated as if it had not been made. */
  abandon(attempt: Attempt): Promise<void>
}

export function createIdempotency({ db, secrets, clock }: { db: Db; secrets: Secrets; clock: Clock }): Idempotency {
  const keyHash = (attempt: Attempt) => secrets.hash('idempotency-key', attempt.key)
  const bodyKey = (attempt: Attempt) =>
    Buffer.from(hkdfSync('sha256', attempt.key, secrets.key('idempotency-body'), attempt.scope, 32))

  return {
    async begin(attempt) {
      const now = clock.now()
      const requestHash = createHash('sha256').update(attempt.request).digest()
      const claimed = await db.run(sql`
        insert into idempotent_answer (scope, key_hash, request_hash, started_at)
        values (${attempt.scope}, ${keyHash(attempt)}, ${requestHash}, ${now})
        on conflict (scope, key_hash) do update
          set request_hash = excluded.request_hash, started_at = excluded.started_at, status = null, body = null
          where idempotent_answer.started_at <= ${new Date(now.getTime() - KEPT_MS)}
            or (idempotent_answer.status is null
              and idempotent_answer.request_hash = excluded.request_hash
              and idempotent_answer.started_at <= ${new Date(now.getTime() - ABANDONED_MS)})`)
      if (claimed === 1) return undefined
      const row = await db.find<{ request_hash: Buffer; status: number | null; body: Buffer | null }>(sql`
        select request_hash, status, body from idempotent_answer
        where scope = ${attempt.scope} and key_hash = ${keyHash(attempt)}`)
      if (row && !row.request_hash.equals(requestHash)) throw new Problem('IDEMPOTENCY_KEY_REUSED')
      if (!row || row.status === null || row.body === null)
        throw new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })
      return { status: row.status, body: unseal(bodyKey(attempt), row.body) }
    },
    async finish(attempt, answer) {
      await db.run(sql`
        update idempotent_answer set status = ${answer.status}, body = ${seal(bodyKey(attempt), answer.body)}
        where scope = ${attempt.scope} and key_hash = ${keyHash(attempt)}`)
    },
    async abandon(attempt) {
      await db.run(sql`
        delete from idempotent_answer
        where scope = ${attempt.scope} and key_hash = ${keyHash(attempt)} and status is null`)
    },
  }
}

/** Removes answers that are past their time. */
export function deleteOldAnswers({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  return db.run(sql`delete from idempotent_answer where started_at <= ${new Date(clock.now().getTime() - KEPT_MS)}`)
}
