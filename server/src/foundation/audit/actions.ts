import type { AuditActor, AuditEntry } from '@rookery/api'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Clock, Ids } from '../../base/clock.js'
import { type Admitted, stillAdmitted } from '../callers/admitted.js'
import type { Db } from '../db/db.js'
import { requestRows } from '../db/literal.js'
import type { Secrets } from '../secrets.js'

/** Words in the audit log: that they were written, and which, for whoever has the words and the secret of the service. */
export interface AuditedWords {
  readonly digest: Buffer
  readonly characters: number
}

/**
 * The form of words in the audit log, which outlives them. The digest is keyed: a plain one of a short text is found by
 * trying texts. Undefined for no words.
 */
export function digestOf(secrets: Pick<Secrets, 'hash'>, words: string): AuditedWords | undefined {
  if (words === '') return undefined
  return { digest: secrets.hash('audit-words', words), characters: [...words].length }
}

/** An entry to add. A member that is left out becomes null; the outcome defaults to `done`. */
export interface NewAuditEntry {
  readonly agentId: string
  readonly actor: AuditActor
  /** The endpoint's name, or the name of an action of the service itself. */
  readonly action: string
  readonly outcome?: AuditEntry['outcome']
  readonly code?: string
  readonly target?: string | undefined
  /** What was done, in words of ours alone. */
  readonly summary: string
  /** What somebody wrote with it, as a digest: made by `digestOf`. */
  readonly words?: AuditedWords | undefined
  readonly requestId?: string | undefined
  /** What the call was admitted with. Without that any longer, the entry and all that is done with it fail. */
  readonly admitted?: Admitted | undefined
}

const LONGEST_TARGET = 200
const LONGEST_SUMMARY = 300

/** Adds an entry to the audit log. Call it in the transaction that makes the change. */
export async function recordAudit(db: Db, deps: { clock: Clock; ids: Ids }, entry: NewAuditEntry): Promise<void> {
  await db.run(sql`with ${auditInsert(deps, [entry], sql`select 0`)} select`)
}

/** The audit entry of the current call. Code that takes it must write it, in the transaction that makes the change. */
export interface CallEntry {
  take(): NewAuditEntry
}

/**
 * Part of a `with`: adds the audit entries of the requests whose number the query `done` returns. A request without an
 * entry adds none.
 */
export function auditInsert(
  { clock, ids }: { clock: Clock; ids: Ids },
  entries: readonly (NewAuditEntry | undefined)[],
  done: Sql,
): Sql {
  const admitted = entries.flatMap((entry) => entry?.admitted ?? [])
  const rows = entries.flatMap((entry, n) => (entry ? [{ n, id: ids.next(), ...entryRow(entry) }] : []))
  return sql`audited as (
    insert into audit_entry (id, agent_id, actor, action, outcome, code, target, summary, words_digest, words_characters,
      request_id, created_at)
    select entry.id, agent_id, actor, action, outcome, code, target, summary, decode(words_digest, 'hex'), words_characters,
      request_id, ${clock.now()}
    from (${requestRows(rows, entryColumns)}) entry
    where entry.n in (${done})${admitted.length === 0 ? empty : sql` and ${stillAdmitted(admitted)}`})`
}

const entryColumns = sql`id uuid, agent_id uuid, actor text, action text, outcome text, code text, target text,
  summary text, words_digest text, words_characters integer, request_id text`

/** The columns of an entry, without its id and time. */
export function entryRow({
  agentId,
  actor,
  action,
  outcome = 'done',
  code,
  target,
  summary,
  words,
  requestId,
}: NewAuditEntry) {
  return {
    agent_id: agentId,
    actor,
    action,
    outcome,
    code,
    target: target?.slice(0, LONGEST_TARGET),
    summary: shorten(summary),
    words_digest: words?.digest.toString('hex'),
    words_characters: words?.characters,
    request_id: requestId,
  }
}

function shorten(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  if (plain.length <= LONGEST_SUMMARY) return plain
  const characters = [...plain]
  return characters.length > LONGEST_SUMMARY
    ? `${characters.slice(0, LONGEST_SUMMARY - 1).join('')}…`
    : characters.join('')
}
