import { type Hex, hashMessage } from 'viem'
import type { Deps } from '../../deps.js'
import { requireNoBanYet } from '../../foundation/callers/wallet-bans.js'
import type { Db } from '../../foundation/db/db.js'
import { getChallenge, spendChallenge } from '../agents/challenges.js'
import { requireStrangersSignature } from '../agents/signatures.js'
import { openSession, type Tokens } from './sessions.js'

type WalletLoginDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'sessionTokens' | 'chain' | 'limiter' | 'config'>

/** Opens a session for the wallet that signed a challenge. It reads what the wallet's shares open, and changes nothing. */
export async function logInWithWallet(
  deps: WalletLoginDeps,
  { message, signature }: { message: string; signature: Hex },
  continued?: string | undefined,
): Promise<Tokens> {
  const { walletAddress: wallet } = await getChallenge(deps, 'session', message)
  await requireStrangersSignature(deps, { address: wallet, hash: hashMessage(message), signature })
  const prove = async (db: Db) => {
    await requireNoBanYet(db, deps, wallet)
    await spendChallenge(db, message)
  }
  return openSession(deps, { wallet }, { continued, prove })
}
