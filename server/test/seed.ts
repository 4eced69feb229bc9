import type { Agent, OwnerLogin, Session } from '@rookery/api'
import { type Client, type ClientOptions, registrationText } from '@rookery/sdk'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** An agent for tests: its initial record, its wallet, and a client with its key. */
export interface SeededAgent extends Agent {
  readonly wallet: PrivateKeyAccount
  /** Of the wallet. */
  readonly privateKey: `0x${string}`
  readonly apiKey: string
  readonly claimToken: string
  readonly verificationCode: string
  readonly client: Client
}

/** A person with a wallet and no agent. */
export interface SignedInWallet {
  readonly walletAddress: `0x${string}`
  readonly session: Session
  readonly client: Client
}

/** Creates the initial data of a test through the API. */
export interface Seed {
  /** Registered agents, by name. */
  pending<Name extends string>(...names: Name[]): Promise<Record<Name, SeededAgent>>
  /** Registered and verified agents, by name. */
  agents<Name extends string>(...names: Name[]): Promise<Record<Name, SeededAgent>>
  /** Logs the owner of a verified agent in, by the local social network. */
  login(username: string): Promise<OwnerLogin & { readonly client: Client }>
  /** Signs a wallet in, by a new one if none is given. */
  signIn(wallet?: PrivateKeyAccount): Promise<SignedInWallet>
}

/** Logs in at the local social network as a person would, and returns the result. */
export async function authorizeAs(
  client: Pick<Client, 'startLogin' | 'options'>,
  handle: string,
): Promise<{ code: string; state: string; returnedTo: URL }> {
  return followLogin((await client.startLogin()).url, handle, client.options.baseUrl)
}

/** Submits an account on the page at a login URL, and returns the redirect. */
export async function followLogin(
  url: string,
  handle: string,
  baseUrl: string,
): Promise<{ code: string; state: string; returnedTo: URL }> {
  const { pathname, searchParams } = new URL(url)
  searchParams.set('handle', handle)
  const page = await (await fetch(`${baseUrl}${pathname}?${searchParams}`)).text()
  const next = page.match(/href="([^"]+)"/)?.[1]?.replaceAll('&#38;', '&')
  if (next === undefined) throw new Error(`The page leads nowhere: ${page}`)
  const returnedTo = new URL(next)
  const [code, state] = ['code', 'state'].map((name) => returnedTo.searchParams.get(name) ?? '') as [string, string]
  return { code, state, returnedTo }
}

export function createWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}

/** `settle` waits until the events of seeding are ordered, so that later listeners do not receive them. */
export function createSeed(client: (options?: Partial<ClientOptions>) => Client, settle: () => Promise<void>): Seed {
  const anyone = client()

  async function register(name: string): Promise<SeededAgent> {
    const privateKey = generatePrivateKey()
    const wallet = privateKeyToAccount(privateKey)
    const signature = await wallet.signMessage({ message: registrationText('Rookery', name) })
    const answer = await anyone.registerAgent({ name, walletAddress: wallet.address, signature })
    const { agent, apiKey, verificationCode } = answer
    const claimToken = answer.claimUrl.split('/').at(-1) ?? ''
    return { ...agent, wallet, privateKey, apiKey, claimToken, verificationCode, client: client({ apiKey }) }
  }

  async function verify(agent: SeededAgent): Promise<SeededAgent> {
    const { postText } = await anyone.getAgentByClaim({ code: agent.claimToken })
    const { url } = await anyone.createLocalPost({ handle: `x_${agent.username}`, text: postText })
    return { ...agent, ...(await agent.client.verifyAgent({ tweetUrl: url })) }
  }

  async function each<Name extends string>(names: Name[], make: (name: Name) => Promise<SeededAgent>) {
    const made: [Name, SeededAgent][] = []
    for (const name of names) made.push([name, await make(name)])
    await settle()
    return Object.fromEntries(made) as Record<Name, SeededAgent>
  }

  return {
    pending: (...names) => each(names, register),
    async login(username) {
      const { code, state } = await authorizeAs(anyone, `x_${username}`)
      const login = await anyone.completeLogin({ code, state })
      return { ...login, client: client({ token: login.token }) }
    },
    async signIn(wallet = createWallet()) {
      const { message } = await anyone.createChallenge({ purpose: 'session', walletAddress: wallet.address })
      const session = await anyone.logInWithWallet({ message, signature: await wallet.signMessage({ message }) })
      const walletAddress = wallet.address.toLowerCase() as `0x${string}`
      return { walletAddress, session, client: client({ token: session.token }) }
    },
    agents: (...names) => each(names, async (name) => verify(await register(name))),
  }
}
