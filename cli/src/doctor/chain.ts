import type { PlatformConfig } from '@rookery/sdk'
import type { Hex } from 'viem'
import { exitCodes } from '../exit-codes.js'
import { type Check, failed, ok, warning } from './check.js'

type Chain = NonNullable<PlatformConfig['chain']>

const OLD_BLOCK_SECONDS = 300
const ANSWER_MS = 10_000

/** Whether transactions can be sent: the chain answers, is the right one, and makes blocks. */
export async function checkChain(
  chain: Chain,
  { makesBlocksOnDemand, nowMs }: { makesBlocksOnDemand: boolean; nowMs: number },
): Promise<Check> {
  const reader = await readerOf(chain)
  try {
    const [id, block] = await Promise.all([reader.getChainId(), reader.getBlock()])
    if (id !== chain.id)
      return failed('chain', `${chain.rpcUrl} is chain ${id}, and the service names ${chain.id}.`, 'Tell its operator.')
    const age = Math.max(0, Math.round(nowMs / 1000 - Number(block.timestamp)))
    const line = `${chain.name} (${id}), block ${block.number}, ${age} s old`
    return age > OLD_BLOCK_SECONDS && !makesBlocksOnDemand
      ? warning('chain', line, 'The chain or its node stands still: transactions will wait.')
      : ok('chain', line)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    const todo = 'Reading works without it; trades do not. Check the network, or ask the operator.'
    return failed('chain', `${chain.rpcUrl} does not answer: ${why}`, todo, exitCodes.network)
  }
}

/** Whether the wallet can pay for a transaction. */
export async function checkBalance(chain: Chain, address: Hex, { hasFaucet }: { hasFaucet: boolean }): Promise<Check> {
  const reader = await readerOf(chain)
  const { formatEther } = await import('viem')
  try {
    const wei = await reader.getBalance({ address })
    const line = `${address} has ${formatEther(wei)} ${chain.nativeCurrency.symbol}`
    const todo = hasFaucet
      ? `Get test money: rookery request-faucet --address ${address}`
      : `Send it some ${chain.nativeCurrency.symbol}: trades cost their price and gas.`
    return wei > 0n ? ok('wallet', line) : warning('wallet', line, todo)
  } catch {
    return warning('wallet', `${address}: its balance is not known.`, 'See the line about the chain.')
  }
}

async function readerOf({ rpcUrl }: Chain) {
  const { createPublicClient, http } = await import('viem')
  return createPublicClient({ transport: http(rpcUrl, { retryCount: 0, timeout: ANSWER_MS }) })
}
