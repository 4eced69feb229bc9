import type { Client } from '@rookery/sdk'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { UsageError } from './failures.js'

/** A freshly signed challenge, which proves that the wallet is present. */
export interface SignedChallenge {
  readonly walletAddress: `0x${string}`
  readonly message: string
  readonly signature: Hex
}

/** Requests a challenge from the server and signs it. */
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

// A malicious server could relay the challenge of another one, and use our signature there.
async function requireOwnDomain(message: string, baseUrl: string): Promise<void> {
  const { parseSiweMessage } = await import('viem/siwe')
  const { domain } = parseSiweMessage(message)
  const host = new URL(baseUrl).host
  if (domain === undefined || normalizeHost(domain) !== normalizeHost(host))
    throw new UsageError(
      `Not signed: the text is for ${domain ?? 'no server'}, and the server in use is ${host}. ` +
        'If both are the same service, use its public address.',
    )
}

function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/^(127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost')
}
