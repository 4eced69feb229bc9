import type { Hex } from 'viem'
import type { RpcBlock, RpcLog } from './history.js'
import { RpcError, type RpcHandler } from './json-rpc.js'
import type { Node } from './node.js'
import { type LogFilter, MAX_LOGS, tooManyLogs } from './past.js'

type Params = readonly unknown[]
type Method = (params: Params) => Promise<unknown>

// Passed to the EVM unchanged: no parameter refers to a block.
const PLAIN = [
  'eth_accounts',
  'eth_chainId',
  'eth_gasPrice',
  'eth_maxPriorityFeePerGas',
  'eth_syncing',
  'net_version',
  'web3_clientVersion',
  'web3_sha3',
]

// Methods that read the state, and the position of their block parameter.
const ABOUT_STATE = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
}

const MAX_RAW_LENGTH = 2 + 2 * 131_072
const MAX_FEE_HISTORY = 100

/** Creates the methods that anybody may call. Those that control the EVM (`evm_`, `hardhat_`, `debug_`) are left out. */
export function createMethods(node: Node): RpcHandler {
  const { ledger, evm } = node
  const { history, past } = ledger
  const methods = new Map<string, Method>()
  for (const name of PLAIN) methods.set(name, (params) => evm(name, params))
  for (const [name, place] of Object.entries(ABOUT_STATE))
    methods.set(name, (params) => evm(name, atKeptState(node, params, place)))

  async function blockByNumber([tag, full = false]: Params): Promise<unknown> {
    const number = numberOf(node, tag)
    if (number > node.head.number) return null
    return number <= history.last ? past.blockByNumber(number, full) : evm('eth_getBlockByNumber', [hex(number), full])
  }

  async function blockByHash([hash, full = false]: Params): Promise<unknown> {
    return (await past.blockByHash(hash, full)) ?? evm('eth_getBlockByHash', [hash, full])
  }

  const transactionsOf = async (block: Promise<unknown>) => ((await block) as RpcBlock | null)?.transactions
  const count = async (block: Promise<unknown>) => {
    const transactions = await transactionsOf(block)
    return transactions ? hex(transactions.length) : null
  }
  const at = async (block: Promise<unknown>, index: unknown) => (await transactionsOf(block))?.[Number(index)] ?? null

  const others: Record<string, Method> = {
    net_listening: async () => true,
    eth_blockNumber: async () => hex(node.head.number),
    eth_getBlockByNumber: blockByNumber,
    eth_getBlockByHash: blockByHash,
    eth_getBlockTransactionCountByNumber: ([tag]) => count(blockByNumber([tag])),
    eth_getBlockTransactionCountByHash: ([hash]) => count(blockByHash([hash])),
    eth_getTransactionByBlockNumberAndIndex: ([tag, index]) => at(blockByNumber([tag, true]), index),
    eth_getTransactionByBlockHashAndIndex: ([hash, index]) => at(blockByHash([hash, true]), index),
    eth_getTransactionByHash: async ([hash]) =>
      (await past.transaction(hash)) ?? evm('eth_getTransactionByHash', [hash]),
    eth_getTransactionReceipt: async ([hash]) => (await past.receipt(hash)) ?? evm('eth_getTransactionReceipt', [hash]),
    eth_getLogs: ([filter]) => getLogs(node, filter),
    eth_feeHistory: (params) => getFeeHistory(node, params, blockByNumber),
    eth_sendRawTransaction: ([raw]) => node.send(checkRaw(raw)),
  }
  for (const [name, method] of Object.entries(others)) methods.set(name, method)

  return async (method, params) => {
    const answer = methods.get(method)
    if (!answer) throw new RpcError(-32601, `${method} is not offered by this chain.`)
    return answer(params)
  }
}

// There is never a pending transaction: each is mined when it arrives.
const NEWEST = new Set<unknown>([undefined, null, 'latest', 'pending', 'safe', 'finalized'])

function numberOf({ head }: Node, tag: unknown): number {
  if (NEWEST.has(tag)) return head.number
  if (tag === 'earliest') return 0
  if (typeof tag !== 'string' || !/^0x[0-9a-f]{1,12}$/i.test(tag)) throw new RpcError(-32602, 'This is not a block.')
  return Number(tag)
}

function atKeptState(node: Node, params: Params, place: number): Params {
  const given = params[place]
  if (NEWEST.has(given)) return [...params.slice(0, place), 'latest', ...params.slice(place + 1)]
  const number = isHashed(given) ? node.ledger.history.find(given.blockHash) : numberOf(node, numbered(given))
  if (number !== undefined && number < node.ledger.oldestState)
    throw new RpcError(-32000, `The state after block ${number} is not kept; the oldest is ${node.ledger.oldestState}.`)
  return params
}

function isHashed(block: unknown): block is { blockHash: string } {
  return typeof block === 'object' && block !== null && typeof (block as { blockHash?: unknown }).blockHash === 'string'
}

function numbered(block: unknown): unknown {
  return typeof block === 'object' && block !== null ? (block as { blockNumber?: unknown }).blockNumber : block
}

async function getLogs(node: Node, given: unknown): Promise<readonly RpcLog[]> {
  const { ledger, evm } = node
  if (typeof given !== 'object' || given === null) throw new RpcError(-32602, 'A filter is an object.')
  const { fromBlock, toBlock, ...rest } = given as { fromBlock?: unknown; toBlock?: unknown } & LogFilter
  if (isHashed(rest)) {
    const number = ledger.history.find(rest.blockHash)
    return number === undefined ? liveLogs(evm, rest) : ledger.past.logs(number, number, rest)
  }
  const from = numberOf(node, fromBlock)
  const to = Math.min(numberOf(node, toBlock), node.head.number)
  const lastPast = ledger.history.last
  const old = from <= lastPast ? await ledger.past.logs(from, Math.min(to, lastPast), rest) : []
  if (to <= lastPast || to < from) return old
  const range = { fromBlock: hex(Math.max(from, lastPast + 1)), toBlock: hex(to) }
  // A compaction meanwhile moves blocks to the history, where the EVM no longer has them.
  const isStale = () => ledger.history.last !== lastPast
  const live = isStale()
    ? 'stale'
    : await liveLogs(evm, { ...rest, ...range }).catch((error) => (isStale() ? 'stale' : Promise.reject(error)))
  if (live === 'stale') return getLogs(node, given)
  const logs = [...old, ...live]
  if (logs.length > MAX_LOGS) throw tooManyLogs()
  return logs
}

// Followers need the time of each log; including it saves them a request.
async function liveLogs(evm: RpcHandler, filter: object): Promise<RpcLog[]> {
  const logs = (await evm('eth_getLogs', [filter])) as RpcLog[]
  const times = new Map<Hex, Hex>()
  for (const { blockNumber } of logs) {
    if (times.has(blockNumber)) continue
    times.set(blockNumber, ((await evm('eth_getBlockByNumber', [blockNumber, false])) as RpcBlock).timestamp)
  }
  return logs.map((log) => ({ ...log, blockTimestamp: times.get(log.blockNumber) ?? '0x0' }))
}

async function getFeeHistory(node: Node, params: Params, blockByNumber: Method): Promise<object> {
  const [count, newest, percentiles] = params as [unknown, unknown, readonly number[] | undefined]
  const last = Math.min(numberOf(node, newest), node.head.number)
  const first = Math.max(0, last + 1 - Math.min(Number(count) || 1, MAX_FEE_HISTORY))
  const blocks: RpcBlock[] = []
  for (let number = first; number <= last; number++) blocks.push((await blockByNumber([hex(number), true])) as RpcBlock)
  return {
    oldestBlock: hex(first),
    baseFeePerGas: [...blocks, blocks.at(-1)].map((block) => block?.baseFeePerGas ?? '0x0'),
    gasUsedRatio: blocks.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    // The base fee is zero and a block has at most one transaction, so its price is every percentile.
    ...(percentiles && {
      reward: blocks.map(({ transactions: [only] }) => percentiles.map(() => only?.gasPrice ?? '0x0')),
    }),
  }
}

function checkRaw(raw: unknown): Hex {
  if (typeof raw !== 'string' || raw.length > MAX_RAW_LENGTH || !/^0x(?:[0-9a-f]{2})+$/i.test(raw))
    throw new RpcError(-32602, 'A signed transaction is a hex string of at most 128 KiB.')
  return raw as Hex
}

function hex(number: number): Hex {
  return `0x${number.toString(16)}`
}
