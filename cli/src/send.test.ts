import { quoteBuy } from '@rookery/sdk'
import type { Command } from 'commander'
import { encodeFunctionData, formatEther, parseAbi } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { createTerminal, runHere, temporaryFolder } from '../test/terminal.js'
import { createProgram } from './program.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

const contract = '0x00000000000000000000000000000000000000c0'
const owner = '0x00000000000000000000000000000000000000aa'
// Of that owner and the name bob.
const subject = '0xcab58ab54e77269ccbe66c271a8ee5789d9a601d'
const block = {
  number: '0x1',
  hash: `0x${'0'.repeat(64)}`,
  timestamp: '0x1',
  transactions: [],
  gasLimit: '0x1',
  gasUsed: '0x0',
}

/** What one share costs when there are two, as the service says it. */
function quoteOf(slippageBps: number) {
  const { priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei } = quoteBuy(2n, 1n)
  const limit = (priceAfterFeeWei * BigInt(10_000 + slippageBps)) / 10_000n
  const expiresAt = '2030-01-01T00:00:00.000Z'
  const abi = parseAbi(['function buyShares(address subject, uint256 amount, uint256 maxCost, uint256 deadline)'])
  const args = [subject, 1n, limit, BigInt(Date.parse(expiresAt) / 1000)] as const
  return {
    side: 'buy',
    launch: false,
    sharesSubject: subject,
    amount: 1,
    supply: 2,
    blockNumber: null,
    expiresAt,
    slippageBps,
    priceWei: String(priceWei),
    protocolFeeWei: String(protocolFeeWei),
    subjectFeeWei: String(subjectFeeWei),
    priceAfterFeeWei: String(priceAfterFeeWei),
    limitPriceWei: String(limit),
    summary: 'Buy a share.',
    warnings: [] as { message: string }[],
    transaction: {
      to: contract,
      data: encodeFunctionData({ abi, args }),
      value: `0x${limit.toString(16)}`,
      gasLimit: '150000',
      chainId: 56,
    },
  }
}
type Quote = ReturnType<typeof quoteOf>

interface Played {
  /** Answers what is asked of the chain, or throws what it would refuse with. */
  readonly onCall?: (method: string, interrupt: () => void) => unknown
  readonly onQuote?: (quote: Quote) => object
  readonly balance?: string
  readonly gasPrice?: string
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** Buys a share from a service and its chain in one. `methods` is what the chain was asked. */
async function buy({ onCall = () => null, onQuote = (it) => it, words = [], env = {}, ...played }: Played) {
  const methods: string[] = []
  const nodes = new Set<string>()
  const { balance = '0xffffffffffffffff', gasPrice = '0x1' } = played
  let interrupt = () => {}
  server = await startEchoServer(({ path, query, headers, body }) => {
    const nativeCurrency = { name: 'BNB', symbol: 'BNB', decimals: 18 }
    const chain = { id: 56, name: 'Test', rpcUrl: `http://${headers.host}/rpc`, contract, explorerUrl: null }
    if (path === '/v1/config') return { body: { features: { faucet: false }, chain: { ...chain, nativeCurrency } } }
    if (path === '/v1/agents/bob') return { body: { id: '1', username: 'bob', subject, walletAddress: owner } }
    if (path === '/v1/agents/bob/buy-price') return { body: quoteOf(0) }
    if (path === '/v1/share/quote') return { body: onQuote(quoteOf(Number(query.slippageBps))) }
    const { id, method } = body as { id: number; method: string }
    methods.push(method)
    nodes.add(path)
    const usual: Record<string, unknown> = {
      eth_chainId: '0x38',
      eth_getTransactionCount: '0x0',
      eth_gasPrice: gasPrice,
      eth_getBlockByNumber: block,
      eth_blockNumber: '0x1',
      eth_getBalance: balance,
      eth_call: `0x${'2'.padStart(64, '0')}`,
    }
    const answer = usual[method] ?? onCall(method, interrupt)
    return {
      body: {
        jsonrpc: '2.0',
        id,
        ...(answer instanceof Error ? { error: { code: -32000, message: answer.message } } : { result: answer }),
      },
    }
  })
  const result = await runHere(['buy', 'bob', ...words], {
    env: { HOME: temporaryFolder(), ROOKERY_URL: server.url, ROOKERY_PRIVATE_KEY: `0x${'01'.repeat(32)}`, ...env },
    onInterrupt: (stop) => {
      interrupt = stop
      return () => {}
    },
  })
  return { ...result, methods, nodes: [...nodes] }
}

describe('a transaction', () => {
  test('that is interrupted while it waits for a block says its hash', async () => {
    const { exitCode, out, err } = await buy({
      onCall: (method, interrupt) => {
        if (method === 'eth_getTransactionReceipt') interrupt()
        return method === 'eth_sendRawTransaction' ? `0x${'ab'.repeat(32)}` : null
      },
    })
    expect([exitCode, out]).toEqual([130, ''])
    expect(err).toMatch(
      /^Buy a share\.\nINTERRUPTED: Transaction 0x[0-9a-f]{64} may have been sent\. .*rookery get-trade 0x/,
    )
  })

  test('that the wallet cannot pay for says so', async () => {
    const { exitCode, err } = await buy({ balance: '0x0' })
    expect([exitCode, err]).toEqual([11, expect.stringMatching(/^CHAIN: .*(money|funds|missing)/m)])
  })

  test('that was reverted has the exit code of the chain', async () => {
    const receipt = { status: '0x0', blockNumber: '0x1', transactionHash: `0x${'ab'.repeat(32)}`, logs: [] }
    const { exitCode, err } = await buy({
      onCall: (method) => (method === 'eth_getTransactionReceipt' ? receipt : receipt.transactionHash),
    })
    expect([exitCode, err]).toEqual([11, expect.stringMatching(/CHAIN: The transaction 0x\w+ was reverted/)])
  })

  test('that is not what was asked for is not signed', async () => {
    const elsewhere = (quote: Quote) => ({ ...quote.transaction, to: owner })
    const lies: [(quote: Quote) => object, RegExp][] = [
      [(quote) => ({ ...quote, transaction: { ...quote.transaction, value: '0xde0b6b3a7640000' } }), /the value of/],
      [(quote) => ({ ...quote, transaction: elsewhere(quote) }), /not the share contract/],
      [(quote) => ({ ...quote, priceWei: '1' }), /cannot be trusted: the price is 1 /],
    ]
    for (const [onQuote, reason] of lies) {
      const { exitCode, out, err, methods } = await buy({ onQuote })
      await server?.close()
      expect([exitCode, out, err]).toEqual([2, '', expect.stringMatching(reason)])
      expect(methods).not.toContain('eth_sendRawTransaction')
    }
  })

  test('goes to no other contract and no other chain than the pinned ones, whatever the service says', async () => {
    const pins: Pick<Played, 'words' | 'env'>[] = [
      { words: ['--contract', owner] },
      { words: ['--contract', contract, '--chain-id', '97'] },
      { env: { ROOKERY_CONTRACT: owner } },
      { env: { ROOKERY_CHAIN_ID: '97' } },
      { env: { ROOKERY_CONTRACT: contract }, words: ['--contract', owner] },
    ]
    for (const pinned of pins) {
      const { exitCode, out, err, methods } = await buy(pinned)
      await server?.close()
      expect([exitCode, out, err]).toEqual([2, '', expect.stringContaining('not the share contract')])
      expect(methods).toEqual([])
    }
    const wrong = await buy({ env: { ROOKERY_CONTRACT: '0x12' } })
    expect([wrong.exitCode, wrong.err]).toEqual([2, expect.stringContaining('ROOKERY_CONTRACT takes 0x and 40')])
  })

  test('is sent where the pins are right, by the pinned node alone', async () => {
    const node = await startEchoServer(() => ({ status: 404, body: {} }))
    const receipt = { status: '0x0', blockNumber: '0x1', transactionHash: `0x${'ab'.repeat(32)}`, logs: [] }
    const here = await buy({
      words: ['--contract', contract.toUpperCase().replace('X', 'x'), '--chain-id', '56'],
      onCall: (method) => (method === 'eth_getTransactionReceipt' ? receipt : receipt.transactionHash),
    })
    await server?.close()
    expect([here.nodes, here.methods]).toEqual([['/rpc'], expect.arrayContaining(['eth_sendRawTransaction'])])
    const elsewhere = await buy({ env: { ROOKERY_RPC_URL: node.url } })
    await node.close()
    expect([elsewhere.exitCode, elsewhere.methods]).toEqual([3, []])
    expect(node.received.length).toBeGreaterThan(0)
  })

  test('of whatever command is bound to the pins', () => {
    const all = ({ commands }: Command): Command[] => commands.flatMap((command) => [command, ...all(command)])
    const optionsOf = ({ options }: Command) => options.map(({ long }) => long)
    const senders = all(createProgram(createTerminal())).filter((command) => optionsOf(command).includes('--max-gas'))
    expect(senders.map((command) => command.name()).sort()).toEqual([
      'buy',
      'claim-fees',
      'collect',
      'sell',
      'transfer',
    ])
    for (const command of senders)
      expect(optionsOf(command)).toEqual(expect.arrayContaining(['--contract', '--chain-id', '--rpc-url']))
  })

  test('that may cost more than --max-cost or --max-gas is not signed', async () => {
    const { priceAfterFeeWei } = quoteBuy(2n, 1n)
    const cases: [Played, RegExp][] = [
      [{ words: ['--max-cost', formatEther(priceAfterFeeWei - 1n)] }, /CHAIN: .* more than maxCostWei/],
      [{ gasPrice: '0x2540be400', words: ['--max-gas', '0.0001'] }, /CHAIN: Gas may cost .* more than maxGasWei/],
      [{ gasPrice: '0x174876e8000' }, /CHAIN: Gas may cost .* more than maxGasWei, 0\.02 BNB/],
    ]
    for (const [played, reason] of cases) {
      const { exitCode, out, err, methods } = await buy(played)
      await server?.close()
      expect([exitCode, out, err]).toEqual([11, '', expect.stringMatching(reason)])
      expect(methods).not.toContain('eth_sendRawTransaction')
    }
    const { exitCode, err } = await buy({ words: ['--max-cost', '1e-3'] })
    expect([exitCode, err]).toEqual([2, expect.stringContaining('is not an amount of BNB')])
  })

  test('that the owner must approve first ends with the exit code for that', async () => {
    const approval = { id: 'a1', status: 'pending_approval' }
    const onQuote = ({ transaction: _, ...quote }: Quote) => ({
      ...quote,
      warnings: [{ message: 'Above the limit\u001b[2J of your owner.' }],
      approval,
    })
    const { exitCode, out, err } = await buy({ onQuote })
    expect([exitCode, JSON.parse(out)]).toEqual([12, { sent: false, approval }])
    expect(err).toBe('Buy a share.\nAbove the limit[2J of your owner.\n')
  })
})
