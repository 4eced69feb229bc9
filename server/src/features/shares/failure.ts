import type { TransactionFailure } from '@rookery/api'
import type { Deps } from '../../deps.js'
import type { FailedTransaction } from '../../foundation/chain/chain.js'
import { readRevert } from './reverts.js'

const RAN_OUT = 'It ran out of gas. Send it with the gas limit of a quote.'
const UNKNOWN = 'The chain refused it, and cannot say why any more. Ask for a new quote and send that.'

/**
 * Finds out why a transaction failed by running it again: after the block before its own, and, in case one beside it
 * came first, after its own. The chain keeps only that it failed.
 */
export async function explainFailure(
  { chain, log }: Pick<Deps, 'chain' | 'log'>,
  { call, blockNumber, usedAllGas }: FailedTransaction,
): Promise<TransactionFailure> {
  for (const number of chain ? [blockNumber - 1, blockNumber] : []) {
    // Nodes forget old states.
    const outcome = await chain?.rerun(call, number).catch((error: Error) => {
      log.info({ message: error.message }, 'could not run a failed transaction again')
    })
    if (outcome && !outcome.ok) {
      const { name, reason } = readRevert(outcome.revert)
      return { error: name === '' ? null : name, message: `The contract refused it: ${reason}.` }
    }
  }
  return { error: null, message: usedAllGas ? RAN_OUT : UNKNOWN }
}
