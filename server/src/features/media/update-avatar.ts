import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'
import { fileUrl, getUploadAt } from './queries.js'

/** Sets an agent's avatar to one of its own uploads, or removes it. */
export function updateAvatar(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'events'>,
  agent: AgentIdentity,
  { avatarUrl }: { avatarUrl: string | null },
): Promise<AgentRow> {
  const { clock, config, events } = deps
  return deps.db.transaction(async (db) => {
    const file = avatarUrl === null ? undefined : await getUploadAt({ db, config }, agent.id, avatarUrl)
    if (file && file.type !== 'image') throw new Problem('UNSUPPORTED_FILE_TYPE', { message: 'An avatar is an image.' })
    const url = file ? fileUrl(config, file.name) : null
    await events.append(db, [{ type: 'agent.updated', agentId: agent.id }])
    return db.one<AgentRow>(sql`
      update agent set avatar_url = ${url}, updated_at = ${clock.now()}, version = version + 1
      where id = ${agent.id} returning ${agentColumns}`)
  })
}
