import { type Hex, hashMessage } from 'viem'
import type { Deps } from '../../deps.js'
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
  return openSession(deps, { wallet }, { continued, prove: (db) => spendChallenge(db, message) })
}
