import { createHash, randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

const LIFETIME_MS = 10 * 60_000

export type Purpose = 'register' | 'recover' | 'session' | 'relink'

/** Issues an EIP-4361 message that one wallet can sign once, for one purpose. */
export async function createChallenge(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { purpose, walletAddress, username }: { purpose: Purpose; walletAddress: `0x${string}`; username?: string },
): Promise<{ message: string; nonce: string; expiresAt: string }> {
  const issuedAt = clock.now()
  const expiresAt = new Date(issuedAt.getTime() + LIFETIME_MS)
  // Not by viem, whose nonces are pieces of one text: each tells most of the next.
  const nonce = randomBytes(16).toString('hex')
  const message = createSiweMessage({
    domain: new URL(config.webUrl).host,
    address: getAddress(walletAddress),
    statement: statementFor(purpose, config.PLATFORM_NAME, username),
    uri: config.webUrl,
    version: '1',
    chainId: config.chainId,
    nonce,
    issuedAt,
    expirationTime: expiresAt,
  })
  await db.run(sql`
    insert into challenge (message_hash, purpose, wallet_address, username, expires_at)
    values (${hash(message)}, ${purpose}, ${walletAddress.toLowerCase()}, ${username?.trim().toLowerCase() ?? null}, ${expiresAt})`)
  return { message, nonce, expiresAt: expiresAt.toISOString() }
}

// EIP-4361 allows one line of printable ASCII.
function statementFor(purpose: Purpose, platform: string, username: string | undefined): string {
  const printable = (text: string) => text.replace(/[^\x20-\x7e]/g, '').trim()
  if (purpose === 'session') return `Sign in to ${printable(platform)} with this wallet. This moves nothing.`
  // A sentence of ours has no room for more than a name.
  const name = printable(username ?? '')
    .replace(/\W+/g, '_')
    .slice(0, 30)
  const agent = `my agent${name ? ` ${name}` : ''} on ${printable(platform)}`
  // One signature begins a move or cancels it.
  if (purpose === 'relink') return `Begin or cancel the move of ${agent} to another social account.`
  return `${{ register: 'Register', recover: 'Recover' }[purpose]} ${agent}.`
}

/** The wallet and username of a challenge. Throws if the challenge is unknown, used or expired. */
export async function getChallenge(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  purpose: Purpose,
  message: string,
): Promise<{ walletAddress: `0x${string}`; username: string | undefined }> {
  const row = await db.find<Row<'challenge', 'wallet_address' | 'username'>>(sql`
    select wallet_address, username from challenge
    where message_hash = ${hash(message)} and purpose = ${purpose} and expires_at > ${clock.now()}`)
  if (!row) throw new Problem('CHALLENGE_INVALID')
  return { walletAddress: row.wallet_address, username: row.username ?? undefined }
}

/** Spends a challenge. Of several parallel calls, one succeeds. */
export async function spendChallenge(db: Db, message: string): Promise<void> {
  const spent = await db.run(sql`delete from challenge where message_hash = ${hash(message)}`)
  if (spent === 0) throw new Problem('CHALLENGE_INVALID')
}

export function deleteExpiredChallenges({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return db.run(sql`delete from challenge where expires_at <= ${clock.now()}`)
}

function hash(message: string): Buffer {
  return createHash('sha256').update(message).digest()
}
