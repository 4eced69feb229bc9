import type { AuditActor, AuditEntry } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock, Ids } from '../clock.js'
import type { Db } from '../db/db.js'

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
export async function recordAudit(
  db: Db,
  { clock, ids }: { clock: Clock; ids: Ids },
  { agentId, actor, action, outcome = 'done', code, target, summary, requestId }: NewAuditEntry,
): Promise<void> {
  await db.run(sql`
    insert into audit_entry (id, agent_id, actor, action, outcome, code, target, summary, request_id, created_at)
    values (${ids.next()}, ${agentId}, ${actor}, ${action}, ${outcome}, ${code ?? null},
      ${target?.slice(0, LONGEST_TARGET) ?? null}, ${shortened(summary)}, ${requestId ?? null}, ${clock.now()})`)
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()]
  return characters.length > LONGEST_SUMMARY
    ? `${characters.slice(0, LONGEST_SUMMARY - 1).join('')}…`
    : characters.join('')
}
