import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

const HOUR_MS = 60 * 60_000
/** How long an agent's receivers may keep us waiting in an hour. Fast answers do not count. */
const MOST_WAIT_MS = 10 * 60_000
const SLOW_MS = 1_000

type WaitDeps = Pick<Deps, 'db' | 'clock'>

/** Adds the time that an attempt took. When the hour's time is used up, the agent's webhooks get nothing until its end. */
export async function chargeWait({ db, clock }: WaitDeps, agentId: string, tookMs: number): Promise<void> {
  if (tookMs < SLOW_MS) return
  const hour = hourOf(clock.now())
  const { waited_ms } = await db.one<Row<'webhook_wait', 'waited_ms'>>(sql`
    insert into webhook_wait (agent_id, hour, waited_ms) values (${agentId}, ${hour}, ${Math.round(tookMs)})
    on conflict (agent_id) do update set hour = excluded.hour, waited_ms = excluded.waited_ms
      + case when webhook_wait.hour = excluded.hour then webhook_wait.waited_ms else 0 end
    returning waited_ms`)
  if (waited_ms >= MOST_WAIT_MS) await silence(db, agentId, hour)
}

/** Whether the agent's time is used up. Silences its webhooks again then, since one that is resumed begins anew. */
export async function hasUsedUpWait({ db, clock }: WaitDeps, agentId: string): Promise<boolean> {
  const hour = hourOf(clock.now())
  const used = await db.find(sql`
    select from webhook_wait where agent_id = ${agentId} and hour = ${hour} and waited_ms >= ${MOST_WAIT_MS}`)
  if (used) await silence(db, agentId, hour)
  return used !== undefined
}

async function silence(db: Db, agentId: string, hour: Date): Promise<void> {
  const until = new Date(hour.getTime() + HOUR_MS)
  await db.run(sql`
    update webhook set quiet_until = greatest(quiet_until, ${until})
    where id in (select id from webhook where agent_id = ${agentId} order by id for update)`)
}

function hourOf(time: Date): Date {
  return new Date(time.getTime() - (time.getTime() % HOUR_MS))
}
