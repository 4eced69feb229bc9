import type { Readiness } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { State } from './state.js'

/** Says whether this process should be sent callers, or why not. */
export function createReadiness({ draining }: Pick<Deps, 'draining'>, state: State): () => Promise<Readiness> {
  return async () => {
    if (draining.isDraining()) throw notReady('This process is about to stop.')
    const { value: database } = await state.database()
    if (!database) throw notReady('The database does not answer.')
    if (database.isReadOnly) throw notReady('The database takes no writes.')
    // Asking took a while.
    if (draining.isDraining()) throw notReady('This process is about to stop.')
    return { status: 'ready' }
  }
}

function notReady(message: string): Problem {
  return new Problem('NOT_READY', { message, retryAfterSeconds: 1 })
}
