import sql from 'sql-template-tag'
import { type Hex, hashMessage } from 'viem'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { requireNoBan } from '../../foundation/callers/wallet-bans.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { getChallenge, spendChallenge } from '../agents/challenges.js'
import { verificationCode } from '../agents/claim.js'
import { type AgentRow, getAgent, getAgentOfWallet } from '../agents/queries.js'
import { requireStrangersSignature } from '../agents/signatures.js'
import { findPauseEnd } from './objections.js'
import { countSignature } from './registration-limits.js'
import { endRelink, expireRelink, lockOpenRelink, type RelinkRow, reportRelink } from './relink-rows.js'

const HOUR_MS = 60 * 60_000
/** How long the new account has time to post. */
const READY_MS = 7 * 24 * HOUR_MS

export interface SignedRelink {
  readonly message: string
  readonly signature: Hex
}

type RelinkDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events' | 'chain' | 'config' | 'queue' | 'secrets' | 'limiter'>

/** Begins the move of a verified agent to another account. Everybody concerned has the waiting time to cancel it. */
export async function startRelink(
  deps: RelinkDeps,
  network: Network,
  { xUsername, ...signed }: SignedRelink & { readonly xUsername: string },
): Promise<{ relink: RelinkRow; agent: AgentRow; code: string }> {
  const handle = xUsername.replace(/^@/, '')
  const agent = await getSigner(deps, network, signed)
  await requireNoBan(deps.db, deps, agent.wallet_address)
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  if (agent.status === 'pending') throw new Problem('AGENT_NOT_VERIFIED')
  if (agent.x_owner_handle?.toLowerCase() === handle.toLowerCase())
    throw Problem.at('xUsername', 'must be another account than the one that is linked')
  const now = deps.clock.now()
  const readyAt = new Date(now.getTime() + deps.config.RELINK_WAIT_HOURS * HOUR_MS)
  try {
    const relink = await deps.db.transaction(async (db) => {
      await spendChallenge(db, signed.message)
      await endExpiredRelink(db, deps, agent.id)
      await requireNoObjection(db, now, agent.id)
      const row = await db.one<RelinkRow>(sql`
        insert into relink (id, agent_id, x_username, old_x_username, created_at, ready_at, expires_at)
        values (${deps.ids.next()}, ${agent.id}, ${handle}, ${agent.x_owner_handle}, ${now}, ${readyAt},
          ${new Date(readyAt.getTime() + READY_MS)})
        returning *`)
      await deps.queue.enqueue(db, 'advance_relink', { relinkId: row.id }, { runAt: readyAt })
      await reportRelink(db, deps, row, {
        event: 'relink.requested',
        actor: 'owner',
        action: 'startRelink',
        summary: `The wallet asked to move the agent to @${handle}; possible from ${readyAt.toISOString()} unless it is cancelled`,
      })
      return row
    })
    return { relink, agent, code: relinkCode(deps, relink) }
  } catch (error) {
    if (violatedConstraint(error) === 'relink_one_open') throw new Problem('RELINK_OPEN')
    throw error
  }
}

/** Ends a move whose time is over and whose job is late, so that it does not stand in the way of another. */
async function endExpiredRelink(db: Db, deps: RelinkDeps, agentId: string): Promise<void> {
  const expired = await db.find<RelinkRow>(sql`
    select * from relink where agent_id = ${agentId} and ended_at is null and expires_at <= ${deps.clock.now()} for update`)
  if (expired) await expireRelink(db, deps, expired)
}

/** Refuses a wallet whose last wish the owner objected to, for longer each time. */
async function requireNoObjection(db: Db, now: Date, agentId: string): Promise<void> {
  const objections = await db.many<{ at: Date }>(sql`
    select ended_at as at from relink
    where agent_id = ${agentId} and status = 'cancelled' and ended_by = 'owner' order by id desc limit 20`)
  const until = findPauseEnd(objections, now)
  if (until)
    throw new Problem('RELINK_PAUSED', {
      retryAfterSeconds: Math.ceil((until.getTime() - now.getTime()) / 1000),
      message: `The owner objected to a move. The wallet can ask again at ${until.toISOString()}.`,
    })
}

/** The code of a move. The agent's first code is public since its post, so another one is used. */
export function relinkCode({ secrets }: Pick<Deps, 'secrets'>, { id }: Pick<RelinkRow, 'id'>): string {
  return verificationCode(secrets, id)
}

/** Cancels the open move of an agent with a signature of its wallet. */
export async function cancelRelink(deps: RelinkDeps, network: Network, signed: SignedRelink): Promise<RelinkRow> {
  const agent = await getSigner(deps, network, signed)
  return deps.db.transaction(async (db) => {
    await spendChallenge(db, signed.message)
    const open = await lockOpenRelink(db, agent.id)
    const row = await endRelink(db, deps, open.id, { status: 'cancelled', by: 'wallet' })
    const summary = `The wallet cancelled the move to @${row.x_username}`
    await reportRelink(db, deps, row, { event: 'relink.ended', actor: 'owner', action: 'cancelRelink', summary })
    return row
  })
}

/** The agent whose wallet signed a challenge. */
async function getSigner(deps: RelinkDeps, network: Network, { message, signature }: SignedRelink): Promise<AgentRow> {
  const { walletAddress, username } = await getChallenge(deps, 'relink', message)
  await countSignature(deps, network)
  await requireStrangersSignature(deps, { address: walletAddress, hash: hashMessage(message), signature })
  const agent = await getAgentOfWallet(deps.db, walletAddress, username)
  return getAgent(deps.db, agent.id)
}
