import { type Address, createPublicClient, custom, type Hex } from 'viem'
import { createPatientRpc, type Rpc, RpcError, resultOf, revertData } from './rpc.js'

/** The EVM chain, as far as the service uses it. */
export interface Chain {
  readonly id: number
  /** The contract that is followed, in lower case. */
  readonly contract: Address
  readonly rpc: Rpc
  /** Whether a wallet made this signature of a hash. The wallet may be a contract, even one not yet deployed. */
  verifyHash(signed: { address: Address; hash: Hex; signature: Hex }): Promise<boolean>
  head(): Promise<{ number: number; at: Date }>
  /** Native currency of wallets, in their order. */
  balancesOf(wallets: readonly Address[]): Promise<bigint[]>
  gasPrice(): Promise<bigint>
  /** Reads from a contract. */
  call(to: Address, data: Hex): Promise<Hex>
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
const hex = (value: bigint): Hex => `0x${value.toString(16)}`

export function createChain({ id, contract, rpc }: { id: number; contract: Address; rpc: Rpc }): Chain {
  const patient = createPatientRpc(rpc)
  const createClient = (request: Rpc['request']) =>
    createPublicClient({
      transport: custom(
        { request: ({ method, params }) => request(method, (params ?? []) as unknown[]) },
        { retryCount: 0 },
      ),
    })
  const client = createClient(patient.request)

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

  // Not every node supports overriding the balance of an account.
  let takesOverrides = true

  const call: Chain['call'] = async (to, data) => (await patient.request('eth_call', [{ to, data }, 'latest'])) as Hex

  async function simulate({ from, to, data, value }: SimulatedTransaction): Promise<Simulation> {
    const overrides = takesOverrides ? [{ [from]: { balance: hex(PLENTY_WEI) } }] : []
    try {
      await patient.request('eth_call', [{ from, to, data, value: hex(value) }, 'latest', ...overrides])
      return { ok: true }
    } catch (error) {
      const revert = revertData(error)
      if (revert !== undefined) return { ok: false, revert }
      if (!(error instanceof RpcError) || error.isTransient) throw error
      if (takesOverrides) {
        takesOverrides = false
        return simulate({ from, to, data, value })
      }
      // The wallet lacks the money, which is not a refusal by the contract.
      if (/funds|balance/i.test(error.message)) return { ok: true }
      throw error
    }
  }

  return {
    id,
    contract,
    rpc,
    verifyHash,
    async head() {
      const block = await client.getBlock({ blockTag: 'latest' })
      return { number: Number(block.number), at: new Date(Number(block.timestamp) * 1000) }
    },
    async balancesOf(wallets) {
      const calls = wallets.map((wallet) => ({ method: 'eth_getBalance', params: [wallet, 'latest'] }))
      return (await patient.batch(calls)).map((outcome) => BigInt(String(resultOf(outcome))))
    },
    gasPrice: async () => BigInt(String(await patient.request('eth_gasPrice', []))),
    call,
    simulate,
  }
}
