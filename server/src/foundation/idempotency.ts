import { createHash, hkdfSync } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Clock } from '../base/clock.js'
import { Problem } from '../base/problem.js'
import { seal, unsealByAny } from '../base/sealed.js'
import { auditLines } from './audit/queries.js'
import { createBatch } from './db/batch.js'
import type { Db } from './db/db.js'
import { idAt } from './db/id-at.js'
import { requestRows } from './db/literal.js'
import type { Nullable, Row } from './db/row.js'
import type { Secrets } from './secrets.js'

/** The stored answer to an earlier request. */
export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** A request that carries an Idempotency-Key. */
export interface Attempt {
  /** The caller and the endpoint: keys of different callers never collide. */
  readonly scope: string
  readonly key: string
  /** The API key that makes the call, where the answer is for it alone: it is sealed with this too. */
  readonly credential?: string | undefined
  /** The content of the request; the same key with other content is refused. */
  readonly request: string
  readonly requestId: string
  /** The calling agent and the action, which identify the entry in its audit log. */
  readonly agentId?: string | undefined
  readonly action: string
}

export const KEPT_MS = 24 * 60 * 60_000
/** How long an API key that was replaced gets the answer that replaced it. */
const KEPT_FOR_REPLACED_MS = 10 * 60_000
const BY_CREDENTIAL = 'key:'
// A first request that has not ended after this long died with its process or lost its database.
const ABANDONED_MS = 60_000

/**
 * Stores the answers to requests with an Idempotency-Key. A body can contain an API key, so it is encrypted with the
 * caller's Idempotency-Key, of which only a hash is stored: the database alone is not enough to read it.
 */
export interface Idempotency {
  /** Returns the answer to replay, or undefined when the request must run now. */
  begin(attempt: Attempt): Promise<StoredAnswer | undefined>
  /** Returns the answer to a request whose API key has been replaced since, if it may still be read. */
  findForReplaced(attempt: Attempt): Promise<StoredAnswer | undefined>
  finish(attempt: Attempt, answer: StoredAnswer): Promise<void>
  /** Lets the request be repeated as if it had never been made. */
  abandon(attempt: Attempt): Promise<void>
}

export function createIdempotency({ db, secrets, clock }: { db: Db; secrets: Secrets; clock: Clock }): Idempotency {
  const keyHash = (attempt: Attempt) => secrets.hash('idempotency-key', attempt.key)
  const bodyKeys = (attempt: Attempt) =>
    secrets
      .keys('idempotency-body')
      .map((key) => Buffer.from(hkdfSync('sha256', attempt.key + (attempt.credential ?? ''), key, attempt.scope, 32)))
  function openAnswer(attempt: Attempt, status: number, sealed: Buffer): StoredAnswer | Problem {
    try {
      return { status, body: unsealByAny(bodyKeys(attempt), sealed) }
    } catch {
      // The secret that sealed it has been dropped meanwhile.
      return new Problem('IDEMPOTENCY_ANSWER_LOST')
    }
  }

  const begin = createBatch((attempts: readonly Attempt[]) => beginMany(attempts))
  const finish = createBatch(finishMany)

  async function findForReplaced(attempt: Attempt): Promise<StoredAnswer | undefined> {
    const now = clock.now().getTime()
    const row = await db.find<Row<'idempotent_answer', 'request_hash' | 'started_at' | 'status' | 'body'>>(sql`
      select request_hash, started_at, status, body from idempotent_answer
      where scope = ${attempt.scope} and key_hash = ${keyHash(attempt)}
        and started_at > ${new Date(now - KEPT_FOR_REPLACED_MS)}`)
    if (!row?.request_hash.equals(createHash('sha256').update(attempt.request).digest())) return undefined
    if (row.status !== null && row.body !== null) {
      const answer = openAnswer(attempt, row.status, row.body)
      if (answer instanceof Problem) throw answer
      return answer
    }
    // The first request has replaced the key and is about to store its answer, or has died.
    if (now - row.started_at.getTime() < ABANDONED_MS) throw IN_PROGRESS
    return undefined
  }

  async function beginMany(attempts: readonly Attempt[]): Promise<(StoredAnswer | undefined | Error)[]> {
    const now = clock.now()
    const hashes = attempts.map(({ request }) => createHash('sha256').update(request).digest())
    const rowsToClaim = attempts.map((attempt, n) => ({
      ...rowOf(attempt),
      request_hash: hashes[n]?.toString('hex'),
      request_id: attempt.requestId,
    }))
    const rows = await db.many<BegunRow>(sql`
      with attempt as (${attemptRows(rowsToClaim)}),
      claimed as (
        insert into idempotent_answer (scope, key_hash, request_hash, request_id, started_at)
        select distinct on (scope, key_hash) scope, key_hash, request_hash, request_id, ${now}::timestamptz from attempt
        order by scope, key_hash, n
        on conflict (scope, key_hash) do update
          set request_hash = excluded.request_hash, request_id = excluded.request_id, started_at = excluded.started_at,
            status = null, body = null
          where idempotent_answer.started_at <= ${new Date(now.getTime() - KEPT_MS)}
        returning scope, key_hash)
      select claimed.scope is not null
          and attempt.n = min(attempt.n) over (partition by attempt.scope, attempt.key_hash) as is_claimed,
        stored.request_hash, stored.request_id, stored.started_at, stored.status, stored.body
      from attempt left join claimed using (scope, key_hash)
      left join idempotent_answer stored using (scope, key_hash) order by attempt.n`)
    return Promise.all(rows.map((row, n) => answerTo(attempts[n] as Attempt, hashes[n] as Buffer, row)))
  }

  // Returns a refusal rather than throwing it: others wait for their answers with this one.
  async function answerTo(attempt: Attempt, hash: Buffer, row: BegunRow): Promise<StoredAnswer | undefined | Error> {
    if (row.is_claimed) return undefined
    if (row.request_hash && !row.request_hash.equals(hash)) return new Problem('IDEMPOTENCY_KEY_REUSED')
    if (row.status !== null && row.body !== null) return openAnswer(attempt, row.status, row.body)
    if (!row.started_at || clock.now().getTime() - row.started_at.getTime() < ABANDONED_MS) return IN_PROGRESS
    if (await wasDone(attempt, row.started_at, row.request_id)) return new Problem('IDEMPOTENCY_ANSWER_LOST')
    return (await takeOver(attempt, row.started_at)) ? undefined : IN_PROGRESS
  }

  // An agent's write and its audit entry are committed together.
  async function wasDone({ agentId, action }: Attempt, startedAt: Date, requestId: string | null): Promise<boolean> {
    if (agentId === undefined || requestId === null) return false
    const entry = await db.find(sql`
      select from ${auditLines}
      where agent_id = ${agentId} and id >= ${idAt(startedAt)} and request_id = ${requestId}
        and action = ${action} and outcome = 'done' limit 1`)
    return entry !== undefined
  }

  async function takeOver(attempt: Attempt, startedAt: Date): Promise<boolean> {
    const taken = await db.run(sql`
      update idempotent_answer set started_at = ${clock.now()}, request_id = ${attempt.requestId}
      where scope = ${attempt.scope} and key_hash = ${keyHash(attempt)} and status is null and started_at = ${startedAt}`)
    return taken === 1
  }

  async function finishMany(done: readonly { attempt: Attempt; answer: StoredAnswer }[]): Promise<undefined[]> {
    const rows = done.map(({ attempt, answer }) => ({
      ...rowOf(attempt),
      request_id: attempt.requestId,
      status: answer.status,
      body: seal(bodyKeys(attempt)[0] as Buffer, answer.body).toString('hex'),
    }))
    await db.run(sql`
      update idempotent_answer set status = done.status, body = done.body from (${attemptRows(rows)}) done
      where idempotent_answer.scope = done.scope and idempotent_answer.key_hash = done.key_hash
        and idempotent_answer.request_id = done.request_id`)
    return done.map(() => undefined)
  }

  const rowOf = (attempt: Attempt) => ({ scope: attempt.scope, key_hash: keyHash(attempt).toString('hex') })

  return {
    begin,
    findForReplaced,
    finish: (attempt, answer) => finish({ attempt, answer }),
    async abandon(attempt) {
      await db.run(sql`
        delete from idempotent_answer
        where scope = ${attempt.scope} and key_hash = ${keyHash(attempt)} and request_id = ${attempt.requestId}
          and status is null`)
    },
  }
}

const IN_PROGRESS = new Problem('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 })

type BegunRow = Nullable<Row<'idempotent_answer', 'request_hash' | 'request_id' | 'started_at' | 'status' | 'body'>> & {
  readonly is_claimed: boolean
}

function attemptRows(rows: readonly object[]): Sql {
  return sql`
    select n, scope, decode(key_hash, 'hex') as key_hash, decode(request_hash, 'hex') as request_hash, request_id, status,
      decode(body, 'hex') as body
    from (${requestRows(rows, sql`scope text, key_hash text, request_hash text, request_id text, status integer, body text`)}) request`
}

/** The scope of calls whose answer is for the API key alone that makes them. */
export function credentialScope(secrets: Secrets, apiKey: string): string {
  return BY_CREDENTIAL + secrets.hash('idempotency-credential', apiKey).toString('hex')
}

export function deleteOldAnswers({ db, clock }: { db: Db; clock: Clock }): Promise<number> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms)
  return db.run(sql`
    delete from idempotent_answer where started_at <= ${before(KEPT_MS)}
      or (started_at <= ${before(KEPT_FOR_REPLACED_MS)} and scope like ${`${BY_CREDENTIAL}%`})`)
}
