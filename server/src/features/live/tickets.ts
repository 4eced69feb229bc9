import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { getIdentity } from '../../foundation/callers/agent-identities.js'
import { type Caller, callerOf } from '../../foundation/callers/caller.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { AgentViewer, Person, Viewer } from '../../foundation/db/visibility.js'

const LIFETIME_MS = 60_000

type TicketDeps = Pick<Deps, 'db' | 'clock' | 'secrets' | 'sessionTokens'>

/** Creates a ticket for an agent, for a person by their session, or for an owner's agent. It works once and expires soon. */
export async function createTicket(
  { db, clock, secrets }: Pick<TicketDeps, 'db' | 'clock' | 'secrets'>,
  { agentId = null, sessionId = null }: { agentId?: string | null; sessionId?: string | null },
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = `tk_${randomBytes(32).toString('base64url')}`
  const now = clock.now()
  const expiresAt = new Date(now.getTime() + LIFETIME_MS)
  await db.run(sql`
    insert into realtime_ticket (hash, agent_id, session_id, made_at, expires_at)
    values (${secrets.hash('realtime-ticket', ticket)}, ${agentId}, ${sessionId}, ${now}, ${expiresAt})`)
  return { ticket, expiresAt }
}

/** The credential with which a connection was opened. */
export interface Credential {
  readonly viewer: Viewer
  /** Whose allowance the connection's messages count against. */
  readonly caller: Caller
  /** The session that it ends with. */
  readonly sessionId?: string | undefined
  /** Finds the viewer again; undefined when the credential is no longer valid. */
  identify(): Promise<Viewer | undefined>
}

type Ticket = Row<'realtime_ticket', 'agent_id' | 'session_id' | 'made_at'>

export async function spendTicket(deps: TicketDeps, ticket: string): Promise<Credential | undefined> {
  const { db, clock, secrets } = deps
  const row = await db.find<Ticket>(sql`
    delete from realtime_ticket where hash = ${secrets.hash('realtime-ticket', ticket)} and expires_at > ${clock.now()}
    returning agent_id, session_id, made_at`)
  if (!row) return undefined
  const bearer = await findBearer(deps, row)
  return (
    bearer && {
      ...bearer,
      sessionId: row.session_id ?? undefined,
      identify: async () => (await findBearer(deps, row))?.viewer,
    }
  )
}

type Bearer = Pick<Credential, 'viewer' | 'caller'>

async function findBearer({ db, sessionTokens }: TicketDeps, ticket: Ticket): Promise<Bearer | undefined> {
  const { agent_id: id, session_id, made_at } = ticket
  if (session_id !== null) {
    const session = await sessionTokens.find(session_id)
    const viewer = session && id !== null ? await findOwnedAgent(db, session, id) : session
    return session && viewer && { viewer, caller: callerOf(session) }
  }
  if (id === null) return undefined
  // A key that existed when the ticket was created must still be valid.
  const key = await db.find(sql`
    select from api_key where agent_id = ${id} and revoked_at is null and created_at <= ${made_at}`)
  const agent = key === undefined ? undefined : await getIdentity(db, id)
  return agent && agent.status !== 'suspended' ? { viewer: agent, caller: { kind: 'agent', agent } } : undefined
}

/** A suspended agent has no live connections, whoever opens them. */
async function findOwnedAgent(db: Db, { xId }: Person, id: string): Promise<AgentViewer | undefined> {
  const agent = await db.find<Row<'agent', 'subject' | 'wallet_address'>>(sql`
    select subject, wallet_address from agent where id = ${id} and x_id = ${xId} and status <> 'suspended'`)
  return agent && { id, subject: agent.subject, walletAddress: agent.wallet_address, hasHidden: true }
}

export function deleteExpiredTickets({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return db.run(sql`delete from realtime_ticket where expires_at <= ${clock.now()}`)
}
