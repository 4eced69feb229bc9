import type { AuditActor, AuditEntry } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { askRows } from '../db/literal.js'

/** A line to be added. What is not said is null; the outcome is `done`. */
export interface NewAuditEntry {
  readonly agentId: string
  readonly actor: AuditActor
  /** Name of the endpoint, or of what the service did. */
  readonly action: string
  readonly outcome?: AuditEntry['outcome']
  readonly code?: string
  readonly target?: string | undefined
  readonly summary: string
  readonly requestId?: string | undefined
}

const LONGEST_TARGET = 200
const LONGEST_SUMMARY = 300

/** Adds a line to the audit log. Called in the transaction of the change that it speaks of. */
export async function recordAudit(db: Db, deps: { clock: Clock; ids: Ids }, entry: NewAuditEntry): Promise<void> {
  await db.run(sql`with ${recording(deps, [entry], sql`select 0`)} select`)
}

/** The line that a call leaves in the log. Whoever takes it writes it, in the transaction of the change. */
export interface CallEntry {
  take(): NewAuditEntry
}

/**
 * Part of a `with`: adds the lines of those asks whose number is in the column `n` of the query `done`. An ask without
 * a line leaves none.
 */
export function recording(
  { clock, ids }: { clock: Clock; ids: Ids },
  entries: readonly (NewAuditEntry | undefined)[],
  done: Sql,
): Sql {
  const rows = entries.flatMap((entry, n) => (entry ? [{ n, id: ids.next(), ...lineOf(entry) }] : []))
  return sql`audited as (
    insert into audit_entry (id, agent_id, actor, action, outcome, code, target, summary, request_id, created_at)
    select entry.id, agent_id, actor, action, outcome, code, target, summary, request_id, ${clock.now()}
    from (${askRows(rows, entryColumns)}) entry
    where entry.n in (${done}))`
}

const entryColumns = sql`id uuid, agent_id uuid, actor text, action text, outcome text, code text, target text,
  summary text, request_id text`

function lineOf({ agentId, actor, action, outcome = 'done', code, target, summary, requestId }: NewAuditEntry) {
  return {
    agent_id: agentId,
    actor,
    action,
    outcome,
    code,
    target: target?.slice(0, LONGEST_TARGET),
    summary: shortened(summary),
    request_id: requestId,
  }
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > LONGEST_SUMMARY
    ? `${characters.slice(0, LONGEST_SUMMARY - 1).join('')}…`
    : characters.join('')
}
