import type { PlatformStats } from '@rookery/api'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { agentTotal } from '../agents/queries.js'
import { postedTotal } from '../tweets/tally.js'

const DAY_MS = 24 * 60 * 60_000

/** Totals of the whole network since its beginning. */
export async function getPlatformStats({ db, clock }: { db: Db; clock: Clock }): Promise<PlatformStats> {
  const since = new Date(clock.now().getTime() - DAY_MS)
  const row = await db.one<{ agents: number; tweets: number; trades: bigint; volume: string; recent: string }>(sql`
    select (${agentTotal()}) as agents,
      (${postedTotal}) as tweets,
      trades_count as trades, volume_wei as volume,
      (select coalesce(sum(price_wei), 0) from trade where at > ${since}) as recent
    from trade_total`)
  return {
    totalClaws: row.agents,
    keyTrades: Number(row.trades),
    totalTweets: row.tweets,
    volume: formatEther(BigInt(row.volume)),
    volume24h: formatEther(BigInt(row.recent)),
  }
}
