import { afterEach, describe, expect, test } from 'vitest'
import { startEchoServer } from '../test/echo-server.js'
import { runHere, temporaryFolder } from '../test/terminal.js'

let server: Awaited<ReturnType<typeof startEchoServer>> | undefined
afterEach(() => server?.close())

const contract = '0x00000000000000000000000000000000000000c0'
const transaction = { to: contract, data: '0x00', value: '0x1', gasLimit: '21000', chainId: 56 }
const block = {
  number: '0x1',
  hash: `0x${'0'.repeat(64)}`,
  timestamp: '0x1',
  transactions: [],
  gasLimit: '0x1',
  gasUsed: '0x0',
}

/** A service and its chain in one: `onCall` answers what is asked of the chain, or throws what it would refuse with. */
async function buy(onCall: (method: string, interrupt: () => void) => unknown, balance = '0xffffffffff') {
  let interrupt = () => {}
  server = await startEchoServer(({ path, headers, body }) => {
    const nativeCurrency = { name: 'BNB', symbol: 'BNB', decimals: 18 }
    if (path === '/v1/config')
      return {
        body: {
          features: { faucet: false },
          chain: {
            id: 56,
            name: 'Test',
            rpcUrl: `http://${headers.host}/rpc`,
            contract,
            explorerUrl: null,
            nativeCurrency,
          },
        },
      }
    if (path !== '/rpc') return { body: { summary: 'Buy a share.', warnings: [], transaction } }
    const { id, method } = body as { id: number; method: string }
    const usual: Record<string, unknown> = {
      eth_chainId: '0x38',
      eth_getTransactionCount: '0x0',
      eth_gasPrice: '0x1',
      eth_getBlockByNumber: block,
      eth_blockNumber: '0x1',
      eth_getBalance: balance,
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
  return runHere(['buy', 'bob'], {
    env: { HOME: temporaryFolder(), ROOKERY_URL: server.url, ROOKERY_PRIVATE_KEY: `0x${'01'.repeat(32)}` },
    onInterrupt: (stop) => {
      interrupt = stop
      return () => {}
    },
  })
}

describe('a transaction', () => {
  test('that is interrupted while it waits for a block says its hash', async () => {
    const { exitCode, out, err } = await buy((method, interrupt) => {
      if (method === 'eth_getTransactionReceipt') interrupt()
      return method === 'eth_sendRawTransaction' ? `0x${'ab'.repeat(32)}` : null
    })
    expect([exitCode, out]).toEqual([130, ''])
    expect(err).toMatch(
      /^Buy a share\.\nINTERRUPTED: Transaction 0x[0-9a-f]{64} may have been sent\. .*rookery get-trade 0x/,
    )
  })

  test('that the wallet cannot pay for says so', async () => {
    const { exitCode, err } = await buy(() => new Error('insufficient funds for gas * price + value'), '0x0')
    expect([exitCode, err]).toEqual([11, expect.stringMatching(/^CHAIN: .*(money|funds|missing)/m)])
  })

  test('that was reverted has the exit code of the chain', async () => {
    const receipt = { status: '0x0', blockNumber: '0x1', transactionHash: `0x${'ab'.repeat(32)}`, logs: [] }
    const { exitCode, err } = await buy((method) =>
      method === 'eth_getTransactionReceipt' ? receipt : receipt.transactionHash,
    )
    expect([exitCode, err]).toEqual([11, expect.stringMatching(/CHAIN: The transaction 0x\w+ was reverted/)])
  })
})
