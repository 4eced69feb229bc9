import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import { type AgentRow, agentColumns } from './queries.js'

/** An agent, and the number of its own shares that its wallet holds. */
export type PingedAgent = AgentRow & {
  readonly your_share: number
  /** Everything of it as a text. */
  readonly stamp: string
}

type Named = Pick<AgentIdentity, 'id'>

// A ping reads, and writes no more than this often: what others are told of it may be as old.
const EXACT_TO_MS = 60_000

/** Records the heartbeat of an agent, which is a ping too. Returns the time of the one before. */
export async function recordHeartbeat(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id }: Named,
): Promise<{ readonly row: AgentRow; readonly lastHeartbeatAt: Date | null }> {
  const at = clock.now()
  const row = await db.one<AgentRow & { readonly previous_at: Date | null }>(sql`
    with previous as (select last_heartbeat_at from agent_activity where agent_id = ${id} for no key update),
    noted as (
      insert into agent_activity (agent_id, last_ping_at, last_heartbeat_at) values (${id}, ${at}, ${at})
      on conflict (agent_id) do update
        set last_ping_at = excluded.last_ping_at, last_heartbeat_at = excluded.last_heartbeat_at)
    select ${agentColumns}, greatest(agent.last_heartbeat_at, (select last_heartbeat_at from previous)) as previous_at
    from agent where agent.id = ${id}`)
  return { row: { ...row, last_ping_at: at }, lastHeartbeatAt: row.previous_at }
}

/** Reads agents, and records that they are alive where the last record of that is a minute old. */
export async function pingAgents(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  agents: readonly Named[],
): Promise<PingedAgent[]> {
  const at = clock.now()
  const rows = await db.many<PingedAgent>(sql`select pinged.*, pinged::text as stamp from (${pinged(agents)}) pinged`)
  const due = rows.filter((row) => isPingDue(row, at))
  if (due.length > 0) await notePings(db, due, at)
  const byId = new Map(rows.map((row) => [row.id, isPingDue(row, at) ? { ...row, last_ping_at: at } : row]))
  return agents.map(({ id }) => {
    const row = byId.get(id)
    if (!row) throw new Error(`There is no agent ${id}`)
    return row
  })
}

/** Reads only the stamps of agents, and when they were last alive. */
export function readStamps(
  db: Db,
  agents: readonly Named[],
): Promise<Pick<PingedAgent, 'id' | 'last_ping_at' | 'stamp'>[]> {
  return db.many(sql`select pinged.id, pinged.last_ping_at, pinged::text as stamp from (${pinged(agents)}) pinged`)
}

export function isPingDue({ last_ping_at }: Pick<AgentRow, 'last_ping_at'>, at: Date): boolean {
  return last_ping_at === null || at.getTime() - last_ping_at.getTime() >= EXACT_TO_MS
}

// Without the offset each of its columns would be read again for the stamp. The subquery hides from the planner how many there
// are: for few it would plan each time anew, which takes longer than to read them.
const pinged = (agents: readonly Named[]) => sql`
  select ${agentColumns}, coalesce((
    select amount from share_holding where share_holding.subject = agent.subject and holder = agent.wallet_address
  ), 0) as your_share
  from agent where agent.id = any(array(select unnest(${literal(agents.map(({ id }) => id))}::uuid[]))) offset 0`

// In the order of the agents, as the other batches do, so that no two wait for each other.
async function notePings(db: Db, agents: readonly AgentRow[], at: Date): Promise<void> {
  await db.run(sql`
    insert into agent_activity (agent_id, last_ping_at)
    select id, ${at}::timestamptz from agent
    where id = any(${literal(agents.map(({ id }) => id))}::uuid[]) and erased_at is null order by id
    on conflict (agent_id) do update set last_ping_at = excluded.last_ping_at`)
}
