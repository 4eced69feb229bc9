import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import type { Peers } from './peers.js'

/** A process that serves the database. */
export interface Instance {
  readonly id: string
  readonly role: string | null
  readonly version: string | null
  readonly host: string | null
  readonly pid: number | null
  readonly startedAt: string | null
  readonly seenAt: string
  /** Whether it has said within the last seconds that it is there. */
  readonly isAlive: boolean
  readonly drainingSince: string | null
}

interface InstanceDeps {
  readonly db: Db
  readonly peers: Pick<Peers, 'instanceId'>
}

/** Lists the processes that have been there in the last hour, without the one that asks. */
export async function listInstances({ db, peers }: InstanceDeps): Promise<Instance[]> {
  const rows = await db.many<Row<'instance'> & { is_alive: boolean }>(sql`
    select *, seen_at > clock_timestamp() - interval '5 seconds' as is_alive from instance
    where seen_at > clock_timestamp() - interval '1 hour'
      and id::text <> ${peers.instanceId}
    order by started_at, id`)
  return rows.map((row) => ({
    id: row.id,
    role: row.role,
    version: row.version,
    host: row.host,
    pid: row.pid,
    startedAt: row.started_at?.toISOString() ?? null,
    seenAt: row.seen_at.toISOString(),
    isAlive: row.is_alive,
    drainingSince: row.draining_since?.toISOString() ?? null,
  }))
}

/** Tells an instance to get no new callers, or to take them again. `name` is its id, the beginning of it, or its host. */
export async function setDraining(deps: InstanceDeps, name: string, isDraining: boolean): Promise<Instance> {
  const instances = await listInstances(deps)
  const named = instances.filter(({ id, host, isAlive }) => id.startsWith(name) || (host === name && isAlive))
  const [instance] = named
  if (!instance || named.length > 1) {
    const why = instance ? `fits ${named.length} instances` : 'fits no instance of the last hour'
    throw Problem.at('instance', `${name} ${why}: name one by its id, as \`instances\` lists it`)
  }
  await deps.db.run(sql`
    update instance set draining_since = case when ${isDraining} then coalesce(draining_since, clock_timestamp()) end
    where id = ${instance.id}`)
  const after = (await listInstances(deps)).find(({ id }) => id === instance.id)
  return after ?? instance
}

/** Deletes what processes that were killed have left. By the clock of the database, as they wrote it. */
export function deleteGoneInstances({ db }: { db: Db }): Promise<number> {
  return db.run(sql`delete from instance where seen_at < clock_timestamp() - interval '1 day'`)
}
