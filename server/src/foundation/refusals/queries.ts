import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { Nullable, Row } from '../db/row.js'

/** A refused call as it was kept. */
export interface KeptRefusal {
  readonly requestId: string
  readonly at: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly code: string
  readonly message: string
  readonly limitClass: string | null
  readonly agent: { readonly id: string; readonly username: string | null } | null
  readonly network: string
  readonly instanceId: string
}

/** What the ring holds at all, which says why a call is not among it. */
export interface KeptSpan {
  readonly calls: number
  readonly since: string | null
  readonly leftOut: number
}

const KEPT_DAYS = 7

/** Finds the refusals of a request. A client may send the same id several times. */
export async function findRefusals(db: Db, requestId: string): Promise<KeptRefusal[]> {
  const rows = await db.many<Row<'refused_call'> & Nullable<Row<'agent', 'username'>>>(sql`
    select refused_call.*, username from refused_call left join agent on agent.id = agent_id
    where request_id = ${requestId} order by at desc limit 20`)
  return rows.map((row) => ({
    requestId,
    at: row.at.toISOString(),
    method: row.method ?? '',
    route: row.route ?? '',
    status: row.status ?? 0,
    code: row.code ?? '',
    message: row.message ?? '',
    limitClass: row.limit_class,
    agent: row.agent_id === null ? null : { id: row.agent_id, username: row.username },
    network: row.network ?? '',
    instanceId: row.instance_id,
  }))
}

export async function getKeptSpan(db: Db): Promise<KeptSpan> {
  const row = await db.one<{ calls: number; since: Date | null; left_out: number }>(sql`
    select count(request_id)::int as calls, min(at) as since, coalesce(sum(left_out), 0)::int as left_out from refused_call`)
  return { calls: row.calls, since: row.since?.toISOString() ?? null, leftOut: row.left_out }
}

/** Deletes what is too old, which the ring alone would keep where few calls are refused. */
export async function deleteOldRefusals({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 24 * 60 * 60_000)
  await db.run(sql`delete from refused_call where at < ${before}`)
}
