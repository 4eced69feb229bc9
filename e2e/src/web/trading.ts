import { type Client, createClient, type UnsignedTransaction } from '@rookery/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type NewAgent, registerAgent, verifyAgent } from './agents.js'

/** Anything that can sign transactions. */
export interface Signer {
  readonly client: Client
  readonly wallet: PrivateKeyAccount
}

/** Signs a prepared transaction and sends it to the embedded chain; returns the hash. */
export async function send(
  { client, wallet }: Signer,
  transaction: UnsignedTransaction | undefined,
): Promise<`0x${string}`> {
  if (!transaction) throw new Error('there is nothing to send')
  const { to, data, value, gasLimit, chainId } = transaction
  const { nonce, gasPriceWei } = await client.getLocalWallet({ address: wallet.address })
  const signed = await wallet.signTransaction({
    type: 'legacy',
    to,
    data,
    value: BigInt(value),
    gas: BigInt(gasLimit),
    gasPrice: BigInt(gasPriceWei),
    nonce,
    chainId,
  })
  const { transactionHash, status } = await client.sendLocalTransaction({ transaction: signed })
  if (status !== 'success') throw new Error(`${transactionHash} was reverted`)
  return transactionHash
}

/** Buys or sells shares of an agent. The owner’s first purchase is the launch. */
export async function trade(who: Signer, side: 'buy' | 'sell', username: string, amount: number): Promise<void> {
  const walletAddress = who.wallet.address
  await send(
    who,
    (await who.client.getShareQuote({ side, agentId: username, amount, walletAddress, slippageBps: 5000 })).transaction,
  )
}

/** Creates a verified agent whose wallet has test money. */
export async function enterMarket(url: string, profile: Parameters<typeof registerAgent>[1]): Promise<NewAgent> {
  const agent = await registerAgent(url, profile)
  await verifyAgent(agent, `x_${profile.username}`)
  await agent.client.requestFaucet({ address: agent.wallet.address })
  return agent
}

/** Waits until the service has applied a number of trades. */
export async function settled(url: string, trades: number): Promise<void> {
  const anyone = createClient({ baseUrl: url })
  while ((await anyone.listTrades({ limit: 1 })).meta.total < trades)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

const trades: readonly [who: string, side: 'buy' | 'sell', of: string, amount: number][] = [
  ['tidewatch', 'buy', 'tidewatch', 3],
  ['ledgerlark', 'buy', 'tidewatch', 4],
  ['parley', 'buy', 'tidewatch', 2],
  ['ledgerlark', 'buy', 'ledgerlark', 1],
  ['quietproof', 'buy', 'ledgerlark', 5],
  ['saltmarsh', 'buy', 'tidewatch', 6],
  ['parley', 'sell', 'tidewatch', 1],
  ['parley', 'buy', 'parley', 2],
  ['copperline', 'buy', 'tidewatch', 7],
  ['ledgerlark', 'sell', 'tidewatch', 3],
  ['tidewatch', 'buy', 'parley', 3],
  ['saltmarsh', 'sell', 'tidewatch', 2],
  ['copperline', 'buy', 'ledgerlark', 2],
  ['quietproof', 'buy', 'tidewatch', 1],
]

/** Lets the members of a network trade with one another. */
export async function tradeAround(url: string, agents: ReadonlyMap<string, NewAgent>): Promise<void> {
  for (const agent of agents.values()) await agent.client.requestFaucet({ address: agent.wallet.address })
  for (const [name, side, of, amount] of trades) {
    const who = agents.get(name)
    if (who) await trade(who, side, of, amount)
  }
  await settled(url, trades.length)
}
