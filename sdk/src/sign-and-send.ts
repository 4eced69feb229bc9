import type { ShareTransaction, UnsignedTransaction } from '@rookery/api'
import { BaseError, formatEther, type Hash, type Hex, HttpRequestError, keccak256, TimeoutError } from 'viem'
import {
  call,
  getBalance,
  getChainId,
  getTransaction,
  prepareTransactionRequest,
  sendRawTransaction,
  signTransaction,
  waitForTransactionReceipt,
} from 'viem/actions'
import type { Client } from './client.js'
import { isRookeryError } from './errors.js'
import { type GasBound, requireGasWithin, requireSensibleGas } from './gas-bounds.js'
import { type MarketChain, type Node, requireContract } from './market-chain.js'
import { readRevert } from './revert.js'
import { unavailable } from './unavailable.js'
import { WalletError } from './wallet-error.js'

/** Where a transaction ended up. */
export interface Mined {
  readonly hash: Hash
  readonly blockNumber: bigint
}

/** Signs a transaction, sends it and waits for its receipt. Throws when it is not sent, or is reverted. */
export async function signAndSend(
  chain: MarketChain,
  transaction: UnsignedTransaction,
  bound: GasBound = {},
  inTurn: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
): Promise<Mined> {
  requireContract({ chainId: chain.id, contract: chain.contract }, { ...transaction, contract: transaction.to })
  requireSensibleGas(transaction)
  const hash = await inTurn(async () => broadcast(chain, await sign(chain, transaction, bound)))
  const { node } = chain
  const { status, blockNumber } = await waitForTransactionReceipt(node, { hash }).catch((error: unknown) => {
    throw unavailable(hash, error)
  })
  if (status === 'success') return { hash, blockNumber }
  const { to, data, value, gasLimit } = transaction
  // The state after the block includes the trades before this one that made it fail.
  const again = { account: node.account, to, data, value: BigInt(value), gas: BigInt(gasLimit), blockNumber }
  const { error, args, sentence } = await call(node, again).then(() => readRevert(undefined), readRevert)
  const message = `The transaction ${hash} was reverted: ${sentence}. It changed nothing but still cost gas.`
  throw new WalletError('REVERTED', message, { hash, error, args })
}

async function sign(
  chain: MarketChain,
  { to, data, value, gasLimit }: UnsignedTransaction,
  bound: GasBound,
): Promise<Hex> {
  const { node } = chain
  const [request, balanceWei, nodeId] = await Promise.all([
    prepareTransactionRequest(node, {
      to,
      data,
      value: BigInt(value),
      gas: BigInt(gasLimit),
      parameters: ['chainId', 'fees', 'nonce', 'type'],
    }),
    getBalance(node, { address: node.account.address, blockTag: 'pending' }),
    getChainId(node),
  ]).catch((error: unknown) => {
    throw unavailable(undefined, error)
  })
  requireContract({ chainId: chain.id, contract: chain.contract }, { chainId: nodeId, contract: chain.contract })
  const gasWei = BigInt(gasLimit) * (request.maxFeePerGas ?? request.gasPrice ?? 0n)
  requireGasWithin(gasWei, bound, chain)
  const neededWei = BigInt(value) + gasWei
  if (balanceWei < neededWei) throw insufficientFunds(chain, balanceWei, neededWei)
  return signTransaction(node, request)
}

function insufficientFunds({ node, symbol, hasFaucet }: MarketChain, balanceWei: bigint, neededWei: bigint) {
  const missingWei = neededWei - balanceWei
  const money = (wei: bigint) => `${formatEther(wei)} ${symbol}`
  const remedy = hasFaucet
    ? 'Get test money with requestFaucet (POST /local/faucet)'
    : `Send at least that much to ${node.account.address}`
  const message = `The wallet has ${money(balanceWei)}, and with gas this may need ${money(neededWei)}: ${money(missingWei)} are missing. ${remedy}, then try again.`
  return new WalletError('INSUFFICIENT_FUNDS', message, { balanceWei, neededWei, missingWei, hasFaucet })
}

// The hash is known before it is sent, so that a lost answer leaves no doubt about which transaction to look for.
async function broadcast({ node }: MarketChain, serializedTransaction: Hex): Promise<Hash> {
  const hash = keccak256(serializedTransaction)
  try {
    return await sendRawTransaction(node, { serializedTransaction: serializedTransaction as `0x02${string}` })
  } catch (error) {
    if (await isKnown(node, hash)) return hash
    if (isNoAnswer(error)) throw unavailable(hash, error)
    const { error: name, sentence } = readRevert(error)
    const why = name === undefined && error instanceof BaseError ? error.shortMessage : sentence
    throw new WalletError('NOT_SENT', `The chain refused the transaction: ${why}`, { error: name }, error)
  }
}

async function isKnown(node: Node, hash: Hash): Promise<boolean> {
  return getTransaction(node, { hash }).then(
    () => true,
    () => false,
  )
}

function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false
  return error.walk((it) => it instanceof HttpRequestError || it instanceof TimeoutError) !== null
}

const LONGEST_WAIT_SECONDS = 10

/** Waits until the service has indexed a transaction. It has been made, so nothing that happens now is a reason to throw. */
export async function waitUntilIndexed(
  client: Client,
  transactionHash: Hash,
  seconds: number,
): Promise<ShareTransaction | undefined> {
  const endsAt = Date.now() + seconds * 1000
  let found: ShareTransaction | undefined
  for (let left = seconds; left > 0; left = Math.floor((endsAt - Date.now()) / 1000)) {
    try {
      found = await client.getTrade({ transactionHash, wait: Math.min(left, LONGEST_WAIT_SECONDS) })
      if (found.indexed || found.status === 'failed') return found
    } catch (error) {
      // Not seen by the service's node yet, which may be another than ours.
      if (!isRookeryError(error, 'TRANSACTION_NOT_FOUND')) return found
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  return found
}
