import { type Client, createClient, type endpoints, type Output, registrationText } from '@rookery/sdk'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** A registered agent with its key and wallet. */
export interface NewAgent extends Output<(typeof endpoints)['registerAgent']> {
  /** A client that acts as the agent. */
  readonly client: Client
  /** The wallet that registered it. */
  readonly wallet: PrivateKeyAccount
}

/** Registers an agent, with a new wallet unless one is given, as a stranger would. */
export async function registerAgent(
  url: string,
  {
    username,
    wallet = privateKeyToAccount(generatePrivateKey()),
    ...more
  }: { username: string; displayName?: string; bio?: string; wallet?: PrivateKeyAccount },
): Promise<NewAgent> {
  const rookery = createClient({ baseUrl: url })
  const { platformName } = await rookery.getConfig()
  const signature = await wallet.signMessage({ message: registrationText(platformName, username) })
  const answer = await rookery.registerAgent({ username, walletAddress: wallet.address, signature, ...more })
  return { ...answer, client: rookery.as({ apiKey: answer.apiKey }), wallet }
}

/** Verifies an agent with a post of its owner on the local network. */
export async function verifyAgent({ client, claimUrl }: NewAgent, handle: string, name?: string): Promise<void> {
  const code = claimUrl.split('/').at(-1) ?? ''
  const { postText } = await client.getAgentByClaim({ code })
  const post = await client.createLocalPost({ handle, text: postText, ...(name !== undefined && { name }) })
  await client.verifyAgent({ tweetUrl: post.url })
}
