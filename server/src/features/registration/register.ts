import { registrationText } from '@rookery/api'
import { subjectAddress } from '@rookery/contracts'
import sql from 'sql-template-tag'
import { type Hex, hashMessage } from 'viem'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { requireNoBan, requireNoBanYet } from '../../foundation/callers/wallet-bans.js'
import { isHeld } from '../../foundation/held-names.js'
import { getChallenge, spendChallenge } from '../agents/challenges.js'
import { claimUrl, verificationCode } from '../agents/claim.js'
import { issueKey } from '../agents/keys.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'
import { requireChallenge } from '../agents/require-challenge.js'
import { requireStrangersSignature } from '../agents/signatures.js'
import { spendStaticSignature } from '../agents/static-signatures.js'
import { chooseUsername } from '../agents/username.js'
import { storeCodes } from '../agents/verification-codes.js'
import { adoptShares } from '../shares/adopt.js'
import { countRegistration, countSignature, requireRoomForPending } from './registration-limits.js'

export interface NewAgent {
  readonly username?: string
  readonly name?: string
  readonly walletAddress?: `0x${string}`
  readonly signature: Hex
  readonly message?: string
  readonly displayName?: string
  readonly bio?: string
  readonly xUsername?: string
}

/** A new agent, with the secrets that are shown only once. */
export interface Registration {
  readonly agent: AgentRow
  readonly apiKey: string
  readonly claimUrl: string
  readonly verificationCode: string
}

type RegisterDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'config' | 'secrets' | 'chain' | 'limiter'>

/** Registers an agent for the wallet that signed the static text or a challenge. */
export async function registerAgent(deps: RegisterDeps, network: Network, input: NewAgent): Promise<Registration> {
  requireChallenge(deps.config, 'register', input.message)
  const challenge = input.message === undefined ? undefined : await getChallenge(deps, 'register', input.message)
  const username = input.username ?? (input.name === undefined ? challenge?.username : undefined)
  const name = (input.name ?? username)?.trim()
  if (!name) throw Problem.at('username', 'is required, or name instead')
  const handle = chooseUsername({ ...(username !== undefined && { username }), name }, deps.config.PLATFORM_HANDLE)
  // Before the signature, whose check may need calls to the chain.
  if (await isTaken(deps, handle)) throw new Problem('USERNAME_TAKEN')
  const wallet = await verifyWallet(deps, network, input, { name, challenge })
  if (challenge?.username !== undefined && challenge.username !== name.toLowerCase() && challenge.username !== handle)
    throw new Problem('CHALLENGE_INVALID', {
      message: 'The challenge was issued for another username. Request a new one.',
    })
  await requireNoBan(deps.db, deps, wallet)
  await countRegistration(deps, wallet)
  return insertAgent(deps, input, { wallet, name, username: handle })
}

async function isTaken(deps: RegisterDeps, username: string): Promise<boolean> {
  const agent = await deps.db.find(sql`select from agent where username = ${username}`)
  return agent !== undefined || isHeld(deps.db, deps, `username ${username}`)
}

async function verifyWallet(
  deps: RegisterDeps,
  network: Network,
  { walletAddress, signature, message }: NewAgent,
  { name, challenge }: { name: string; challenge: { walletAddress: `0x${string}` } | undefined },
): Promise<`0x${string}`> {
  const wallet = challenge?.walletAddress ?? walletAddress?.toLowerCase()
  if (!wallet) throw Problem.at('walletAddress', 'is required')
  if (walletAddress && walletAddress.toLowerCase() !== wallet)
    throw Problem.at('walletAddress', 'must be the wallet that the challenge was issued for')
  const address = wallet as `0x${string}`
  await countSignature(deps, network)
  await requireStrangersSignature(deps, {
    address,
    hash: hashMessage(message ?? registrationText(deps.config.PLATFORM_NAME, name)),
    signature,
  })
  return address
}

async function insertAgent(
  deps: RegisterDeps,
  input: NewAgent,
  { wallet, name, username }: { wallet: `0x${string}`; name: string; username: string },
): Promise<Registration> {
  const { clock, ids, queue, secrets } = deps
  return deps.db.transaction(async (db) => {
    await requireNoBanYet(db, deps, wallet)
    await requireRoomForPending(db, deps, wallet)
    if (input.message !== undefined) await spendChallenge(db, input.message)
    const now = clock.now()
    const inserted = await db.find<AgentRow>(sql`
      insert into agent (id, username, name, display_name, bio, wallet_address, subject, x_username, created_at, updated_at)
      values (${ids.next()}, ${username}, ${name}, ${input.displayName?.trim() || name}, ${input.bio ?? ''}, ${wallet},
        ${subjectAddress(wallet, username)}, ${input.xUsername?.replace(/^@/, '') ?? null}, ${now}, ${now})
      on conflict (username) do nothing
      returning ${agentColumns}`)
    // Asked again: whoever had the name may have been erased while this one waited for it.
    if (!inserted || (await isHeld(db, deps, `username ${username}`))) throw new Problem('USERNAME_TAKEN')
    if (input.message === undefined) await spendStaticSignature(db, deps, { wallet, purpose: 'register', name })
    const agent = await adoptShares(db, inserted, now)
    await storeCodes(db, secrets, [agent.id])
    await queue.enqueue(db, 'embed_agent', { id: agent.id })
    const apiKey = await issueKey(db, deps, agent.id)
    return { agent, apiKey, claimUrl: claimUrl(deps, agent.id), verificationCode: verificationCode(secrets, agent.id) }
  })
}
