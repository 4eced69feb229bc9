import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { endRecovery, lockOpenRecovery, type RecoveryRow, reportRecovery } from './recovery-rows.js'

type ObjectDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events' | 'queue'>

/** Stops the recovery of an agent at the wish of whoever has its key, whatever rules the agent is under. */
export function cancelRecovery(
  deps: ObjectDeps,
  agentId: string,
  { requestId }: { readonly requestId: string },
): Promise<RecoveryRow> {
  return stop(deps, agentId, 'agent', requestId)
}

/** Stops the recovery of an agent at the wish of its owner. */
export function objectToRecovery(
  deps: ObjectDeps,
  agentId: string,
  { requestId }: { readonly requestId: string },
): Promise<RecoveryRow> {
  return stop(deps, agentId, 'owner', requestId)
}

function stop(deps: ObjectDeps, agentId: string, by: 'agent' | 'owner', requestId: string): Promise<RecoveryRow> {
  return deps.db.transaction(async (db) => {
    const now = deps.clock.now()
    const open = await lockOpenRecovery(db, now, agentId)
    if (!open) throw new Problem('RECOVERY_NOT_FOUND')
    const row = await endRecovery(db, now, open.id, { status: 'cancelled', by })
    const summary = 'Stopped the replacement of the key that the wallet asked for'
    const action = by === 'owner' ? 'objectToRecovery' : 'cancelRecovery'
    await reportRecovery(db, deps, row, 'recovery.ended', { actor: by, action, target: row.id, summary, requestId })
    return row
  })
}
