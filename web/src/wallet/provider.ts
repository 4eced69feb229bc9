import type { PlatformConfig, UnsignedTransaction } from '@rookery/sdk'

export type Address = `0x${string}`
export type Hash = `0x${string}`
export type Signature = `0x${string}`

export type MarketChain = NonNullable<PlatformConfig['chain']>

/** The interface of a browser wallet (EIP-1193). */
export interface Provider {
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: (value: never) => void): void
  removeListener?(event: string, listener: (value: never) => void): void
}

export type Outcome = 'success' | 'reverted'

/** What the page needs from a connected wallet of any kind. */
export interface Connection {
  balance(): Promise<bigint>
  /** Has the owner sign a text (EIP-191). */
  sign(message: string): Promise<Signature>
  /** Has the owner sign the transaction, sends it and returns its hash. */
  send(transaction: UnsignedTransaction): Promise<Hash>
  /** Waits until the transaction is in a block. */
  outcome(hash: Hash): Promise<Outcome>
  switchTo(chain: MarketChain): Promise<void>
  close(): void
}

export interface Wallet {
  readonly kind: 'browser' | 'test'
  readonly name: string
  /** In lower case. */
  readonly address: Address
  readonly chainId: number
  readonly connection: Connection
}

/** A wallet's reason for a failure. */
export interface ProviderFailure {
  readonly code: number | undefined
  readonly message: string
}

/** Reads a failure of a wallet, which may be any value. Some wrap the node’s own error. */
export function readFailure(error: unknown): ProviderFailure {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown }
  const inner = (data as { originalError?: { code?: unknown } } | undefined)?.originalError?.code
  const number = typeof inner === 'number' ? inner : code
  return {
    code: typeof number === 'number' ? number : undefined,
    message: typeof message === 'string' && message !== '' ? message : String(error),
  }
}
