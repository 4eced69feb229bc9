import { LRUCache } from 'lru-cache'
import type { Deps } from '../../deps.js'
import { countCache } from '../../foundation/cache-counts.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { WorkOnMany } from '../../foundation/db/batch.js'
import { isPingDue, type PingedAgent, pingAgents, readStamps } from './ping.js'
import { agentView } from './view.js'

const MOST_KEPT = 5_000

/**
 * Reads agents as they see themselves, as JSON, and records that they are alive. Most calls find what the one before found, so
 * the JSON is kept, and used only with the stamp that was just read.
 */
export function createMe(deps: Pick<Deps, 'db' | 'clock'>): WorkOnMany<Pick<AgentIdentity, 'id'>, string> {
  const { db, clock } = deps
  const kept = new LRUCache<string, { readonly stamp: string; readonly json: string }>({ max: MOST_KEPT })
  const counted = countCache('me', () => kept.size)

  return async (agents) => {
    const at = clock.now()
    const known = agents.filter(({ id }) => kept.has(id))
    const answers = new Map<string, string>()
    for (const row of known.length === 0 ? [] : await readStamps(db, known)) {
      const entry = kept.get(row.id)
      if (entry?.stamp !== row.stamp || isPingDue(row, at)) continue
      counted.note(true)
      answers.set(row.id, entry.json)
    }
    const others = agents.filter(({ id }) => !answers.has(id))
    for (const row of others.length === 0 ? [] : await pingAgents(deps, others)) {
      const json = JSON.stringify(view(row))
      counted.note(false)
      answers.set(row.id, json)
      // What was just recorded is not in the stamp.
      if (row.last_ping_at && row.last_ping_at < at) kept.set(row.id, { stamp: row.stamp, json })
    }
    return agents.map(({ id }) => answers.get(id) ?? new Error(`There is no agent ${id}`))
  }
}

const view = (row: PingedAgent) =>
  agentView(row, { isFollowing: false, isMuted: false, isBlocked: false, yourShare: row.your_share })
