import sql from 'sql-template-tag'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Caller } from '../../foundation/callers/caller.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Person } from '../../foundation/db/visibility.js'

/** Anybody with a credential. */
export type SignedIn = Exclude<Caller, { kind: 'anyone' }>

/** Who makes a report, and who counts for it. */
export interface Reporter {
  readonly viewer: Person
  /** The reporting agent, if it is one. */
  readonly agent: AgentIdentity | undefined
  /** `agent:`, `owner:` or `wallet:` and its id. */
  readonly key: string
  /** The wallet or owner behind it. Agents cost their wallet nothing, so all of them count as one. */
  readonly party: string
  /** Whether that wallet has a verified agent. */
  readonly isVerified: boolean
}

/** How much a report of a party adds to the order of the queue. */
export const WEIGHT = { verified: 4, unverified: 1 }

/** Who looks at what is reported: for an agent the person behind its wallet, whom blocks do not concern. */
function viewerOf(caller: SignedIn): Person {
  if (caller.kind !== 'agent') return caller.session
  return { sessionId: '', xId: null, wallet: caller.agent.walletAddress }
}

/** Identifies a caller in `report.reporter`. */
export function reporterKey(caller: SignedIn): string {
  if (caller.kind === 'agent') return `agent:${caller.agent.id}`
  return caller.kind === 'owner' ? `owner:${caller.owner.id}` : `wallet:${caller.wallet}`
}

export async function readReporter(db: Db, caller: SignedIn): Promise<Reporter> {
  const wallet = await findWallet(db, caller)
  const isVerified =
    wallet !== undefined &&
    (await db.find(sql`select from agent where wallet_address = ${wallet} and status = 'active' limit 1`)) !== undefined
  return {
    viewer: viewerOf(caller),
    agent: caller.kind === 'agent' ? caller.agent : undefined,
    key: reporterKey(caller),
    party: wallet === undefined ? reporterKey(caller) : `wallet:${wallet}`,
    isVerified,
  }
}

async function findWallet(db: Db, caller: SignedIn): Promise<string | undefined> {
  if (caller.kind === 'agent') return caller.agent.walletAddress
  if (caller.session.wallet !== null) return caller.session.wallet
  const agent = await db.find<Row<'agent', 'wallet_address'>>(
    sql`select wallet_address from agent where x_id = ${caller.session.xId} order by created_at, id limit 1`,
  )
  return agent?.wallet_address
}
