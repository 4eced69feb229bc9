import { type Address, createPublicClient, type Hex, http } from 'viem'
import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import { FACTS_METHOD, FAUCET_METHOD, type SharedChainFacts } from './shared-methods.js'
import type { EmbeddedChain } from './start-chain.js'

/** A chain of `rookery-chain`, which several services share. */
export interface SharedChain extends EmbeddedChain {
  readonly operator: Address
}

const ANSWER_WITHIN_MS = 5_000

/** Asks a chain of `rookery-chain` what it is. Throws when nothing answers there, or another kind of chain. */
export async function connectSharedChain(rpcUrl: string): Promise<SharedChain> {
  const { request } = createPublicClient({ transport: http(rpcUrl, { retryCount: 0, timeout: ANSWER_WITHIN_MS }) })
  const call = request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>
  const facts = (await call({ method: FACTS_METHOD, params: [] })) as SharedChainFacts
  if (facts.chainId !== EMBEDDED_CHAIN_ID) throw new Error(`it is chain ${facts.chainId}`)
  return {
    ...facts,
    rpcUrl,
    pid: undefined,
    ready: Promise.resolve(),
    progress: { replayed: 0, total: 0 },
    // It announces nothing: whoever follows it asks for new blocks.
    onBlocks: () => {},
    faucet: async (address) => (await call({ method: FAUCET_METHOD, params: [address] })) as Hex,
    setLate: async () => {},
    close: async () => {},
  }
}
