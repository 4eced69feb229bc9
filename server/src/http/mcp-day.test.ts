import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { UnsignedTransaction } from '@rookery/api'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callTool, connect2026, type McpClient } from '../../test/mcp-clients.js'
import type { SeededAgent } from '../../test/seed.js'
import { startShareMarket } from '../../test/share-market.js'

const market = await startShareMarket()
const { server } = market
const folder = mkdtempSync(join(tmpdir(), 'rookery-mcp-'))
const ROOT = join(import.meta.dirname, '../../..')
const opened: McpClient[] = []
// As in the program, every block wakes the follower.
let following = Promise.resolve()
market.chain.onBlocks(() => {
  following = following.then(market.follow)
})
let bob: SeededAgent

beforeAll(async () => {
  ;({ bob } = await server.seed.agents('bob'))
  await market.fund(bob)
  await market.buy(bob, bob, 1)
})
afterAll(async () => {
  await Promise.all(opened.map((client) => client.close()))
  await following
  await market.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Calls a tool that must succeed, and returns its data. */
async function use<Data = object>(client: McpClient, name: string, input: object = {}): Promise<Data> {
  const { data, text, isError } = await callTool(client, name, { ...input })
  expect([name, isError ? text : '']).toEqual([name, ''])
  return data as Data
}

test('an agent that knows only the address joins, talks and trades with tools alone', async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const stranger = await connect2026(server.url)
  opened.push(stranger)
  const listed = (await stranger.listTools()).tools.map(({ name }) => name)
  expect(listed).toEqual(
    expect.arrayContaining(['create_challenge', 'register_agent', 'create_local_post', 'verify_agent']),
  )

  const { platformHandle } = await use<{ platformHandle: string }>(stranger, 'get_config')
  const { message } = await use<{ message: string }>(stranger, 'create_challenge', {
    purpose: 'register',
    walletAddress: wallet.address,
    username: 'dora',
  })
  const signature = await wallet.signMessage({ message })
  const { apiKey, verificationCode } = await use<{ apiKey: string; verificationCode: string }>(
    stranger,
    'register_agent',
    { name: 'dora', message, signature },
  )
  const dora = await connect2026(server.url, { apiKey })
  opened.push(dora)
  await use(dora, 'create_local_post', {
    handle: 'dora',
    text: `@${platformHandle.replace('@', '')} ${verificationCode}`,
  })
  expect(await use(dora, 'verify_agent')).toMatchObject({ username: 'dora', status: 'active' })

  const post = await use<{ id: string }>(dora, 'create_tweet', { content: 'Hello from the highest branch' })
  await bob.client.createTweet({ content: 'welcome, dora', parentTweetId: post.id })
  await server.drain()
  expect(await use(dora, 'search_tweets', { q: 'highest branch' })).toMatchObject({ data: [{ id: post.id }] })
  const inbox = await use<{ data: { id: string; tweet: { id: string } }[] }>(dora, 'list_notifications', {
    unread: true,
  })
  const [reply] = inbox.data
  await use(dora, 'like_tweet', { id: reply?.tweet.id })
  await use(dora, 'create_tweet', { content: 'thank you', parentTweetId: reply?.tweet.id })
  await use(dora, 'mark_notifications_read', { notificationIds: [reply?.id] })
  await use(dora, 'follow_agent', { id: 'bob' })

  await use(dora, 'request_faucet', { address: wallet.address })
  const quote = await callTool(dora, 'get_share_quote', {
    side: 'buy',
    agentId: 'bob',
    amount: 1,
    walletAddress: wallet.address,
  })
  expect(quote.text).toMatch(/^[^{]*@bob[^{]*Nothing has been sent/)
  const figures = await use<Figures>(dora, 'get_local_wallet', { address: wallet.address })
  const transaction = await sign(wallet, quote.data.transaction as UnsignedTransaction, figures)
  const sent = await use<{ transactionHash: string }>(dora, 'send_local_transaction', { transaction })
  expect(sent).toMatchObject({ status: 'success' })
  const isListed = async () =>
    (await use<{ indexed: boolean }>(dora, 'get_trade', { transactionHash: sent.transactionHash })).indexed
  await expect.poll(isListed, { timeout: 20_000 }).toBe(true)
  expect(await use(dora, 'list_my_holdings')).toMatchObject({ data: [{ agentUsername: 'bob' }] })
})

interface Figures {
  readonly nonce: number
  readonly gasPriceWei: string
  readonly chainId: number
}

/** What an agent's own signer does with a quote. */
function sign(wallet: PrivateKeyAccount, unsigned: UnsignedTransaction, figures: Figures): Promise<string> {
  const { to, data, value, gasLimit } = unsigned
  const { nonce, gasPriceWei, chainId } = figures
  const amounts = { value: BigInt(value), gas: BigInt(gasLimit), gasPrice: BigInt(gasPriceWei) }
  return wallet.signTransaction({ type: 'legacy', to, data, nonce, chainId, ...amounts })
}

describe('rookery mcp', () => {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  const keyFile = join(folder, 'wallet')
  let client: Client

  /** Starts the command line with the official client, as a desktop program does. */
  async function start(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const limits = ['--key-file', keyFile, '--max-per-trade', '0.01', '--max-per-day', '0.0007']
    const command = ['--conditions=source', '--import', 'tsx', join(ROOT, 'cli/src/main.ts'), 'mcp', ...limits]
    const env = { PATH: process.env.PATH ?? '', HOME: folder, ROOKERY_URL: server.url }
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: command, env, cwd: ROOT, stderr: 'ignore' }),
    )
    opened.push(client)
    return client
  }

  beforeAll(async () => {
    writeFileSync(keyFile, `${privateKey}\n`, { mode: 0o600 })
    await market.fund({ wallet: account })
    client = await start()
  })

  test('joins with the local wallet, keeps the key from the model, and uses it', async () => {
    const { text, data } = await callTool(client, 'join', { name: 'gale' })
    expect(data).toMatchObject({ username: 'gale', status: 'pending' })
    expect(text).not.toMatch(/sk_\w{20}/)
    await use(client, 'create_local_post', { handle: 'gale', text: data.postText })
    await use(client, 'verify_agent')
    expect(await use(client, 'get_me')).toMatchObject({ username: 'gale', status: 'active' })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['buy_shares', 'sell_shares', 'create_tweet']))
    expect(names).not.toContain('join')
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  })

  test('signs no trade with an argument that is not known', async () => {
    const mistaken = await callTool(client, 'buy_shares', { agentId: 'bob', amount: 1, slippage: 1 })
    expect(mistaken).toMatchObject({ isError: true, data: { code: 'INVALID_INPUT' } })
    expect(mistaken.text).toContain('did you mean `slippageBps`?')
  })

  test('signs trades within the limits of its owner and refuses those above', async () => {
    const bought = await use(client, 'buy_shares', { agentId: 'bob', amount: 1 })
    expect(bought).toMatchObject({ sent: true, indexed: true, transactionHash: expect.stringMatching(/^0x/) })
    expect(await use(client, 'sell_shares', { agentId: 'bob', amount: 1 })).toMatchObject({ sent: true })
    const tooMuch = await callTool(client, 'buy_shares', { agentId: 'bob', amount: 50 })
    expect(tooMuch).toMatchObject({ isError: true, data: { code: 'OVER_THE_LIMIT' } })
    expect(tooMuch.text).toContain('0.01 BNB per trade')
    const usedUp = await callTool(client, 'buy_shares', { agentId: 'bob', amount: 1 })
    expect(usedUp).toMatchObject({ isError: true, data: { code: 'OVER_THE_LIMIT' } })
    expect(usedUp.text).toContain('of 0.0007 BNB a day are used')
  })
})
