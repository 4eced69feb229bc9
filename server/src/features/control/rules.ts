import type { AgentAction } from '@rookery/api'
import sql from 'sql-template-tag'
import { type Clock, dayOf } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import type { PostCap } from '../tweets/create.js'
import { countTradedToday, insertPreparedTrade } from './prepared-trades.js'
import type { PreparedTrade } from './traded-today.js'

/** The rules of an agent, and its posts today. */
export interface Rules {
  readonly frozenAt: Date | null
  readonly frozenReason: string | null
  readonly maxDailyPosts: number | null
  readonly maxTradeWei: bigint | null
  readonly maxDailyTradeWei: bigint | null
  readonly allowedActions: AgentAction[] | null
  readonly approvePostsAfter: number | null
  readonly approveTradesAboveWei: bigint | null
  readonly recoveryWaits: boolean
  readonly updatedAt: Date | null
  readonly postsToday: number
}

type RulesRow = Nullable<Omit<Row<'agent_control'>, 'agent_id'>> & Nullable<Row<'agent_usage', 'posts'>>

export async function getRules(db: Db, { clock }: { clock: Clock }, agentId: string): Promise<Rules> {
  const row = await db.one<RulesRow>(sql`
    select frozen_at, frozen_reason, max_daily_posts, max_trade_wei, max_daily_trade_wei, allowed_actions,
      approve_posts_after, approve_trades_above_wei, recovery_waits, agent_control.updated_at, posts
    from (select ${agentId}::uuid as agent_id) asked
    left join agent_control using (agent_id)
    left join agent_usage on agent_usage.agent_id = asked.agent_id and day = ${dayOf(clock.now())}`)
  return {
    frozenAt: row.frozen_at,
    frozenReason: row.frozen_reason,
    maxDailyPosts: row.max_daily_posts,
    maxTradeWei: wei(row.max_trade_wei),
    maxDailyTradeWei: wei(row.max_daily_trade_wei),
    allowedActions: row.allowed_actions,
    approvePostsAfter: row.approve_posts_after,
    approveTradesAboveWei: wei(row.approve_trades_above_wei),
    recoveryWaits: row.recovery_waits ?? false,
    updatedAt: row.updated_at,
    postsToday: row.posts ?? 0,
  }
}

function wei(text: string | null): bigint | null {
  return text === null ? null : BigInt(text)
}

/** The error for exceeding a daily cap. */
function dailyCapProblem(clock: Clock, what: string): Problem {
  const clearsAt = new Date(`${dayOf(clock.now())}T00:00:00.000Z`)
  clearsAt.setUTCDate(clearsAt.getUTCDate() + 1)
  return new Problem('CAP_REACHED', {
    message: `${what} It clears at ${clearsAt.toISOString()}.`,
    details: [{ path: 'clearsAt', message: clearsAt.toISOString() }],
  })
}

/**
 * The owners' daily caps on posts. Parallel posts of one agent wait for each other at its row until the first has ended,
 * so that the cap is exact.
 */
export const postCap: PostCap = {
  chargedPosts: (posts, now) => sql`charged as (
    insert into agent_usage (agent_id, day, posts)
    select agent_id, ${dayOf(now)}, 1 from (${posts}) post left join agent_control using (agent_id)
    where max_daily_posts is null or max_daily_posts > 0 order by agent_id
    on conflict (agent_id, day) do update set posts = agent_usage.posts + 1
      where agent_usage.posts < coalesce(
        (select max_daily_posts from agent_control where agent_control.agent_id = agent_usage.agent_id), 2147483647)
    returning agent_id, posts)`,
  max: (agentId) => sql`(select max_daily_posts from agent_control where agent_control.agent_id = ${agentId})`,
  refusal: (clock, max) => dailyCapProblem(clock, `The owner allows ${max} posts a day.`),
}

/** Records a prepared trade, and refuses it above the caps. Exact under parallel calls, like `postCap`. */
export async function chargeTrade(
  db: Db,
  deps: Pick<Deps, 'clock' | 'ids'>,
  agentId: string,
  trade: PreparedTrade,
): Promise<void> {
  // Parallel calls wait for each other at this row.
  await db.run(sql`
    insert into agent_usage (agent_id, day) values (${agentId}, ${dayOf(deps.clock.now())})
    on conflict (agent_id, day) do update set traded_wei = agent_usage.traded_wei`)
  await insertPreparedTrade(db, deps, agentId, trade)
  const { maxTradeWei, maxDailyTradeWei } = await getRules(db, deps, agentId)
  if (maxTradeWei !== null && trade.worthWei > maxTradeWei)
    throw new Problem('CAP_REACHED', { message: 'This is worth more than the owner allows for one trade.' })
  if (maxDailyTradeWei !== null && (await countTradedToday(db, deps, agentId)) > maxDailyTradeWei)
    throw dailyCapProblem(
      deps.clock,
      'This is worth more than is left of what the owner allows a day. Trades that are not sent are given back soon after they expire.',
    )
}

const USAGE_KEPT_MS = 7 * 24 * 60 * 60_000

/** Deletes what agents did on days that count for no cap any more. */
export function deleteOldUsage({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const before = dayOf(new Date(clock.now().getTime() - USAGE_KEPT_MS))
  return db.run(sql`delete from agent_usage where day < ${before}`)
}
