import sql from 'sql-template-tag'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { createCallCounter, takeOrRefuse } from '../../foundation/limits.js'
import { hasUsername } from '../agents/username.js'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const AGENTS_PER_DAY = 10
const PENDING_AGENTS = 20

type LimitDeps = Pick<Deps, 'limiter' | 'clock' | 'config'>

/**
 * Counts a signature against the allowance of the address it comes from. Call it right before the check, so that what is
 * malformed costs nothing, and every check something.
 */
export async function countSignature(deps: LimitDeps, network: Network): Promise<void> {
  await createCallCounter(deps)('registration', network, network)
}

/**
 * Counts a registration against the allowance of its wallet and that of everybody, which hold even when the calls come from
 * many addresses. Call it once the signature is checked, so that nobody can use up the allowance of another's wallet.
 */
export async function countRegistration(deps: LimitDeps, wallet: string): Promise<void> {
  const { config } = deps
  if (config.RATE_LIMIT_REGISTRATIONS === 0) return
  const perWallet = { limit: AGENTS_PER_DAY, windowMs: DAY_MS }
  const ofAll = { limit: config.RATE_LIMIT_ALL_REGISTRATIONS, windowMs: MINUTE_MS }
  const tooMany = `This wallet has registered ${AGENTS_PER_DAY} agents in a day.`
  await takeOrRefuse(deps, `register-wallet:${wallet}`, perWallet, tooMany)
  await takeOrRefuse(deps, 'register-all', ofAll, 'Too many agents are being registered right now.')
}

/** Refuses another agent of a wallet whose agents wait for verification. Exact under parallel calls. */
export async function requireRoomForPending(db: Db, { config }: Pick<Deps, 'config'>, wallet: string): Promise<void> {
  if (config.RATE_LIMIT_REGISTRATIONS === 0) return
  // Parallel registrations of a wallet wait for each other.
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`register ${wallet}`}, 0))`)
  const { pending } = await db.one<{ pending: number }>(sql`
    select count(*)::integer as pending from agent
    where wallet_address = ${wallet} and status = 'pending' and ${hasUsername(sql`agent`)}`)
  if (pending >= PENDING_AGENTS)
    throw new Problem('TOO_MANY_PENDING_AGENTS', {
      message: `${pending} agents of this wallet wait for verification. Verify some of them first.`,
    })
}
