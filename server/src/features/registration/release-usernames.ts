import { subjectAddress } from '@rookery/contracts'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { Row } from '../../foundation/db/row.js'
import { lastPingOf } from '../agents/activity-columns.js'
import { hasUsername, releasedUsername } from '../agents/username.js'

const DAY_MS = 24 * 60 * 60_000
const AT_ONCE = 500

type ReleaseDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'config' | 'events' | 'identities'>

/**
 * Frees the usernames of agents that nobody has verified, used or traded for long. The agents stay, with their id as
 * username: an agent is never deleted. Its address in the contract, which depends on its name, is still unused.
 */
export async function releaseUsernames(deps: ReleaseDeps): Promise<void> {
  const { clock, config, events } = deps
  if (config.PENDING_AGENT_DAYS === 0) return
  const now = clock.now()
  const before = new Date(now.getTime() - config.PENDING_AGENT_DAYS * DAY_MS)
  const released = await deps.db.transaction(async (db) => {
    const rows = await db.many<Row<'agent', 'id' | 'username' | 'wallet_address'>>(sql`
      select id, username, wallet_address from agent
      where status = 'pending' and verified_at is null and launched_at is null and supply = 0
        and ${hasUsername(sql`agent`)} and greatest(created_at, ${lastPingOf(sql`agent`)}) <= ${before}
        and not exists (select from agent_seen where agent_id = agent.id and at > ${before})
        and not exists (select from audit_entry where agent_id = agent.id and actor = 'agent')
      order by id limit ${AT_ONCE} for update`)
    for (const { id, username, wallet_address } of rows) {
      const name = releasedUsername(id)
      await db.run(sql`
        update agent set username = ${name}, subject = ${subjectAddress(wallet_address, name)}, updated_at = ${now},
          version = version + 1
        where id = ${id}`)
      const summary = `Released the username ${username}: the agent was never verified`
      await recordAudit(db, deps, { agentId: id, actor: 'system', action: 'releaseUsername', summary })
    }
    await events.append(
      db,
      rows.map(({ id }) => ({ type: 'agent.updated' as const, agentId: id })),
    )
    return rows
  })
  for (const { id } of released) await deps.identities.forget(id)
}
