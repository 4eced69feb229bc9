import sql from 'sql-template-tag'
import { type Clock, dayOf } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import type { Again, Job } from '../../foundation/jobs/worker.js'
import { countActivity, countTrades, DAY_MS } from './count-day.js'

const COUNT_EVERY_MS = 60_000
/** A new platform has its first day soon. */
const LOOK_EVERY_MS = 10_000
/** Counting that is much work is done less often. */
const REST_PER_WORK = 20
/** What was done at the end of a day is committed by then. */
const LATE_MS = 10 * 60_000
/** Today is counted again between so many days of the past. */
const DAYS_AT_ONCE = 40

interface DayDeps {
  readonly db: Db
  readonly clock: Clock
}

/** A day that is to be counted, and what of it. */
interface DueDay {
  readonly day: string
  readonly wants_activity: boolean
  readonly wants_trades: boolean
  /** Whether it is counted once and for all, or today: the others are only looked at again, because blocks can be taken back. */
  readonly is_owed: boolean
}

/** Counts today, and days that are not counted or can be settled, newest first, and then others that are not settled. A day that is done stays done when the job ends early. */
export async function countDays(deps: DayDeps, job: Pick<Job, 'rest' | 'stopping'>): Promise<Again> {
  const { db, clock } = deps
  const startedAt = clock.now()
  const settledAt = await findSettledTime(db)
  const due = await listDueDays(db, startedAt, settledAt)
  if (due.length === 0) return { again: new Date(startedAt.getTime() + LOOK_EVERY_MS) }
  for (const next of due.slice(0, DAYS_AT_ONCE)) {
    if (job.stopping()) break
    await countDay(deps, next, settledAt, job)
    await job.rest()
  }
  await addUpHolders(db)
  const now = clock.now()
  if (due.filter(({ is_owed }) => is_owed).length > DAYS_AT_ONCE || job.stopping()) return { again: now }
  const workMs = now.getTime() - startedAt.getTime()
  return { again: new Date(now.getTime() + Math.max(COUNT_EVERY_MS, workMs * REST_PER_WORK)) }
}

/** Everything before is settled: older blocks than those whose hashes are kept are never taken back. */
async function findSettledTime(db: Db): Promise<Date | undefined> {
  const { is_followed, at } = await db.one<{ is_followed: boolean; at: Date | null }>(
    sql`select exists (select from chain_cursor) as is_followed, (select min(at) from chain_block) as at`,
  )
  return is_followed ? (at ?? new Date(0)) : undefined
}

function listDueDays(db: Db, now: Date, settledAt: Date | undefined): Promise<DueDay[]> {
  const after = (ms: number) => sql`(day::timestamp at time zone 'UTC') + make_interval(secs => ${ms / 1000})`
  const isPast = sql`counted_at >= ${after(DAY_MS + LATE_MS)}`
  const wantsActivity = sql`(counted_at is null or not ${isPast})`
  const wantsTrades = sql`(counted_at is null or (not is_settled and (${settledAt !== undefined} or not ${isPast})))`
  const canSettle = sql`(counted_at is null or (not is_settled and ${after(DAY_MS)} <= ${settledAt ?? null}::timestamptz))`
  return db.many<DueDay>(sql`
    select day::text, ${wantsActivity} as wants_activity, ${wantsTrades} as wants_trades,
      coalesce(${wantsActivity} or ${canSettle}, false) as is_owed
    from (
      select generate_series(first, ${dayOf(now)}::date, interval '1 day')::date as day
      from (select least((select min(created_at) from agent), (select min(at) from trade)) as at) beginning
      cross join lateral (select (at at time zone 'UTC')::date as first) begun) existing
    left join platform_day using (day)
    where ${wantsActivity} or ${wantsTrades}
    order by is_owed desc, existing.day desc`)
}

async function countDay(
  { db, clock }: DayDeps,
  { day, wants_activity, wants_trades }: DueDay,
  settledAt: Date | undefined,
  { rest, stopping }: Pick<Job, 'rest' | 'stopping'>,
): Promise<void> {
  const start = new Date(`${day}T00:00:00.000Z`)
  const now = clock.now()
  if (wants_activity) {
    const activity = await countActivity(db, start, { now, rest, stopping })
    if (!activity) return
    const { agentsRegistered, agentsVerified, agentsActive, posts, replies, reposts, likes, follows, skills } = activity
    await db.run(sql`
      insert into platform_day (day, counted_at, is_settled, agents_registered, agents_verified, agents_active, posts, replies,
        reposts, likes, follows, skills, trades, volume_wei, holders_change, holders)
      values (${day}::date, ${now}, false, ${agentsRegistered}, ${agentsVerified}, ${agentsActive}, ${posts}, ${replies},
        ${reposts}, ${likes}, ${follows}, ${skills}, 0, 0, 0, 0)
      on conflict (day) do update set counted_at = excluded.counted_at, agents_registered = excluded.agents_registered,
        agents_verified = excluded.agents_verified, agents_active = excluded.agents_active, posts = excluded.posts,
        replies = excluded.replies, reposts = excluded.reposts, likes = excluded.likes, follows = excluded.follows,
        skills = excluded.skills`)
  }
  if (wants_trades) {
    const { trades, volume, holdersChange } = await countTrades(db, start)
    // Without a chain there is nothing to wait for; if one is followed later, the past is counted again.
    const isSettled = settledAt !== undefined && start.getTime() + DAY_MS <= settledAt.getTime()
    await db.run(sql`
      update platform_day set trades = ${trades}, volume_wei = ${volume}::numeric, holders_change = ${holdersChange},
        is_settled = ${isSettled}
      where day = ${day}::date`)
  }
}

/** Today's holders are those of now; going back, each day takes away what it had added. */
async function addUpHolders(db: Db): Promise<void> {
  await db.run(sql`
    update platform_day set holders = counted.holders
    from (
      select day, (select coalesce(sum(holders_count), 0) from agent)
        - coalesce(sum(holders_change) over (order by day desc rows between unbounded preceding and 1 preceding), 0) as holders
      from platform_day) counted
    where platform_day.day = counted.day and platform_day.holders <> counted.holders`)
}
