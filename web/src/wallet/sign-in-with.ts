import { rookery } from '../api/client.js'
import { signIn } from '../api/session.js'
import type { Wallet } from './provider.js'

/** Has a connected wallet sign a text of the service, which moves nothing, and opens a session with it. */
export async function signInWith({ address, connection }: Wallet): Promise<void> {
  const { message } = await rookery.createChallenge({ purpose: 'session', walletAddress: address })
  await signIn({ message, signature: await connection.sign(message) })
}
