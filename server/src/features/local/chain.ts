import { errors, type LocalTransaction, type LocalWallet } from '@rookery/api'
import { type Hex, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { getWalletAddress } from '../../base/address.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { type RpcCall, RpcError, resultOf } from '../../foundation/chain/rpc.js'
import { faucetAdvice } from '../shares/funds.js'

type ChainDeps = Pick<Deps, 'chain' | 'log'>

/** Reads what is needed to sign a transaction on the embedded chain. */
export async function getLocalWallet(deps: ChainDeps, input: { address: string }): Promise<LocalWallet> {
  const address = getWalletAddress(input.address)
  const [balance, nonce, gasPrice] = await callChain(deps, [
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_getTransactionCount', params: [address, 'latest'] },
    { method: 'eth_gasPrice', params: [] },
  ])
  return {
    address,
    balanceWei: BigInt(String(balance)).toString(),
    nonce: Number(nonce),
    gasPriceWei: BigInt(String(gasPrice)).toString(),
    chainId: deps.chain?.id ?? 0,
  }
}

/** Sends a signed transaction, which the embedded chain mines before it answers. */
export async function sendLocalTransaction(
  deps: ChainDeps & Pick<Deps, 'config' | 'embeddedChain'>,
  { transaction }: { transaction: Hex },
): Promise<Omit<LocalTransaction, 'indexed' | 'failure'>> {
  const [hash] = await callChain(deps, [{ method: 'eth_sendRawTransaction', params: [transaction] }]).catch(
    async (error: Error) => {
      throw LACKS_FUNDS.test(error.message) ? await lackOfFunds(deps, transaction) : error
    },
  )
  const [receipt] = await callChain(deps, [{ method: 'eth_getTransactionReceipt', params: [hash] }])
  const { status, blockNumber } = receipt as { status: Hex; blockNumber: Hex }
  return {
    transactionHash: hash as Hex,
    blockNumber: Number(blockNumber),
    status: BigInt(status) === 1n ? 'success' : 'reverted',
  }
}

const LACKS_FUNDS = /(enough|insufficient|lack of) (funds|balance)/i

async function lackOfFunds(deps: Pick<Deps, 'config' | 'embeddedChain'>, transaction: Hex): Promise<Problem> {
  const wallet = await recoverTransactionAddress({
    serializedTransaction: transaction as TransactionSerialized,
  })
  const { message } = errors.INSUFFICIENT_FUNDS
  return new Problem('INSUFFICIENT_FUNDS', { message: `${message}${faucetAdvice(deps, wallet)}` })
}

// A refusal by the chain is the sender's error; a chain that does not answer is ours.
async function callChain({ chain, log }: ChainDeps, calls: readonly RpcCall[]): Promise<unknown[]> {
  if (!chain) throw new Problem('CHAIN_UNAVAILABLE')
  try {
    return (await chain.rpc.batch(calls)).map(resultOf)
  } catch (error) {
    if (error instanceof RpcError && !error.isTransient) throw Problem.at('transaction', `is refused: ${error.message}`)
    log.warn({ message: error instanceof Error ? error.message : String(error) }, 'the embedded chain did not answer')
    throw new Problem('CHAIN_UNAVAILABLE')
  }
}
