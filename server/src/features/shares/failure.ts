import type { TransactionFailure } from '@rookery/api'
import type { Hex } from 'viem'
import type { Deps } from '../../deps.js'
import type { FailedTransaction } from '../../foundation/chain/chain.js'
import { RpcError } from '../../foundation/chain/rpc.js'
import { readRevert } from './reverts.js'

const RAN_OUT = 'It ran out of gas. Send it with the gas limit of a quote.'
const UNKNOWN = 'The chain refused it, and cannot say why any more. Ask for a new quote and send that.'

const MOST_REMEMBERED = 1_000

/** Why transactions failed, so that nobody makes the chain run the same one again and again. */
export interface FailureMemory {
  explain(deps: Pick<Deps, 'chain' | 'log'>, hash: Hex, failed: FailedTransaction): Promise<TransactionFailure>
}

export function createFailureMemory(): FailureMemory {
  const known = new Map<string, Promise<TransactionFailure | undefined>>()
  return {
    async explain(deps, hash, failed) {
      // After a reorganisation it may have failed for another reason, in another block.
      const key = `${hash} ${failed.blockNumber}`
      const explained = known.get(key) ?? explainFailure(deps, failed)
      known.delete(key)
      known.set(key, explained)
      for (const oldest of known.keys()) {
        if (known.size <= MOST_REMEMBERED) break
        known.delete(oldest)
      }
      const failure = await explained
      // The chain did not answer: it may the next time.
      if (!failure && known.get(key) === explained) known.delete(key)
      return failure ?? { error: null, message: failed.usedAllGas ? RAN_OUT : UNKNOWN }
    },
  }
}

/**
 * Finds out why a transaction failed by running it again: after the block before its own, and, in case one beside it
 * came first, after its own. The chain keeps only that it failed. Undefined if the chain did not answer.
 */
async function explainFailure(
  { chain, log }: Pick<Deps, 'chain' | 'log'>,
  { call, blockNumber, usedAllGas }: FailedTransaction,
): Promise<TransactionFailure | undefined> {
  let hasAnswered = false
  for (const number of chain ? [blockNumber - 1, blockNumber] : []) {
    // Nodes forget old states.
    const outcome = await chain?.rerun(call, number).catch((error: Error) => {
      log.info({ message: error.message }, 'could not run a failed transaction again')
      hasAnswered ||= error instanceof RpcError && !error.isTransient
    })
    if (outcome && !outcome.ok) {
      const { name, reason } = readRevert(outcome.revert)
      return { error: name === '' ? null : name, message: `The contract refused it: ${reason}.` }
    }
    hasAnswered ||= outcome !== undefined
  }
  return hasAnswered ? { error: null, message: usedAllGas ? RAN_OUT : UNKNOWN } : undefined
}
