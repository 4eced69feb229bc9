import { createHash } from 'node:crypto'
import { eventTopics, quoteBuy, quoteSell, subjectAddress } from '@rookery/contracts'
import { encodeAbiParameters, type Hex, pad, toHex } from 'viem'
import { bloomBits } from '../src/foundation/chain/bloom.js'
import type { RpcLog } from '../src/foundation/chain/order-logs.js'
import { type Rpc, type RpcCall, RpcError, type RpcOutcome } from '../src/foundation/chain/rpc.js'

/** An action on the fake chain. Actions that the contract would refuse are skipped. */
export type Action =
  | { readonly do: 'launch'; readonly agent: number; readonly amount: number }
  | { readonly do: 'buy' | 'sell'; readonly agent: number; readonly wallet: number; readonly amount: number }
  | {
      readonly do: 'transfer'
      readonly agent: number
      readonly wallet: number
      readonly to: number
      readonly amount: number
    }

interface Transaction {
  readonly hash: Hex
  readonly action: Action
}

interface Block {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly time: number
  readonly transactions: readonly Transaction[]
  readonly logs: readonly RpcLog[]
}

/** Supply and balances of one agent. */
interface Market {
  supply: number
  readonly balances: Map<string, number>
}

/** An in-memory chain that forks and misbehaves on command. It supports only what the follower calls. */
export interface FakeChain {
  readonly id: number
  readonly contract: Hex
  readonly rpc: Rpc
  readonly agents: readonly { readonly owner: Hex; readonly name: string; readonly subject: Hex }[]
  readonly wallets: readonly Hex[]
  readonly height: number
  /** Adds a block with these actions. */
  mine(actions?: readonly Action[]): void
  /** Removes the newest blocks and returns their transactions. */
  drop(depth: number): Transaction[]
  /** Adds a block with transactions of a removed one. */
  mineAgain(transactions: readonly Transaction[]): void
  /** Counts the requests of a method. */
  countRequests(method: string): number
  /** Replaces the chain's answer whenever it returns something; may throw. */
  lie: ((call: RpcCall, honest: () => unknown) => unknown) | undefined
  /** Throws to make a request or batch fail. */
  refuse: (() => void) | undefined
  /** How many blocks the finalized one is behind; undefined: the node does not support the tag. */
  finalLag: number | undefined
}

const CONTRACT: Hex = '0x5a5e5000000000000000000000000000000000aa'
const GENESIS_TIME = 1_767_225_600
const sha = (text: string): Hex => `0x${createHash('sha256').update(text).digest('hex')}`

export function createFakeChain({
  agents: agentCount = 4,
  wallets: walletCount = 5,
  startsAt = GENESIS_TIME,
  secondsPerBlock = 3,
} = {}): FakeChain {
  const wallets = Array.from({ length: walletCount }, (_, index) => toHex(0xa11ce000 + index, { size: 20 }))
  const agents = Array.from({ length: agentCount }, (_, index) => {
    const owner = wallets[index % wallets.length] ?? CONTRACT
    const name = `agent_${index}`
    return { owner, name, subject: subjectAddress(owner, name) }
  })
  const requestCounts = new Map<string, number>()
  let salt = 0
  let blocks: Block[] = []
  let markets = new Map<string, Market>()

  function addBlock(transactions: readonly Transaction[]): void {
    const number = blocks.length
    const parentHash = blocks.at(-1)?.hash ?? pad('0x')
    const hash = sha(`${parentHash} ${number} ${++salt}`)
    const logs: RpcLog[] = []
    for (const { hash: transactionHash, action } of transactions)
      for (const log of run(action))
        logs.push({
          ...log,
          address: CONTRACT,
          blockNumber: toHex(number),
          blockHash: hash,
          transactionHash,
          logIndex: toHex(logs.length),
        })
    blocks.push({ number, hash, parentHash, time: startsAt + number * secondsPerBlock, transactions, logs })
  }

  function run(action: Action): Pick<RpcLog, 'topics' | 'data'>[] {
    const agent = agents[action.agent]
    if (!agent) return []
    const market = markets.get(agent.subject) ?? { supply: 0, balances: new Map() }
    const wallet = action.do === 'launch' ? agent.owner : wallets[action.wallet]
    if (!wallet) return []
    const balance = market.balances.get(wallet) ?? 0
    if (action.do === 'launch' ? market.supply > 0 : market.supply === 0) return []
    const isTaken = action.do === 'sell' || action.do === 'transfer'
    const mustKeep = wallet === agent.owner ? 1 : 0
    if (isTaken && balance - action.amount < mustKeep) return []
    markets.set(agent.subject, market)
    if (action.do === 'transfer') {
      const to = wallets[action.to]
      if (!to || to === wallet) return []
      const toBalance = (market.balances.get(to) ?? 0) + action.amount
      market.balances.set(wallet, balance - action.amount)
      market.balances.set(to, toBalance)
      return [transferLog(wallet, to, agent.subject, [action.amount, balance - action.amount, toBalance])]
    }
    const isBuy = action.do !== 'sell'
    const quote = (isBuy ? quoteBuy : quoteSell)(BigInt(market.supply), BigInt(action.amount))
    market.supply += isBuy ? action.amount : -action.amount
    const after = balance + (isBuy ? action.amount : -action.amount)
    market.balances.set(wallet, after)
    const trade = tradeLog(wallet, agent.subject, isBuy, action.amount, quote, market.supply, after)
    return action.do === 'launch' ? [launchLog(agent), trade] : [trade]
  }

  function drop(depth: number): Transaction[] {
    const dropped = blocks.slice(blocks.length - depth).flatMap((block) => block.transactions)
    const kept = blocks.slice(0, blocks.length - depth)
    markets = new Map()
    for (const block of kept) for (const { action } of block.transactions) run(action)
    blocks = kept
    return dropped
  }

  function answerHonestly({ method, params }: RpcCall): unknown {
    switch (method) {
      case 'eth_chainId':
        return toHex(chain.id)
      case 'eth_getCode':
        return '0x60'
      case 'eth_getBlockByNumber':
        return blockAnswer(params[0] as string)
      case 'eth_getLogs':
        return logsAnswer(params[0] as { blockHash?: Hex; fromBlock?: Hex; toBlock?: Hex })
      default:
        throw new RpcError(`the method ${method} does not exist`, -32601)
    }
  }

  function blockAnswer(tag: string): unknown {
    if (tag === 'finalized' && chain.finalLag === undefined) throw new RpcError('unknown block tag', -32602)
    const last = blocks.length - 1
    const number =
      tag === 'latest' ? last : tag === 'finalized' ? Math.max(0, last - (chain.finalLag ?? 0)) : Number(tag)
    const block = blocks[number]
    if (!block) return null
    return {
      number: toHex(block.number),
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: toHex(block.time),
      logsBloom: bloomOf(block),
    }
  }

  function logsAnswer({
    blockHash,
    fromBlock,
    toBlock,
  }: {
    blockHash?: Hex
    fromBlock?: Hex
    toBlock?: Hex
  }): RpcLog[] {
    if (blockHash === undefined)
      return blocks.slice(Number(fromBlock), Number(toBlock) + 1).flatMap((block) => block.logs)
    const block = blocks.find(({ hash }) => hash === blockHash)
    if (!block) throw new RpcError('unknown block', -32000)
    return [...block.logs]
  }

  async function answer(call: RpcCall): Promise<RpcOutcome> {
    requestCounts.set(call.method, (requestCounts.get(call.method) ?? 0) + 1)
    try {
      const lied = await chain.lie?.(call, () => answerHonestly(call))
      return { result: lied === undefined ? answerHonestly(call) : lied }
    } catch (error) {
      if (error instanceof RpcError) return { error }
      throw error
    }
  }

  const chain: FakeChain = {
    id: 31_337,
    contract: CONTRACT,
    agents,
    wallets,
    lie: undefined,
    refuse: undefined,
    finalLag: undefined,
    rpc: {
      async request(method, params) {
        chain.refuse?.()
        const outcome = await answer({ method, params })
        if ('error' in outcome) throw outcome.error
        return outcome.result
      },
      async batch(calls) {
        chain.refuse?.()
        return Promise.all(calls.map(answer))
      },
    },
    get height() {
      return blocks.length - 1
    },
    mine: (actions = []) => addBlock(actions.map((action) => ({ hash: sha(`tx ${++salt}`), action }))),
    mineAgain: addBlock,
    drop,
    countRequests: (method) => requestCounts.get(method) ?? 0,
  }
  addBlock([])
  return chain
}

function tradeLog(
  trader: Hex,
  subject: Hex,
  isBuy: boolean,
  amount: number,
  quote: ReturnType<typeof quoteBuy>,
  supply: number,
  balance: number,
) {
  const numbers = [amount, quote.priceWei, quote.protocolFeeWei, quote.subjectFeeWei, supply, balance].map(BigInt)
  const words = [trader, subject, isBuy ? '0x1' : '0x0', ...numbers.map((number) => toHex(number))] as Hex[]
  return { topics: [eventTopics.Trade], data: join(words) }
}

function transferLog(from: Hex, to: Hex, subject: Hex, numbers: number[]) {
  return {
    topics: [eventTopics.Transfer, ...[from, to, subject].map((word) => pad(word))],
    data: join(numbers.map((number) => toHex(number))),
  }
}

function launchLog({ subject, owner, name }: { subject: Hex; owner: Hex; name: string }) {
  return {
    topics: [eventTopics.Launched, pad(subject), pad(owner)],
    data: encodeAbiParameters([{ type: 'string' }], [name]),
  }
}

function join(words: readonly Hex[]): Hex {
  return `0x${words.map((word) => pad(word).slice(2)).join('')}`
}

const bitsOf = new Map([CONTRACT, ...Object.values(eventTopics)].map((item) => [item as Hex, bloomBits(item)]))

function bloomOf({ logs }: Block): Hex {
  let bloom = 0n
  for (const item of new Set(logs.flatMap((log) => [log.address, ...log.topics])))
    for (const bit of bitsOf.get(item) ?? []) bloom |= 1n << BigInt(bit)
  return pad(toHex(bloom), { size: 256 })
}
