import { isWalletError } from '@rookery/sdk'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ChainError, NetworkError, UsageError } from './failures.js'
import { oneLine } from './plain-text.js'
import { whileShowing } from './progress.js'
import type { Terminal } from './terminal.js'
import { untilInterrupted } from './until-interrupted.js'

/** What is about to be signed, in words. */
export interface Announced {
  readonly summary: string
  readonly warnings?: readonly { readonly message: string }[]
}

/** Says in words what is about to be signed, or would have been. */
export function announce(terminal: Terminal, { summary, warnings = [] }: Announced): void {
  terminal.note([summary, ...warnings.map(({ message }) => message)].map((line) => `${oneLine(line)}\n`).join(''))
}

/**
 * Does work that signs and sends a transaction. `confirm` is for the moment before it signs: it says what that is. From then
 * on it shows what the work waits for, and says the hash when it is interrupted.
 */
export async function sendVisibly<T>(
  terminal: Terminal,
  wallet: PrivateKeyAccount,
  work: (account: PrivateKeyAccount, confirm: (announced: Announced) => void) => Promise<T>,
): Promise<T> {
  let isConfirmed = false
  let hash: Hex | undefined
  const { keccak256 } = await import('viem')
  // The hash is known as soon as it is signed, long before there is a receipt.
  const signTransaction = (async (...given: Parameters<PrivateKeyAccount['signTransaction']>) => {
    const signed = await wallet.signTransaction(...given)
    hash = keccak256(signed)
    return signed
  }) as PrivateKeyAccount['signTransaction']
  const confirm = (announced: Announced) => {
    announce(terminal, announced)
    isConfirmed = true
  }
  const text = () => (isConfirmed ? (hash === undefined ? 'Signing' : `Waiting for transaction ${hash}`) : undefined)
  const known = () =>
    hash === undefined
      ? 'Nothing was sent.'
      : `Transaction ${hash} may have been sent. What became of it: rookery get-trade ${hash}`
  const send = () => work({ ...wallet, signTransaction }, confirm)
  try {
    return await untilInterrupted(terminal, () => whileShowing(terminal, text, send), known)
  } catch (error) {
    throw await describeChainFailure(error, hash)
  }
}

async function describeChainFailure(error: unknown, hash: Hex | undefined): Promise<unknown> {
  if (isWalletError(error)) return describeWalletFailure(error.code, error.message)
  const { BaseError, HttpRequestError } = await import('viem')
  if (!(error instanceof BaseError)) return error
  if (error.walk((cause) => cause instanceof HttpRequestError))
    return new NetworkError(`The chain cannot be reached. ${knownHash(hash)}`)
  return new ChainError(`${error.shortMessage} ${knownHash(hash)}`)
}

function describeWalletFailure(code: string, message: string): Error {
  if (code === 'CHAIN_UNAVAILABLE') return new NetworkError(message)
  // This program refused to sign what the server offered.
  if (['NO_CHAIN', 'QUOTE_MISMATCH', 'WRONG_CONTRACT'].includes(code)) return new UsageError(oneLine(message))
  return new ChainError(message)
}

const knownHash = (hash: Hex | undefined) => (hash === undefined ? 'Nothing was sent.' : `Transaction: ${hash}`)
