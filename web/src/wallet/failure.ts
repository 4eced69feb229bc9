import { RookeryError } from '@rookery/sdk'
import { describeFailure } from '../api/failure.js'
import { readFailure } from './provider.js'

/** Why a trade failed, what that means, and what to do. */
export interface TradeFailure {
  readonly title: string
  readonly advice: string
  readonly code?: string
}

const REJECTED = 4001
const BUSY = -32_002
const DISCONNECTED = new Set([4100, 4900, 4901])

/** The title for each task that a wallet did not do, for reasons of its own. */
const undone = {
  connect: 'The wallet did not connect',
  switch: 'The wallet did not switch networks',
  sign: 'The wallet did not sign it',
  send: 'The wallet did not send it',
} as const
export type WalletTask = keyof typeof undone

/** The wallet does not offer the account that has to sign. */
export class WrongAccount extends Error {}

/** Translates a failure of a wallet, the chain or the service into helpful words. */
export function explainFailure(error: unknown, task: WalletTask = 'send'): TradeFailure {
  if (error instanceof WrongAccount) return { title: 'The wallet is on another account', advice: error.message }
  if (error instanceof RookeryError) {
    if (error.code === 'INSUFFICIENT_FUNDS') return SHORT_OF_MONEY
    const { title, message, code } = describeFailure(error)
    return { title, advice: message, ...(code !== undefined && { code }) }
  }
  const { code, message } = readFailure(error)
  if (code === REJECTED || /reject|denied|cancell?ed/i.test(message)) return REJECTED_BY_OWNER
  if (code === BUSY) return WALLET_BUSY
  if (code !== undefined && DISCONNECTED.has(code)) return WALLET_AWAY
  if (isShortOfMoney(message)) return SHORT_OF_MONEY
  if (error instanceof TypeError) {
    const { title, message } = describeFailure(error)
    return { title, advice: message }
  }
  return { title: undone[task], advice: `It says: ${message.slice(0, 200)}` }
}

/** The transaction was mined and reverted. */
export const REVERTED: TradeFailure = {
  title: 'The chain reverted it',
  advice:
    'The price moved past your limit, or the quote was too old when it was mined. No shares moved; only gas was paid. Check the new quote and try again, or allow more slippage.',
}

const REJECTED_BY_OWNER: TradeFailure = {
  title: 'You declined it in the wallet',
  advice: 'Nothing was sent and nothing was paid. You can try again whenever you like.',
}

const WALLET_BUSY: TradeFailure = {
  title: 'Your wallet is waiting for another answer',
  advice: 'Open it, finish what it asks for, then try again here.',
}

const WALLET_AWAY: TradeFailure = {
  title: 'The wallet is not connected',
  advice: 'Unlock it and connect it to this page again.',
}

const SHORT_OF_MONEY: TradeFailure = {
  title: 'There is not enough BNB in the wallet',
  advice: 'It must cover the full limit plus gas. Buy fewer shares, or add BNB to the wallet.',
}

function isShortOfMoney(message: string): boolean {
  return /insufficient funds|enough funds|sufficient balance|insufficient balance/i.test(message)
}
