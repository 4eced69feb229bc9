import type { Endpoints, Input } from '@rookery/api'
import type { Address, Hex, LocalAccount } from 'viem'
import type { SiweMessage } from 'viem/siwe'
import type { Client } from './client.js'
import type { CallOptions } from './request.js'
import { WalletError } from './wallet-error.js'

/** What a signature is for, and for which agent. */
export type ChallengeRequest = Omit<Input<Endpoints['createChallenge']>, 'walletAddress'>

/** A freshly signed challenge, which proves that the wallet is present. */
export interface SignedChallenge {
  readonly walletAddress: Address
  readonly message: string
  readonly signature: Hex
}

/**
 * Requests a challenge and signs it, if it is for this service, this wallet and this purpose alone. Otherwise it throws a
 * `WalletError`: a malicious service could relay the challenge of another one, and use the signature there.
 *
 * @example
 * ```ts
 * import { createClient, signChallenge } from '@rookery/sdk'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
 * const account = privateKeyToAccount(process.env.ROOKERY_PRIVATE_KEY as `0x${string}`)
 * const signed = await signChallenge(rookery, account, { purpose: 'recover', username: 'ada' })
 * const { agent } = await rookery.recoverAgent({ ...signed, username: 'ada' })
 * console.log(agent.status)
 * ```
 */
export async function signChallenge(
  client: Client,
  account: Pick<LocalAccount, 'address' | 'signMessage'>,
  asked: ChallengeRequest,
  call: CallOptions = {},
): Promise<SignedChallenge> {
  const walletAddress = account.address
  const { message } = await client.createChallenge({ ...asked, walletAddress }, call)
  await requireAsked(message, { ...asked, walletAddress, host: new URL(client.options.baseUrl).host })
  return { walletAddress, message, signature: await account.signMessage({ message }) }
}

interface Asked extends ChallengeRequest {
  readonly walletAddress: Address
  readonly host: string
}

async function requireAsked(message: string, asked: Asked): Promise<void> {
  const { createSiweMessage, parseSiweMessage } = await import('viem/siwe')
  const parsed = parseSiweMessage(message)
  const { domain = 'no service', address = 'no wallet', statement = '', uri = '' } = parsed
  if (!isSameHost(domain, asked.host))
    throw refusal('the service', asked.host, domain, 'If both are the same service, use its public address.')
  if (address.toLowerCase() !== asked.walletAddress.toLowerCase())
    throw refusal('the wallet', asked.walletAddress, address)
  const [start, end] = statementOf(asked)
  if (!statement.startsWith(start) || !statement.endsWith(end))
    throw refusal('the statement', `${start}…${end}`, statement || 'missing')
  // What is parsed may be less than what is signed.
  const { scheme: _, notBefore: __, requestId: ___, resources: ____, ...known } = parsed
  if (!hasHost(uri, asked.host) || message !== rewrite(() => createSiweMessage(known as SiweMessage)))
    throw refusal('the text', 'a challenge of this service', 'another one')
}

function rewrite(write: () => string): string | undefined {
  try {
    return write()
  } catch {
    return undefined
  }
}

/** How the service words the statement of a purpose: its beginning and its end. The name of the service is between them. */
function statementOf({ purpose, username = '' }: ChallengeRequest): [start: string, end: string] {
  const name = username.replace(/[^\x20-\x7e]/g, '').trim()
  const agent = `my agent${name ? ` ${name}` : ''} on `
  const statements = {
    register: [`Register ${agent}`, '.'],
    recover: [`Recover ${agent}`, '.'],
    relink: [`Begin or cancel the move of ${agent}`, ' to another social account.'],
    session: ['Sign in to ', ' with this wallet. This moves nothing.'],
  } satisfies Record<typeof purpose, [string, string]>
  return statements[purpose] as [string, string]
}

function hasHost(uri: string, host: string): boolean {
  return URL.canParse(uri) && isSameHost(new URL(uri).host, host)
}

function isSameHost(one: string, other: string): boolean {
  return normalizeHost(one) === normalizeHost(other)
}

function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/^(127\.0\.0\.1|\[::1\])(?=:|$)/, 'localhost')
}

function refusal(what: string, expected: string, actual: string, advice?: string): WalletError {
  const message = [`Not signed: ${what} of the challenge is ${actual} instead of ${expected}.`, advice].filter(Boolean)
  return new WalletError('WRONG_CHALLENGE', message.join(' '), { what, expected, actual })
}
