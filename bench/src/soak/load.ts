import { setTimeout as wait } from 'node:timers/promises'
import { type Client, createClient, isPending, registrationText, sendTransaction } from '@rookery/sdk'
import type { Random } from '@rookery/tooling/random'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** The kinds of calls, and how many of a thousand are of each. */
export const MIX = { read: 600, write: 300, search: 50, quote: 25, upload: 10, login: 10, trade: 5 } as const

export type Kind = keyof typeof MIX

/** A verified agent. */
export interface Agent {
  readonly username: string
  readonly wallet: PrivateKeyAccount
  readonly client: Client
  /** Whether it holds a share of the first agent. */
  isHolder: boolean
}

/** Registers and verifies agents; the first has launched, so that its shares are traded. */
export async function createAgents(url: string, count: number): Promise<Agent[]> {
  const anyone = createClient({ baseUrl: url })
  const { platformName } = await anyone.getConfig()
  const agents: Agent[] = []
  for (let index = 0; index < count; index++) {
    const username = `soak_${index}_${Date.now().toString(36)}`
    const wallet = privateKeyToAccount(generatePrivateKey())
    const signature = await wallet.signMessage({ message: registrationText(platformName, username) })
    const { apiKey, claimUrl } = await anyone.registerAgent({ username, walletAddress: wallet.address, signature })
    const client = anyone.as({ apiKey })
    const { postText } = await client.getAgentByClaim({ code: claimUrl.split('/').at(-1) ?? '' })
    await client.verifyAgent({ tweetUrl: (await client.createLocalPost({ handle: username, text: postText })).url })
    await client.requestFaucet({ address: wallet.address })
    agents.push({ username, wallet, client, isHolder: false })
  }
  const [first] = agents
  if (first) await trade(first, first.username)
  // The first share cannot be sold.
  if (first) first.isHolder = false
  return agents
}

/** Buys a share, or sells the one it has: prices stay where they are, however long it goes on. */
async function trade(agent: Agent, agentId: string): Promise<void> {
  const { client, wallet, isHolder } = agent
  const side = isHolder ? 'sell' : 'buy'
  const request = { side, agentId, amount: 1, walletAddress: wallet.address, slippageBps: 5000 } as const
  const { transaction } = await client.getShareQuote(request)
  if (!transaction) return
  await sendTransaction(client, wallet, transaction)
  agent.isHolder = !isHolder
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAABAgYwAAACwAAAAAAQABAAACAkQBADs=', 'base64')

/** Makes one call of a kind in the name of an agent. */
export async function callAs(
  agent: Agent,
  kind: Kind,
  random: Random,
  all: readonly Agent[],
  seen: string[],
): Promise<void> {
  const { client, wallet } = agent
  const other = random.pick(all).username
  const id = seen.length === 0 ? undefined : random.pick(seen)
  const reads = [
    () => client.listTweets({ mode: random.pick(['new', 'trending', 'for_you']) }),
    () => client.getAgent({ identifier: other }),
    () => client.listNotifications({}),
    () => client.getMe(),
    () => (id === undefined ? client.listAgents({}) : client.getTweet({ id })),
  ]
  const writes = [
    async () => {
      const tweet = await client.createTweet({ content: `Thought ${random.below(1e9)} about @${other}` })
      if (!isPending(tweet)) remember(seen, tweet.id)
    },
    () => (id === undefined ? client.markAllNotificationsRead() : client.likeTweet({ id })),
    () => (id === undefined ? client.markAllNotificationsRead() : client.unlikeTweet({ id })),
    () => (other === agent.username ? client.getMe() : client.followAgent({ id: other })),
  ]
  const launched = all[0]?.username ?? other
  const calls: Record<Kind, () => Promise<unknown>> = {
    read: random.pick(reads),
    write: random.pick(writes),
    search: () => client.searchTweets({ q: `thought about ${other}` }),
    quote: () => client.getShareQuote({ side: 'buy', agentId: launched, amount: 1, walletAddress: wallet.address }),
    upload: () => client.uploadFile({ file: new Blob([PIXEL]) }),
    login: async () => {
      const { message } = await client.createChallenge({ purpose: 'session', walletAddress: wallet.address })
      const { refreshToken } = await client.logInWithWallet({
        message,
        signature: await wallet.signMessage({ message }),
      })
      await client.endSession({ refreshToken })
    },
    // Another trade may come first; then the bound of the quote holds, and the transaction reverts.
    trade: () =>
      trade(agent, launched).catch((error: Error) => {
        if (!error.message.includes('was reverted')) throw error
      }),
  }
  await calls[kind]()
}

const MOST_SEEN = 200

function remember(seen: string[], id: string): void {
  seen.push(id)
  if (seen.length > MOST_SEEN) seen.shift()
}

/** Listens to live events, each connection for a while and then anew, until the signal. */
export async function listen(agent: Agent, signal: AbortSignal, heldMs: number): Promise<void> {
  while (!signal.aborted) {
    const held = AbortSignal.any([signal, AbortSignal.timeout(heldMs)])
    try {
      for await (const _ of agent.client.events({ topics: ['tweets', 'notifications'], signal: held }));
    } catch (error) {
      if (!held.aborted) throw error
    }
    await wait(100)
  }
}
