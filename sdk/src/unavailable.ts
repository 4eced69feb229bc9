import { BaseError, type Hash } from 'viem'
import { WalletError } from './wallet-error.js'

/** The chain did not answer, before or after a transaction was sent. */
export function unavailable(hash: Hash | undefined, cause: unknown): WalletError {
  const why = cause instanceof BaseError ? cause.shortMessage : String(cause)
  const next =
    hash === undefined
      ? 'Nothing was sent. Try again in a moment'
      : `The transaction ${hash} may be on its way: look for it with getTrade before trying again`
  return new WalletError('CHAIN_UNAVAILABLE', `The chain did not answer: ${why} ${next}.`, { hash }, cause)
}
