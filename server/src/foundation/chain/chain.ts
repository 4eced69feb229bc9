import { type Address, createPublicClient, custom, type Hex } from 'viem'
import { createKeptState } from './kept-state.js'
import { type Block, createNewestBlock, type FindNewestBlock } from './newest-block.js'
import { createPatientRpc, type Rpc, RpcError, resultOf, revertData } from './rpc.js'
import { createSharedRpc } from './shared-rpc.js'

/** The EVM chain, as far as the service uses it. */
export interface Chain {
  readonly id: number
  /** The contract that is followed, in lower case. */
  readonly contract: Address
  readonly rpc: Rpc
  /** Whether a wallet made this signature of a hash. The wallet may be a contract, even one not yet deployed. */
  verifyHash(signed: { address: Address; hash: Hex; signature: Hex }): Promise<boolean>
  head(): Promise<Block>
  findNewestBlock: FindNewestBlock
  /** Reads the state as of a block. Callers that read in the same moment share the requests to the node. */
  at(block: Block): StateReader
  /** Native currency of wallets, in their order. */
  balancesOf(wallets: readonly Address[]): Promise<bigint[]>
  gasPrice(): Promise<bigint>
  /** Reads from a contract. */
  call(to: Address, data: Hex): Promise<Hex>
  findTransaction(hash: Hex): Promise<SentTransaction | undefined>
  /** Runs a transaction again after a block, without sending it. Fails where the node lacks that block’s state. */
  rerun(transaction: SimulatedTransaction, blockNumber: number): Promise<Simulation>
}

/** A transaction that the chain has accepted. */
export interface SentTransaction {
  /** Null while it waits for a block. */
  readonly blockNumber: number | null
  /** It is in a block and changed nothing. */
  readonly isFailed: boolean
  /** The followed contract has no part in it: it has no events of the contract, or, where there are none yet, another target. */
  readonly isElsewhere: boolean
  /** What failed; undefined if nothing did. */
  readonly failed?: FailedTransaction
}

/** A transaction that is in a block and changed nothing. */
export interface FailedTransaction {
  readonly blockNumber: number
  readonly call: SimulatedTransaction
  readonly usedAllGas: boolean
}

/** The state of the chain after a block. */
export interface StateReader {
  /** Reads from a contract. */
  call(to: Address, data: Hex): Promise<Hex>
  /** Native currency of a wallet. */
  balanceOf(wallet: Address): Promise<bigint>
  /** A number that follows from this state: it is read once, as long as this is the newest block. */
  kept(what: string, read: (state: StateReader) => Promise<bigint>): Promise<bigint>
  /** Runs a transaction without sending it, even if the wallet cannot pay for it. */
  simulate(transaction: SimulatedTransaction): Promise<Simulation>
}

export interface SimulatedTransaction {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** The outcome of a simulated transaction. */
export type Simulation = { readonly ok: true } | { readonly ok: false; readonly revert: Hex }

const PLENTY_WEI = 10n ** 30n
// Anybody can make us run a failed transaction again. This is several times what the contract needs for one of its calls.
const MOST_GAS = 1_000_000n
const INVALID_PARAMS = -32602
const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`

// Nodes say in different words that they do not have a block yet, or no longer have its state.
const LACKS_BLOCK = /block.*not (found|kept|available)|header not found|unknown block|invalid block|missing trie node/i
const ATTEMPTS = 5
const FIRST_WAIT_MS = 50

export function createChain({ id, contract, rpc }: { id: number; contract: Address; rpc: Rpc }): Chain {
  const patient = createPatientRpc(rpc)
  const createClient = (request: Rpc['request']) =>
    createPublicClient({
      transport: custom(
        { request: ({ method, params }) => request(method, (params ?? []) as unknown[]) },
        { retryCount: 0 },
      ),
    })

  // The library reports an invalid signature when the chain does not answer.
  async function verifyHash(signed: Parameters<Chain['verifyHash']>[0]): Promise<boolean> {
    let failure: unknown
    const observed = createClient(async (method, params) => {
      try {
        return await patient.request(method, params)
      } catch (error) {
        if (revertData(error) === undefined) failure = error
        throw error
      }
    })
    const isValid = await observed.verifyHash(signed)
    if (!isValid && failure !== undefined) throw failure
    return isValid
  }

  const shared = createPatientRpc({ ...createSharedRpc(rpc), batch: rpc.batch })
  const head = async () => blockOf(await shared.request('eth_getBlockByNumber', ['latest', false]))
  const findNewestBlock = createNewestBlock(head)
  const readKept = createKeptState()

  /** Repeats a read while the node lacks the block: behind a load balancer it may be another node than before. */
  async function readAt<T>(block: Block, read: (tag: Hex) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await read(hex(block.number))
      } catch (error) {
        const lacksBlock = error instanceof RpcError && LACKS_BLOCK.test(error.message)
        if (!lacksBlock || attempt === ATTEMPTS) throw error
        await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)))
        block = await findNewestBlock(block)
      }
    }
  }

  // Not every node supports overriding the balance of an account.
  let takesOverrides = true

  async function simulateAt(
    tag: Hex,
    transaction: SimulatedTransaction & { readonly gas?: bigint },
    isRich = takesOverrides,
  ): Promise<Simulation> {
    const { from, to, data, value, gas } = transaction
    const call = { from, to, data, value: hex(value), ...(gas !== undefined && { gas: hex(gas) }) }
    const overrides = isRich ? [{ [from]: { balance: hex(PLENTY_WEI) } }] : []
    try {
      await shared.request('eth_call', [call, tag, ...overrides])
      return { ok: true }
    } catch (error) {
      const revert = revertData(error)
      if (revert !== undefined) return { ok: false, revert }
      if (!(error instanceof RpcError) || error.isTransient || LACKS_BLOCK.test(error.message)) throw error
      if (isRich) {
        const poor = await simulateAt(tag, transaction, false)
        // Any other failure is one of this transaction, and says nothing about the node.
        if (error.code === INVALID_PARAMS) takesOverrides = false
        return poor
      }
      // The wallet lacks the money, which is not a refusal by the contract.
      if (/funds|balance/i.test(error.message)) return { ok: true }
      throw error
    }
  }

  function stateAt(block: Block): StateReader {
    const state: StateReader = {
      call: (to, data) => readAt(block, async (tag) => (await shared.request('eth_call', [{ to, data }, tag])) as Hex),
      balanceOf: (wallet) =>
        readAt(block, async (tag) => BigInt(String(await shared.request('eth_getBalance', [wallet, tag])))),
      kept: (what, read) => readKept(block, what, () => read(state)),
      simulate: (transaction) => readAt(block, (tag) => simulateAt(tag, transaction)),
    }
    return state
  }

  return {
    id,
    contract,
    rpc,
    verifyHash,
    head,
    findNewestBlock,
    at: stateAt,
    async balancesOf(wallets) {
      const calls = wallets.map((wallet) => ({ method: 'eth_getBalance', params: [wallet, 'latest'] }))
      return (await patient.batch(calls)).map((outcome) => BigInt(String(resultOf(outcome))))
    },
    gasPrice: async () => BigInt(String(await shared.request('eth_gasPrice', []))),
    async findTransaction(hash) {
      const [receipt, transaction] = await Promise.all([
        shared.request('eth_getTransactionReceipt', [hash]),
        shared.request('eth_getTransactionByHash', [hash]),
      ])
      const isTarget = ((receipt ?? transaction) as Pick<SentCall, 'to'> | null)?.to?.toLowerCase() === contract
      if (!receipt) return transaction ? { blockNumber: null, isFailed: false, isElsewhere: !isTarget } : undefined
      const { blockNumber, status, logs } = receipt as Receipt
      const isFailed = Number(status) === 0
      return {
        blockNumber: Number(blockNumber),
        isFailed,
        isElsewhere: isFailed ? !isTarget : !logs.some(({ address }) => address.toLowerCase() === contract),
        ...(isFailed &&
          isTarget &&
          transaction !== null && { failed: failedOf(receipt as Receipt, contract, transaction as SentCall) }),
      }
    },
    rerun: (transaction, blockNumber) => simulateAt(hex(blockNumber), { ...transaction, gas: MOST_GAS }),
    call: async (to, data) => (await patient.request('eth_call', [{ to, data }, 'latest'])) as Hex,
  }
}

interface Receipt {
  readonly blockNumber: Hex
  readonly status: Hex
  readonly gasUsed: Hex
  readonly logs: readonly { readonly address: Address }[]
}

interface SentCall {
  readonly from: Address
  /** Null for one that creates a contract. */
  readonly to: Address | null
  readonly input: Hex
  readonly value: Hex
  readonly gas: Hex
}

function failedOf(
  { blockNumber, gasUsed }: Receipt,
  to: Address,
  { from, input, value, gas }: SentCall,
): FailedTransaction {
  return {
    blockNumber: Number(blockNumber),
    call: { from, to, data: input, value: BigInt(value) },
    usedAllGas: BigInt(gasUsed) >= BigInt(gas),
  }
}

function blockOf(answer: unknown): Block {
  const { number, timestamp, hash } = (answer ?? {}) as { number?: Hex; timestamp?: Hex; hash?: Hex }
  if (!number || !timestamp) throw new RpcError('the chain sent no newest block', undefined)
  return { number: Number(number), at: new Date(Number(timestamp) * 1000), ...(hash && { hash }) }
}
