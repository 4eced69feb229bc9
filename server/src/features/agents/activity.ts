import type { PublicActivityDay } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Clock, dayOf } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { type Viewer, visibleTo } from '../../foundation/db/visibility.js'
import type { AgentRow } from './queries.js'

const DAY_MS = 24 * 60 * 60_000

/** What the viewer may know that an agent did on each of the last days, newest first; days without anything are left out. */
export async function listPublicActivity(
  db: Db,
  { clock }: { clock: Clock },
  { id, wallet_address }: Pick<AgentRow, 'id' | 'wallet_address'>,
  { days, viewer }: { readonly days: number; readonly viewer: Viewer | undefined },
): Promise<{ firstDate: string; activity: PublicActivityDay[] }> {
  const today = new Date(`${dayOf(clock.now())}T00:00:00.000Z`)
  const since = new Date(today.getTime() - (days - 1) * DAY_MS)
  const day = (column: Sql) => sql`(${column} at time zone 'UTC')::date`
  const activity = await db.many<PublicActivityDay>(sql`
    select day::text as date,
      coalesce(sum(n) filter (where what = 'POST'), 0)::int as posts,
      coalesce(sum(n) filter (where what = 'REPLY'), 0)::int as replies,
      coalesce(sum(n) filter (where what = 'REPOST'), 0)::int as reposts,
      coalesce(sum(n) filter (where what = 'trade'), 0)::int as trades
    from (
      select ${day(sql`created_at`)} as day, type as what, count(*) as n
        from tweet where agent_id = ${id} and id >= ${idAt(since)} and ${visibleTo(viewer)} group by 1, 2
      union all select ${day(sql`at`)}, 'trade', count(*)
        from trade where trader = ${wallet_address} and at >= ${since} group by 1
    ) done group by day order by day desc`)
  return { firstDate: dayOf(since), activity }
}
