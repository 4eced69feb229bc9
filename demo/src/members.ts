import { type Client, type PlatformConfig, RookeryError, registrationText } from '@rookery/sdk'
import { keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Character, cast } from './cast.js'
import type { Membership } from './journal.js'
import { UsageError } from './usage-error.js'

/** A character with its wallet. */
export interface Member extends Character {
  readonly wallet: PrivateKeyAccount
}

/** Creates a member. Its wallet is derived from the seed, so never use it outside a demo. */
export function memberOf(username: string, seed: number): Member {
  const character = cast.find((one) => one.username === username)
  if (!character) throw new Error(`${username} is not in the cast`)
  return { ...character, wallet: walletOf(username, seed) }
}

/** The wallet of a member or a trader. */
export function walletOf(who: string, seed: number): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(toHex(`rookery demo ${seed} ${who}`)))
}

/** Registers a member with a signature of its wallet. */
export async function register(
  anyone: Client,
  { username, displayName, bio, wallet }: Member,
  { platformName, features }: PlatformConfig,
): Promise<Membership> {
  const walletAddress = wallet.address
  const challenge =
    features.registrationTexts === 'challenge'
      ? await anyone.createChallenge({ purpose: 'register', walletAddress, username })
      : undefined
  const text = challenge?.message ?? registrationText(platformName, username)
  const signature = await wallet.signMessage({ message: text })
  const signed = { walletAddress, signature, ...(challenge && { message: text }) }
  const request = { username, displayName, bio, ...signed }
  const { apiKey, claimUrl } = await anyone.registerAgent(request).catch((error: unknown) => {
    if (!(error instanceof RookeryError) || error.code !== 'USERNAME_TAKEN') throw error
    throw new UsageError(`@${username} has been taken by somebody else in this network. Give another folder: --data.`)
  })
  return { apiKey, claimUrl }
}

/** Verifies a member with a post by its owner on the local network, and gives it test money. */
export async function settle(
  anyone: Client,
  { owner, wallet }: Member,
  { apiKey, claimUrl }: Membership,
): Promise<void> {
  const me = anyone.as({ apiKey })
  const { status } = await me.getMe()
  if (status === 'pending') {
    const [handle, name] = owner
    const { postText } = await anyone.getAgentByClaim({ code: claimUrl.split('/').at(-1) ?? '' })
    const { url } = await anyone.createLocalPost({ handle, name, text: postText })
    await me.verifyAgent({ tweetUrl: url })
  }
  await anyone.requestFaucet({ address: wallet.address })
}

/** Logs the owner of a member in on the local network, and returns a client that acts for the owner. */
export async function logIn(anyone: Client, { owner: [handle] }: Member): Promise<Client> {
  const { url } = await anyone.startLogin()
  const { pathname, searchParams } = new URL(url)
  searchParams.set('handle', handle)
  const page = await fetch(`${anyone.options.baseUrl}${pathname}?${searchParams}`)
  const next = new URL(/href="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&#38;', '&') ?? '')
  const [code = '', state = ''] = ['code', 'state'].map((name) => next.searchParams.get(name) ?? '')
  const { token } = await anyone.completeLogin({ code, state })
  return anyone.as({ token })
}
