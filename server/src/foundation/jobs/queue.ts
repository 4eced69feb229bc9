import sql, { type Sql } from 'sql-template-tag'
import type { Traces } from '../../adapters/traces/traces.js'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { literal } from '../db/literal.js'

/** Every kind of background work and its payload. */
export interface JobPayloads {
  delete_expired: Record<string, never>
  vacuum_database: Record<string, never>
  read_balances: Record<string, never>
  /** Moves on the day over which prices are compared. */
  compare_prices: Record<string, never>
  /** Adds what the shares of wallets cost, for moves that an earlier release has stored. `after` is the last one of `source`. */
  fill_share_costs: { readonly source?: number; readonly after?: { readonly wallet: string; readonly subject: string } }
  /** Takes what agents wrote out of the audit log that earlier releases kept. `after` is the last entry read. */
  erase_audited_words: {
    readonly after?: { readonly agentId: string; readonly id: string }
    readonly read?: number
    readonly isSecond?: boolean
  }
  /** Takes an agent, owner or wallet out of everything that is kept. */
  erase: { readonly erasureId: string }
  /** Work of an upgrade on rows that are stored already. */
  backfill: { readonly name: string }
  delete_old_events: Record<string, never>
  /** Adds partitions for the months to come, and drops those whose time is over. */
  keep_partitions: Record<string, never>
  /** Counts today, and past days that are not counted yet. */
  count_days: Record<string, never>
  publish_tweet: { readonly tweetId: string; readonly step?: string }
  /** For tweets of agents with many followers. `after` is the last follower who was notified. */
  tell_followers: { readonly tweetId: string; readonly after?: string }
  remove_notifications: { readonly tweetId: string }
  /** Brings what depends on tweets in line with whether they are taken down. */
  settle_withheld: { readonly tweetIds: readonly string[] }
  /** Takes down or brings back what an agent made, as its status says. `before` is the tweet that it came to. */
  settle_agent: { readonly agentId: string; readonly isSuspended?: boolean; readonly before?: string }
  /** Removes a file that is taken down from what shows it, or puts it back. */
  settle_file: { readonly name: string }
  /** Ends a decision whose time has passed. */
  end_decision: { readonly decisionId: string }
  /** `failures` counts consecutive failures. */
  make_video: { readonly videoId: string; readonly failures: number }
  embed_tweet: { readonly id: string }
  embed_agent: { readonly id: string }
  embed_skill: { readonly id: string }
  /** The id of a skill version. */
  embed_skill_content: { readonly id: string }
  /** Makes the move of an agent to another social account ready, and later expires it. */
  advance_relink: { readonly relinkId: string }
  /** Frees the usernames of agents that were never verified. */
  release_usernames: Record<string, never>
  rescan_skills: Record<string, never>
  /** Draws the map of the network anew, if enough has changed. */
  build_map: Record<string, never>
  /** At most one for each webhook, so that its deliveries go one after the other. */
  deliver_events: { readonly webhookId: string }
  /** Asks the browsers of an agent's owner to say that an approval waits. */
  push_approval: { readonly approvalId: string }
  /** Asks them to say that its wallet asks for a new key, or has got one. */
  push_recovery: { readonly recoveryId: string }
  /** One message to one browser; what it says is read when it is sent. */
  send_push: {
    readonly subscriptionId: string
    readonly alertId?: string
    readonly approvalId?: string
    readonly recoveryId?: string
    readonly failures?: number
  }
  reembed: { readonly modelId: number }
  drop_embeddings: { readonly modelId: number }
}

export type JobKind = keyof JobPayloads

/** Jobs are enqueued in the caller's transaction, so work behind a successful response is sure to happen. */
export interface Queue {
  enqueue<Kind extends JobKind>(db: Db, kind: Kind, payload: JobPayloads[Kind], options?: EnqueueOptions): Promise<void>
  /** Enqueues many jobs of one kind, due at once, in one statement. */
  enqueueMany<Kind extends JobKind>(db: Db, kind: Kind, payloads: readonly JobPayloads[Kind][]): Promise<void>
  /** Enqueues jobs, at most one per key: a job that is already waiting is brought forward. */
  hasten<Kind extends JobKind>(db: Db, kind: Kind, jobs: readonly HastenedJob<Kind>[]): Promise<void>
  /** Call after a statement that wrote jobs itself, with `jobInsert`. */
  announce(db: Db, kind: JobKind): void
  /** The payload for `jobInsert`, which names the call that causes the job if that is traced. */
  linked(payload: Sql): Sql
  /** Calls `listener` whenever this process has committed new work. */
  onWork(listener: (kind: JobKind) => void): void
}

export interface HastenedJob<Kind extends JobKind> {
  readonly key: string
  readonly payload: JobPayloads[Kind]
  /** Due at once without it. */
  readonly notBefore?: Date | null
}

export interface EnqueueOptions {
  readonly runAt?: Date
  /** While a job with this key waits, enqueueing another does nothing. */
  readonly dedupeKey?: string
}

export function createQueue({ clock, ids, traces }: { clock: Clock; ids: Ids; traces?: Traces | undefined }): Queue {
  const listeners: ((kind: JobKind) => void)[] = []
  const announce = (db: Db, kind: JobKind) =>
    db.afterCommit(() => {
      for (const listener of listeners) listener(kind)
    })
  const cause = () => {
    const span = traces?.current()
    return span?.isSampled ? { traceparent: span.traceparent } : undefined
  }
  return {
    announce,
    linked(payload) {
      const caused = cause()
      return caused ? sql`${payload} || ${JSON.stringify(caused)}::jsonb` : payload
    },
    async enqueue(db, kind, payload, { runAt, dedupeKey } = {}) {
      const now = clock.now()
      await db.run(sql`
        insert into job (id, kind, payload, dedupe_key, run_at, created_at)
        values (${ids.next()}, ${kind}, ${JSON.stringify({ ...payload, ...cause() })}, ${dedupeKey ?? null}, ${runAt ?? atOnce(now)}, ${now})
        on conflict (dedupe_key) where failed_at is null do nothing`)
      announce(db, kind)
    },
    async enqueueMany(db, kind, payloads) {
      if (payloads.length === 0) return
      const now = clock.now()
      const caused = cause()
      const linked = caused ? payloads.map((payload) => ({ ...payload, ...caused })) : payloads
      await db.run(sql`
        insert into job (id, kind, payload, run_at, created_at)
        select id, ${kind}, payload, ${atOnce(now)}, ${now} from rows from (
          unnest(${literal(payloads.map(() => ids.next()))}::uuid[]),
          jsonb_array_elements(${JSON.stringify(linked)}::jsonb)) as item (id, payload)`)
      announce(db, kind)
    },
    async hasten(db, kind, jobs) {
      if (jobs.length === 0) return
      const now = clock.now()
      const rows = jobs.map(({ key, payload, notBefore }) => ({
        id: ids.next(),
        key: `${kind} ${key}`,
        payload,
        not_before: notBefore ?? null,
      }))
      // Ordered by key, so that two transactions that hasten the same jobs cannot deadlock.
      await db.run(sql`
        insert into job (id, kind, payload, dedupe_key, run_at, created_at)
        select id, ${kind}::text, payload, key, greatest(${atOnce(now)}, not_before), ${now}::timestamptz
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as item (id uuid, key text, payload jsonb, not_before timestamptz)
        order by key
        on conflict (dedupe_key) where failed_at is null do update set run_at = least(job.run_at, excluded.run_at)`)
      announce(db, kind)
    },
    onWork: (listener) => void listeners.push(listener),
  }
}

// This instance's clock may be ahead of the workers' clocks, which would delay the job.
const atOnce = (now: Date): Sql => sql`least(${now}::timestamptz, now())`

/** For use in a `with`: writes a job for each row of `from`. Call `announce` after the statement. */
export function jobInsert(kind: JobKind, { id, payload }: { id: Sql; payload: Sql }, now: Date, from: Sql): Sql {
  return sql`
    insert into job (id, kind, payload, run_at, created_at)
    select ${id}, ${kind}::text, ${payload}, ${atOnce(now)}, ${now}::timestamptz from ${from}`
}

/**
 * The state of the queue. Jobs that a worker holds do not count as due. Webhook deliveries, which are as late as their
 * receivers are slow, are left out of the totals and counted separately.
 */
export interface QueueState {
  readonly waiting: number
  readonly failed: number
  readonly oldestDueSeconds: number
  /** How long the oldest text has waited for its vector, however often its job was postponed meanwhile. */
  readonly oldestEmbedSeconds: number
  readonly kinds: readonly KindState[]
}

/** How many jobs of a kind there are, by what becomes of them. */
interface KindState {
  readonly kind: string
  readonly due: number
  readonly scheduled: number
  readonly running: number
  readonly failed: number
}

interface KindRow extends KindState {
  readonly oldestDue: Date | null
  readonly oldest: Date | null
}

export async function getQueueState({ db, clock }: { db: Db; clock: Clock }): Promise<QueueState> {
  const now = clock.now()
  const isHeld = sql`locked_until is not null and locked_until > ${now}`
  const kinds = await db.many<KindRow>(sql`
    select kind,
      count(*) filter (where failed_at is null and not (${isHeld}) and run_at <= ${now})::int as due,
      count(*) filter (where failed_at is null and not (${isHeld}) and run_at > ${now})::int as scheduled,
      count(*) filter (where failed_at is null and ${isHeld})::int as running,
      count(*) filter (where failed_at is not null)::int as failed,
      min(run_at) filter (where failed_at is null and not (${isHeld}) and run_at <= ${now}) as "oldestDue",
      min(created_at) filter (where failed_at is null) as oldest
    from job group by kind`)
  const counted = kinds.filter(({ kind }) => kind !== 'deliver_events')
  const texts = kinds.filter(({ kind }) => kind.startsWith('embed_'))
  const longest = (times: readonly (Date | null)[]) =>
    Math.max(0, ...times.map((time) => (time ? (now.getTime() - time.getTime()) / 1000 : 0)))
  return {
    waiting: counted.reduce((sum, { due, scheduled, running }) => sum + due + scheduled + running, 0),
    failed: kinds.reduce((sum, { failed }) => sum + failed, 0),
    oldestDueSeconds: longest(counted.map(({ oldestDue }) => oldestDue)),
    oldestEmbedSeconds: longest(texts.map(({ oldest }) => oldest)),
    kinds,
  }
}
