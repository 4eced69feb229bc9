import { type Client, type SentTransaction, sendTransaction, type UnsignedTransaction } from '@rookery/sdk'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ChainError, NetworkError } from './failures.js'
import { whileShowing } from './progress.js'
import type { Terminal } from './terminal.js'
import { untilInterrupted } from './until-interrupted.js'

/** Signs and sends a transaction, shows what it waits for, and says its hash when it is interrupted. */
export async function sendVisibly(
  terminal: Terminal,
  client: Client,
  wallet: PrivateKeyAccount,
  { transaction, wait }: { transaction: UnsignedTransaction; wait: number },
): Promise<SentTransaction> {
  let hash: Hex | undefined
  const { keccak256 } = await import('viem')
  // The hash is known as soon as it is signed, long before there is a receipt.
  const signTransaction = (async (...given: Parameters<PrivateKeyAccount['signTransaction']>) => {
    const signed = await wallet.signTransaction(...given)
    hash = keccak256(signed)
    return signed
  }) as PrivateKeyAccount['signTransaction']
  const text = () => (hash === undefined ? 'Signing' : `Waiting for transaction ${hash}`)
  const known = () =>
    hash === undefined
      ? 'Nothing was sent.'
      : `Transaction ${hash} may have been sent. What became of it: rookery get-trade ${hash}`
  const send = () => sendTransaction(client, { ...wallet, signTransaction }, transaction, { wait })
  try {
    return await untilInterrupted(terminal, () => whileShowing(terminal, text, send), known)
  } catch (error) {
    throw await describeChainFailure(error, hash)
  }
}

async function describeChainFailure(error: unknown, hash: Hex | undefined): Promise<unknown> {
  const { BaseError, HttpRequestError, InsufficientFundsError } = await import('viem')
  if (error instanceof BaseError) {
    // Some nodes say it in words that the library does not know.
    const isPoor = /(insufficient|enough) funds/i.test(error.message)
    if (isPoor || error.walk((cause) => cause instanceof InsufficientFundsError))
      return new ChainError('The wallet has too little money for the price and the gas.')
    if (error.walk((cause) => cause instanceof HttpRequestError))
      return new NetworkError(`The chain cannot be reached. ${knownHash(hash)}`)
    return new ChainError(`${error.shortMessage} ${knownHash(hash)}`)
  }
  if (!(error instanceof Error)) return error
  if (codeOf(error) === 'CHAIN_UNAVAILABLE') return new NetworkError(error.message)
  return codeOf(error) !== undefined || /was reverted/.test(error.message) ? new ChainError(error.message) : error
}

/** The code of a failure that the SDK has already put into words. */
function codeOf(error: Error): string | undefined {
  return error.name === 'WalletError' && 'code' in error ? String(error.code) : undefined
}

const knownHash = (hash: Hex | undefined) => (hash === undefined ? 'Nothing was sent.' : `Transaction: ${hash}`)
