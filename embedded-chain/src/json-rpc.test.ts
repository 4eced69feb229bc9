import { type IncomingHttpHeaders, request } from 'node:http'
import { agentSharesAbi } from '@rookery/contracts'
import { decodeErrorResult, encodeFunctionData } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../test/clock.js'
import { bank, makeDataDir, operator } from '../test/market.js'
import { createGenesis } from './genesis.js'
import { type RpcServer, serveJsonRpc } from './json-rpc.js'
import { createMethods } from './methods.js'
import { openNode } from './node.js'

const PAGE = 'http://localhost:3000'
let server: RpcServer
const cleanUps: (() => Promise<void>)[] = []

beforeAll(async () => {
  const { dataDir, remove } = await makeDataDir()
  const genesis = await createGenesis(operator.address, bank)
  const none = () => {}
  const options = { folder: dataDir, genesis, clock: createTestClock(), compactAfter: 1000 }
  const node = await openNode({ ...options, onProgress: none, onBlocks: none, onFailure: none })
  server = await serveJsonRpc(0, createMethods(node), { origins: [PAGE] })
  cleanUps.push(server.close, node.close, remove)
})

afterAll(async () => {
  for (const cleanUp of cleanUps) await cleanUp()
})

function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', body, headers })
}

const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params })

async function send(...calls: object[]) {
  const answer = await post(JSON.stringify(calls.length === 1 ? calls[0] : calls))
  return JSON.parse(await answer.text())
}

describe('the RPC of the embedded chain', () => {
  test.each([
    'evm_mine',
    'evm_setNextBlockTimestamp',
    'evm_revert',
    'evm_snapshot',
    'hardhat_setBalance',
    'hardhat_impersonateAccount',
    'hardhat_reset',
    'debug_traceTransaction',
    'eth_sendTransaction',
    'eth_sign',
    'eth_signTypedData_v4',
    'personal_sign',
    'eth_newFilter',
    'toString',
    '__proto__',
  ])('does not offer %s', async (method) => {
    expect((await send(call(method))).error.code).toBe(-32601)
  })

  test.each([
    ['eth_accounts', []],
    ['eth_blockNumber', '0x2'],
    ['eth_chainId', '0x7a69'],
    ['eth_syncing', false],
    ['net_listening', true],
    ['net_version', '31337'],
    ['eth_getBlockTransactionCountByNumber', null],
  ])('answers %s', async (method, result) => {
    const params = method.includes('Count') ? ['0xffff'] : []
    expect((await send(call(method, params))).result).toEqual(result)
  })

  test('answers a batch in order, including errors', async () => {
    const answers = await send(
      call('eth_chainId', [], 'a'),
      call('evm_mine', [], 'b'),
      call('eth_blockNumber', [], 'c'),
    )
    expect(answers).toMatchObject([
      { id: 'a', result: '0x7a69' },
      { id: 'b', error: { code: -32601 } },
      { id: 'c', result: '0x2' },
    ])
  })

  test('does not answer a notification', async () => {
    const answer = await post(JSON.stringify({ jsonrpc: '2.0', method: 'eth_chainId' }))
    expect([answer.status, await answer.text()]).toEqual([204, ''])
  })

  test('refuses a malformed call', async () => {
    expect(await (await post('{')).json()).toMatchObject({ id: null, error: { code: -32700 } })
    expect(await (await post('[]')).json()).toMatchObject({ error: { code: -32600 } })
    expect(await (await post('7')).json()).toMatchObject({ error: { code: -32600 } })
    expect(await send({ ...call('eth_chainId'), params: {} })).toMatchObject({ error: { code: -32602 } })
    expect(await send(call('eth_getBlockByNumber', ['newest', false]))).toMatchObject({ error: { code: -32602 } })
    expect(await send(call('eth_sendRawTransaction', ['0xzz\n']))).toMatchObject({ error: { code: -32602 } })
    expect((await fetch(`http://127.0.0.1:${server.port}`)).status).toBe(405)
  })

  test('refuses a body that is too large and a batch that is too long', async () => {
    expect((await post(' '.repeat(2_200_000))).status).toBe(413)
    const calls = Array.from({ length: 1001 }, () => call('eth_chainId'))
    expect(await (await post(JSON.stringify(calls))).json()).toMatchObject({ error: { code: -32600 } })
  })

  const ask = (origin: string | undefined, method = 'POST', host = `127.0.0.1:${server.port}`) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
      const headers = { Host: host, ...(origin !== undefined && { Origin: origin }) }
      const outgoing = request({ host: '127.0.0.1', port: server.port, method, headers }, (answer) => {
        answer.resume()
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers })
      })
      outgoing.once('error', reject).end(method === 'POST' ? JSON.stringify(call('eth_chainId')) : undefined)
    })

  test.each([
    PAGE,
    'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
    'moz-extension://0f1e-2d',
    'safari-web-extension://A-1',
  ])('lets %s call it from a browser', async (origin) => {
    const preflight = await ask(origin, 'OPTIONS')
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin])
    const answer = await ask(origin)
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
  })

  test.each([
    'https://evil.example',
    'null',
    `${PAGE}.evil.example`,
    'http://localhost:9999',
    'https://chrome-extension.example',
    'chrome-extension://a@evil.example',
  ])('refuses the page %s, with no CORS header', async (origin) => {
    for (const method of ['POST', 'OPTIONS', 'GET']) {
      const { status, headers } = await ask(origin, method)
      expect(status).toBe(403)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1'])(
    'refuses the host %s, whose page could pass for its own',
    async (host) => {
      expect((await ask(undefined, 'POST', host)).status).toBe(421)
      expect((await ask(PAGE, 'POST', host)).status).toBe(421)
    },
  )

  test.each(['localhost', 'localhost:1', '127.0.0.1', '[::1]:8545'])('answers as %s', async (host) => {
    expect((await ask(undefined, 'POST', host)).status).toBe(200)
  })

  test('reports a revert as public nodes do: code 3, and the revert data as one string', async () => {
    const { contract } = bank.contracts
    const data = encodeFunctionData({
      abi: agentSharesAbi,
      functionName: 'getSellPrice',
      args: [operator.address, 1n],
    })
    const { error } = await send(call('eth_call', [{ to: contract, data }, 'latest']))
    expect(error.code).toBe(3)
    expect(decodeErrorResult({ abi: agentSharesAbi, data: error.data })).toMatchObject({
      errorName: 'SupplyTooSmall',
      args: [0n, 1n],
    })
  })
})

test('a chain that others share answers by its address and its own names alone', async () => {
  const shared = await serveJsonRpc(0, async () => '0x1', { names: ['Chain'] })
  const status = (host: string) =>
    new Promise((done) => {
      const options = { port: shared.port, host: '127.0.0.1', method: 'POST', headers: { host } }
      request(options, (response) => done(response.resume().statusCode)).end(JSON.stringify(call('eth_chainId')))
    })
  for (const host of ['chain:8545', 'localhost', '10.0.0.7:8545', '[fd00::7]:8545'])
    expect(await status(host)).toBe(200)
  for (const host of ['elsewhere.example', 'chain.example:8545']) expect(await status(host)).toBe(421)
  await shared.close()
})
