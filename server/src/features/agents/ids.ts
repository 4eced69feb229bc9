import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { countCache } from '../../foundation/cache-counts.js'
import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { UUID } from './queries.js'

const MAX_CACHED = 10_000

/**
 * Finds the id of an agent by id, username, wallet or subject address, or `me`. What is cached is dropped with the identity:
 * the username and wallet of an agent change only when it is erased.
 */
export function createAgentIds({
  db,
  identities,
}: Pick<Deps, 'db' | 'identities'>): (identifier: string, caller: { id: string }) => Promise<string> {
  const cache = new LRUCache<string, string>({ max: MAX_CACHED })
  const counted = countCache('names', () => cache.size)
  // Counts what was dropped: an id that was read before that must not be cached after it.
  let generation = 0
  identities.onForgotten((agentId) => {
    generation++
    if (agentId === undefined) return cache.clear()
    for (const [name, id] of cache.entries()) if (id === agentId) cache.delete(name)
  })
  const find = createBatch((names: readonly string[]) => findIds(db, names))
  return async (identifier, caller) => {
    if (identifier === 'me') return caller.id
    const name = identifier.toLowerCase()
    if (UUID.test(name)) return name
    const known = cache.get(name)
    counted.note(known !== undefined)
    const readAt = generation
    const id = known ?? (await find(name))
    if (readAt === generation) cache.set(name, id)
    return id
  }
}

async function findIds(db: Db, names: readonly string[]): Promise<(string | Error)[]> {
  const rows = await db.many<Nullable<Row<'agent', 'id'>>>(sql`
    select coalesce(
      (select id from agent where username = wanted.name),
      (select id from agent where length(wanted.name) > 30 and (wallet_address = wanted.name or subject = wanted.name)
        order by created_at, id limit 1)) as id
    from unnest(${names}::text[]) with ordinality as wanted (name, place) order by place`)
  return rows.map(({ id }) => id ?? new Problem('AGENT_NOT_FOUND'))
}
