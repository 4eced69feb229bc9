import { type ChallengeRequest, type Client, isWalletError, type SignedChallenge, signChallenge } from '@rookery/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from './failures.js'

/** Requests a challenge from the server and signs it, if it is for what was asked. */
export async function proveWallet(
  client: Client,
  wallet: PrivateKeyAccount,
  asked: ChallengeRequest,
): Promise<SignedChallenge> {
  try {
    return await signChallenge(client, wallet, asked)
  } catch (error) {
    if (isWalletError(error, 'WRONG_CHALLENGE')) throw new UsageError(error.message)
    throw error
  }
}
