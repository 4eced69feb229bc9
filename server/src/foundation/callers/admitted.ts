import sql, { type Sql } from 'sql-template-tag'
import { type Db, pgCode } from '../db/db.js'
import { literal } from '../db/literal.js'

/** What a call was admitted with: an agent's key and standing, or a person's session. */
export type Admitted = AdmittedAgent | { readonly sessionId: string }

interface AdmittedAgent {
  readonly keyId: string
  readonly standing: string
}

/** What `require_agents` and `require_session` of the database fail with. */
const CHANGED = 'RK001'

/** Whether a write failed because its caller is no longer what it was admitted as. Nothing of its transaction was done. */
export function hasCallerChanged(error: unknown): boolean {
  return pgCode(error) === CHANGED
}

/** A condition that is true, or fails its statement when one of the callers has lost what it was admitted with. */
export function stillAdmitted(callers: readonly Admitted[]): Sql {
  const agents = callers.filter((caller) => 'keyId' in caller)
  const sessions = callers.filter((caller) => 'sessionId' in caller)
  const conditions = sessions.map(({ sessionId }) => sql`(select require_session(${sessionId}))`)
  // A subquery runs once for all rows.
  if (agents.length > 0)
    conditions.push(sql`(select require_agents(${literal(agents.map(({ keyId }) => keyId))}::uuid[],
      ${literal(agents.map(({ standing }) => standing))}::text[]))`)
  return conditions.reduce((all, next) => sql`${all} and ${next}`)
}

/** A handle whose transactions begin by asking whether the caller is still admitted. */
export function whileAdmitted(db: Db, caller: Admitted | undefined): Db {
  if (!caller) return db
  return {
    ...db,
    transaction: (work, patience) =>
      db.transaction(async (db) => {
        await db.run(sql`select ${stillAdmitted([caller])}`)
        return work(db)
      }, patience),
  }
}

/**
 * Waits until nothing under way relies on these rows of keys or sessions. It waits for as long as their transactions may last,
 * not only as long as for an ordinary lock.
 */
export function awaitOlderCalls(db: Db, rows: Sql): Promise<void> {
  return db.transaction(async (db) => {
    await db.run(sql`set local lock_timeout = 0`)
    await db.run(sql`select ${rows} for update`)
  }, 'long')
}
