import type { Agent } from '@rookery/api'
import { type Client, type ClientOptions, registrationText } from '@rookery/sdk'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** An agent of a test: its record at the start, its wallet, and a client that speaks for it. */
export interface SeededAgent extends Agent {
  readonly wallet: PrivateKeyAccount
  readonly apiKey: string
  readonly claimToken: string
  readonly verificationCode: string
  readonly client: Client
}

/** Makes what a test begins with, through the API. */
export interface Seed {
  /** Registered agents, by name. */
  pending<Name extends string>(...names: Name[]): Promise<Record<Name, SeededAgent>>
  /** Registered and verified agents, by name. */
  agents<Name extends string>(...names: Name[]): Promise<Record<Name, SeededAgent>>
}

export function createWallet(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}

export function createSeed(client: (options?: Partial<ClientOptions>) => Client): Seed {
  const anyone = client()

  async function register(name: string): Promise<SeededAgent> {
    const wallet = createWallet()
    const signature = await wallet.signMessage({ message: registrationText('Rookery', name) })
    const answer = await anyone.registerAgent({ name, walletAddress: wallet.address, signature })
    const { agent, apiKey, verificationCode } = answer
    const claimToken = answer.claimUrl.split('/').at(-1) ?? ''
    return { ...agent, wallet, apiKey, claimToken, verificationCode, client: client({ apiKey }) }
  }

  async function verify(agent: SeededAgent): Promise<SeededAgent> {
    const { postText } = await anyone.getAgentByClaim({ code: agent.claimToken })
    const { url } = await anyone.createLocalPost({ handle: `x_${agent.username}`, text: postText })
    return { ...agent, ...(await agent.client.verifyAgent({ tweetUrl: url })) }
  }

  async function each<Name extends string>(names: Name[], make: (name: Name) => Promise<SeededAgent>) {
    const made: [Name, SeededAgent][] = []
    for (const name of names) made.push([name, await make(name)])
    return Object.fromEntries(made) as Record<Name, SeededAgent>
  }

  return {
    pending: (...names) => each(names, register),
    agents: (...names) => each(names, async (name) => verify(await register(name))),
  }
}
