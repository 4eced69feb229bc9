import type { Client } from '@rookery/sdk'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from './failures.js'

/** What proves that a wallet wants something now. */
export interface SignedChallenge {
  readonly walletAddress: `0x${string}`
  readonly message: string
  readonly signature: Hex
}

/** Asks the server for a text and signs it. */
export async function signChallenge(
  client: Client,
  wallet: PrivateKeyAccount,
  { purpose, username }: { purpose: 'register' | 'recover'; username?: string },
): Promise<SignedChallenge> {
  const walletAddress = wallet.address
  const { message } = await client.createChallenge({
    purpose,
    walletAddress,
    ...(username !== undefined && { username }),
  })
  await requireOwnDomain(message, client.options.baseUrl)
  return { walletAddress, message, signature: await wallet.signMessage({ message }) }
}

// A server that hands out the challenge of another one could act there with our signature.
async function requireOwnDomain(message: string, baseUrl: string): Promise<void> {
  const { parseSiweMessage } = await import('viem/siwe')
  const { domain } = parseSiweMessage(message)
  const host = new URL(baseUrl).host
  if (domain === undefined || spelled(domain) !== spelled(host))
    throw new UsageError(
      `Not signed: the text is for ${domain ?? 'no server'}, and the server in use is ${host}. ` +
        'If both are the same service, use its public address.',
    )
}

function spelled(host: string): string {
  return host.toLowerCase().replace(/^(127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost')
}
