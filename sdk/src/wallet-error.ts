/** What `details` of a `WalletError` has, by its code. */
export interface WalletProblems {
  /** The service has no chain, so there is nothing to trade on. */
  readonly NO_CHAIN: Record<never, never>
  /** The service names another chain or contract than the wallet was created for, or the transaction goes to another one. */
  readonly WRONG_CONTRACT: { readonly expected: string; readonly actual: string }
  /** The answer of the service is not what was asked for, or does not follow from the curve. Nothing was signed. */
  readonly QUOTE_MISMATCH: { readonly what: string; readonly expected: string; readonly actual: string }
  /** The service asked for a signature under another text than a challenge for what was wanted. Nothing was signed. */
  readonly WRONG_CHALLENGE: { readonly what: string; readonly expected: string; readonly actual: string }
  /** The price is above `maxCostWei` or below `minProceedsWei`. Nothing was signed. */
  readonly PRICE_OUT_OF_BOUNDS: { readonly priceWei: bigint; readonly boundWei: bigint }
  /** Gas may cost more than `maxGasWei`. Nothing was signed. */
  readonly GAS_OUT_OF_BOUNDS: { readonly gasWei: bigint; readonly boundWei: bigint }
  /** The wallet cannot pay for the transaction and its gas. Nothing was sent. */
  readonly INSUFFICIENT_FUNDS: {
    readonly balanceWei: bigint
    readonly neededWei: bigint
    readonly missingWei: bigint
    /** Whether `requestFaucet` of the service gives test money. */
    readonly hasFaucet: boolean
  }
  /** The chain refused the transaction. It is in no block and cost nothing. */
  readonly NOT_SENT: { readonly error: string | undefined }
  /** The chain did not answer. If there is a `hash`, the transaction may be on its way: look for it before trying again. */
  readonly CHAIN_UNAVAILABLE: { readonly hash: `0x${string}` | undefined }
  /** The transaction is in a block. It changed nothing but cost gas. `error` and `args` are what the contract said. */
  readonly REVERTED: {
    readonly hash: `0x${string}`
    readonly error: string | undefined
    readonly args: readonly unknown[]
  }
}

/** The name of a failure of a wallet. */
export type WalletErrorCode = keyof WalletProblems

/**
 * A transaction that was not made. `message` says why and what to do; `details` depends on `code`.
 *
 * @example
 * ```ts
 * import { WalletError } from '@rookery/sdk'
 *
 * export function isWorthAnotherTry(error: unknown): boolean {
 *   return error instanceof WalletError && error.code === 'REVERTED'
 * }
 * ```
 */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly code: WalletErrorCode
  readonly details: WalletProblems[WalletErrorCode]

  constructor(code: WalletErrorCode, message: string, details: WalletProblems[WalletErrorCode], cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}

/**
 * Whether a wallet failed, with this code if one is given; `details` then has the type of that code.
 *
 * @example
 * ```ts
 * import { createClient, createWallet, isWalletError } from '@rookery/sdk'
 * import { privateKeyToAccount } from 'viem/accounts'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.ROOKERY_API_KEY ?? '' })
 * const account = privateKeyToAccount(process.env.ROOKERY_PRIVATE_KEY as `0x${string}`)
 * try {
 *   await createWallet(rookery, account).trade.buy({ agent: 'ada', amount: 1 })
 * } catch (error) {
 *   if (!isWalletError(error, 'INSUFFICIENT_FUNDS') || !error.details.hasFaucet) throw error
 *   await rookery.requestFaucet({ address: account.address })
 * }
 * ```
 */
export function isWalletError<Code extends WalletErrorCode = WalletErrorCode>(
  error: unknown,
  code?: Code,
): error is WalletError & { readonly code: Code; readonly details: WalletProblems[Code] } {
  return error instanceof WalletError && (code === undefined || error.code === code)
}

/** Throws unless the service answered what was asked for. */
export function expectSame(what: string, expected: bigint | number | string, actual: bigint | number | string): void {
  const [wanted, got] = [String(expected), String(actual)]
  if (wanted.toLowerCase() !== got.toLowerCase()) throw mismatch(what, wanted, got)
}

export function mismatch(what: string, expected: string, actual: string): WalletError {
  const message = `The answer of the service cannot be trusted: ${what} is ${actual} instead of ${expected}. Nothing was signed.`
  return new WalletError('QUOTE_MISMATCH', message, { what, expected, actual })
}
