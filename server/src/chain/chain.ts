import { createPublicClient, type Hex, http, type Transport } from 'viem'

/** What the service asks an EVM chain. */
export interface Chain {
  /** Whether a wallet made this signature; the wallet may be a contract, even one that is not deployed yet. */
  verifyMessage(signed: { address: `0x${string}`; message: string; signature: Hex }): Promise<boolean>
  head(): Promise<{ number: number; at: Date }>
}

const TIMEOUT_MS = 5_000

export function createChain(rpcUrl: string): Chain {
  return createChainOver(http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 2 }))
}

/** The same over any transport. */
export function createChainOver(transport: Transport): Chain {
  const client = createPublicClient({ transport })
  return {
    verifyMessage: (signed) => client.verifyMessage(signed),
    async head() {
      const block = await client.getBlock({ blockTag: 'latest' })
      return { number: Number(block.number), at: new Date(Number(block.timestamp) * 1000) }
    },
  }
}
