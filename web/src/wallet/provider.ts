import type { PlatformConfig, UnsignedTransaction } from '@rookery/sdk'

export type Address = `0x${string}`
export type Hash = `0x${string}`

/** The chain the market is on. */
export type MarketChain = NonNullable<PlatformConfig['chain']>

/** What a browser wallet offers (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): void
  removeListener?(event: string, listener: (value: never) => void): void
}

/** How a transaction ended in its block. */
export type Outcome = 'success' | 'reverted'

/** What the page asks of a connected wallet, whatever kind it is. */
export interface Connection {
  balance(): Promise<bigint>
  /** Has the owner sign and sends it; gives its hash. */
  send(transaction: UnsignedTransaction): Promise<Hash>
  /** Waits until it is in a block. */
  outcome(hash: Hash): Promise<Outcome>
  switchTo(chain: MarketChain): Promise<void>
  close(): void
}

/** A connected wallet. */
export interface Wallet {
  readonly kind: 'browser' | 'test'
  readonly name: string
  /** In lower case. */
  readonly address: Address
  /** Which chain it is on. */
  readonly chainId: number
  readonly connection: Connection
}

/** What a wallet said when it did not do as asked. */
export interface ProviderFailure {
  readonly code: number | undefined
  readonly message: string
}

/** Reads a failure of a wallet, which may be anything. Some wrap the node’s own inside. */
export function readFailure(error: unknown): ProviderFailure {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  const inner = (data as { originalError?: { code?: unknown } } | undefined)?.originalError?.code
  const number = typeof inner === 'number' ? inner : code
  return {
    code: typeof number === 'number' ? number : undefined,
    message: typeof message === 'string' && message !== '' ? message : String(error),
  }
}
