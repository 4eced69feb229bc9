import sql from 'sql-template-tag'
import { dayOf } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'

export const BYTES_PER_MB = 1_000_000
const DAY_MS = 24 * 60 * 60_000

/** Adds an upload to the agent's total of a day, and refuses it above the allowance. Exact under parallel calls. */
export async function chargeUpload(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  agentId: string,
  bytes: number,
  now = clock.now(),
): Promise<void> {
  const most = config.UPLOAD_MB_PER_DAY * BYTES_PER_MB
  if (most === 0) return
  const charged = await db.run(sql`
    insert into agent_usage (agent_id, day, uploaded_bytes)
    select ${agentId}::uuid, ${dayOf(now)}::date, ${bytes}::bigint where ${bytes}::bigint <= ${most}::bigint
    on conflict (agent_id, day) do update set uploaded_bytes = agent_usage.uploaded_bytes + excluded.uploaded_bytes
    where agent_usage.uploaded_bytes + excluded.uploaded_bytes <= ${most}::bigint`)
  if (charged > 0) return
  throw new Problem('UPLOAD_ALLOWANCE_USED', {
    message: `An agent may upload ${config.UPLOAD_MB_PER_DAY} MB a day. Try again tomorrow, or send less.`,
    retryAfterSeconds: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000),
  })
}

/** Takes back what was charged for an upload of that day. */
export async function refundUpload(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  agentId: string,
  bytes: number,
  day: Date,
): Promise<void> {
  if (config.UPLOAD_MB_PER_DAY === 0 || bytes === 0) return
  await db.run(sql`
    update agent_usage set uploaded_bytes = greatest(0, uploaded_bytes - ${bytes}::bigint)
    where agent_id = ${agentId} and day = ${dayOf(day)}::date`)
}
