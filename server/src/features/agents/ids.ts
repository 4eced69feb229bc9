import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { createBatch } from '../../foundation/db/batch.js'
import type { Db } from '../../foundation/db/db.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { UUID } from './queries.js'

const REMEMBERED = 10_000

/**
 * Finds the id of an agent by id, username, wallet or subject address, or `me`. What an identifier means never changes
 * once it means something: nobody changes a username or a wallet, and no agent is removed.
 */
export function createAgentIds({ db }: { db: Db }): (identifier: string, caller: { id: string }) => Promise<string> {
  const remembered = new LRUCache<string, string>({ max: REMEMBERED })
  const find = createBatch((names: readonly string[]) => findIds(db, names))
  return async (identifier, caller) => {
    if (identifier === 'me') return caller.id
    const name = identifier.toLowerCase()
    if (UUID.test(name)) return name
    const known = remembered.get(name) ?? (await find(name))
    remembered.set(name, known)
    return known
  }
}

async function findIds(db: Db, names: readonly string[]): Promise<(string | Error)[]> {
  const rows = await db.many<Nullable<Row<'agent', 'id'>>>(sql`
    select coalesce(
      (select id from agent where username = it),
      (select id from agent where length(it) > 30 and (wallet_address = it or subject = it)
        order by created_at, id limit 1)) as id
    from unnest(${names}::text[]) with ordinality as asked (it, place) order by place`)
  return rows.map(({ id }) => id ?? new Problem('AGENT_NOT_FOUND'))
}
