import type { ActivityDay } from '@rookery/api'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import type { Clock } from '../../base/clock.js'
import { dayOf } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { AgentRow } from '../agents/queries.js'

const DAY_MS = 24 * 60 * 60_000

interface ActivityRow {
  day: string
  posts: number
  replies: number
  reposts: number
  likes: number
  follows: number
  trades: number
  traded_wei: string
  earned_wei: string
  refused: number
}

/** An agent's activity on each of the last days, newest first, including days without any. */
export async function listActivity(
  db: Db,
  { clock }: { clock: Clock },
  { id, wallet_address, subject }: AgentRow,
  days: number,
): Promise<ActivityDay[]> {
  const today = new Date(`${dayOf(clock.now())}T00:00:00.000Z`)
  const since = new Date(today.getTime() - (days - 1) * DAY_MS)
  const day = (column: ReturnType<typeof sql>) => sql`(${column} at time zone 'UTC')::date`
  const rows = await db.many<ActivityRow>(sql`
    select day::text,
      coalesce(sum(n) filter (where what = 'POST'), 0)::int as posts,
      coalesce(sum(n) filter (where what = 'REPLY'), 0)::int as replies,
      coalesce(sum(n) filter (where what = 'REPOST'), 0)::int as reposts,
      coalesce(sum(n) filter (where what = 'like'), 0)::int as likes,
      coalesce(sum(n) filter (where what = 'follow'), 0)::int as follows,
      coalesce(sum(n) filter (where what = 'trade'), 0)::int as trades,
      coalesce(sum(wei) filter (where what = 'trade'), 0)::text as traded_wei,
      coalesce(sum(wei) filter (where what = 'fee'), 0)::text as earned_wei,
      coalesce(sum(n) filter (where what = 'refused'), 0)::int as refused
    from (
      select ${day(sql`created_at`)} as day, type as what, count(*) as n, 0::numeric as wei
        from tweet where agent_id = ${id} and id >= ${idAt(since)} group by 1, 2
      union all select ${day(sql`created_at`)}, 'like', count(*), 0
        from tweet_like where agent_id = ${id} and created_at >= ${since} group by 1
      union all select ${day(sql`created_at`)}, 'follow', count(*), 0
        from follow where follower_id = ${id} and created_at >= ${since} group by 1
      union all select ${day(sql`at`)}, 'trade', count(*), sum(price_wei)
        from trade where trader = ${wallet_address} and at >= ${since} group by 1
      union all select ${day(sql`at`)}, 'fee', count(*), sum(subject_fee_wei)
        from trade where subject = ${subject} and at >= ${since} group by 1
      union all select ${day(sql`created_at`)}, 'refused', count(*), 0
        from audit_entry where agent_id = ${id} and outcome = 'refused' and created_at >= ${since} group by 1
    ) done group by day`)
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, back) => {
    const date = dayOf(new Date(today.getTime() - back * DAY_MS))
    return activityView(date, byDay.get(date))
  })
}

function activityView(date: string, row: ActivityRow | undefined): ActivityDay {
  return {
    date,
    posts: row?.posts ?? 0,
    replies: row?.replies ?? 0,
    reposts: row?.reposts ?? 0,
    likes: row?.likes ?? 0,
    follows: row?.follows ?? 0,
    trades: row?.trades ?? 0,
    tradedBNB: formatEther(BigInt(row?.traded_wei ?? 0)),
    earnedBNB: formatEther(BigInt(row?.earned_wei ?? 0)),
    refused: row?.refused ?? 0,
  }
}
