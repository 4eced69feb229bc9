import type { ShareQuote, UnsignedTransaction } from '@rookery/api'
import { agentSharesAbi } from '@rookery/contracts/abi'
import { type Address, decodeFunctionData, encodeFunctionData, toFunctionSelector } from 'viem'
import type { Subject } from './find-subject.js'
import { expectSame, mismatch } from './wallet-error.js'

/** Throws unless a transaction makes exactly the quoted trade. */
export function checkTrade(transaction: UnsignedTransaction, quote: ShareQuote, agent: Subject): void {
  const { side, amount, limitPriceWei, expiresAt } = quote
  if (side === 'buy' && BigInt(transaction.value) > BigInt(limitPriceWei))
    throw mismatch('the value of the transaction', `at most ${limitPriceWei}`, String(BigInt(transaction.value)))
  if (side === 'sell') requireNoValue(transaction)
  const call = readCall(transaction)
  expectSame('whether it is a launch', String(quote.supply === 0 && side === 'buy'), String(quote.launch))
  if (quote.launch) {
    const [subject, name, , more = 1n] = call.args
    expectSame('the function', 'launch', call.functionName)
    expectArgs({ subject: agent.subject, name: agent.username, amount }, { subject, name, amount: more })
    return
  }
  const [subject, shares, limit, deadline] = call.args
  expectSame('the function', side === 'buy' ? 'buyShares' : 'sellShares', call.functionName)
  expectArgs(
    { subject: agent.subject, amount, limit: limitPriceWei, deadline: Date.parse(expiresAt) / 1000 },
    { subject, amount: shares, limit, deadline },
  )
}

/** Throws unless a transaction gives exactly these shares away. */
export function checkTransfer(
  transaction: UnsignedTransaction,
  wanted: { readonly subject: Address; readonly to: Address; readonly amount: number },
): void {
  requireNoValue(transaction)
  const { functionName, args } = readCall(transaction)
  expectSame('the function', 'transferShares', functionName)
  const [subject, to, amount] = args
  expectArgs(wanted, { subject, to, amount })
}

/** Throws unless a transaction pays the agent's fees to its own wallet. */
export function checkClaim(transaction: UnsignedTransaction, { subject, owner }: Subject): void {
  requireNoValue(transaction)
  const { functionName, args } = readCall(transaction)
  expectSame('the function', 'claimFees', functionName)
  const [claimed, receiver = owner] = args
  expectArgs({ subject, receiver: owner }, { subject: claimed, receiver })
}

function requireNoValue({ value }: UnsignedTransaction): void {
  expectSame('the value of the transaction', 0n, BigInt(value))
}

function expectArgs(expected: Readonly<Record<string, string | number>>, actual: Readonly<Record<string, unknown>>) {
  for (const [name, value] of Object.entries(expected))
    expectSame(`the ${name} in the call data`, value, String(actual[name] ?? 'missing'))
}

interface Call {
  readonly functionName: string
  readonly args: readonly unknown[]
}

function readCall({ data }: UnsignedTransaction): Call {
  try {
    const call = decodeFunctionData({ abi: agentSharesAbi, data })
    // Decoding ignores what follows the arguments.
    if (encodeFunctionData({ abi: abiOf(data), args: call.args } as never) === data.toLowerCase())
      return { functionName: call.functionName, args: call.args ?? [] }
  } catch {
    // Not a call of the contract, which is said below.
  }
  throw mismatch('the call data', 'a call of the share contract', data.slice(0, 42))
}

/** The one function with the selector of the data: names alone are ambiguous. */
function abiOf(data: string) {
  return agentSharesAbi.filter((item) => item.type === 'function' && toFunctionSelector(item) === data.slice(0, 10))
}
