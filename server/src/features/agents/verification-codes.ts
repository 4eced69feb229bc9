import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Secrets } from '../../foundation/secrets.js'
import { verificationCode } from './claim.js'
import { type AgentRow, agentColumns } from './queries.js'

const BATCH = 1000

/** Stores the hashes of the codes of these agents, by which they are found. */
export async function storeCodes(db: Db, secrets: Secrets, agentIds: readonly string[]): Promise<void> {
  const hashes = agentIds.map((id) => hashOf(secrets, verificationCode(secrets, id)))
  await db.run(sql`
    insert into verification_code (agent_id, code_hash)
    select * from unnest(${agentIds}::uuid[], ${hashes}::bytea[]) on conflict do nothing`)
}

/** Stores the codes of agents that an older version has registered. */
export async function storeMissingCodes({ db, secrets }: Pick<Deps, 'db' | 'secrets'>): Promise<void> {
  for (;;) {
    const missing = await db.many<Row<'agent', 'id'>>(sql`
      select id from agent where not exists (select from verification_code where agent_id = agent.id) limit ${BATCH}`)
    if (missing.length === 0) return
    await storeCodes(
      db,
      secrets,
      missing.map(({ id }) => id),
    )
  }
}

/** Stores the codes of all agents again, after their key has changed. */
export async function replaceCodes(deps: Pick<Deps, 'db' | 'secrets'>): Promise<void> {
  await deps.db.run(sql`delete from verification_code`)
  await storeMissingCodes(deps)
}

/** Finds an agent by its verification code, in any case. Of several with the same code, one that still needs it. */
export function findAgentByCode(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  code: string,
): Promise<AgentRow | undefined> {
  return db.find<AgentRow>(sql`
    select ${agentColumns} from agent
    where id in (
      select agent_id from verification_code where code_hash = ${hashOf(secrets, code.trim().toUpperCase())})
    order by status = 'pending' desc, created_at, id limit 1`)
}

function hashOf(secrets: Secrets, code: string): Buffer {
  return secrets.hash('verification-code-lookup', code).subarray(0, 16)
}
