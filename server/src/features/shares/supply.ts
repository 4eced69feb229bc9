import { agentSharesAbi, MAX_SUPPLY, type Quote, quoteBuy, quoteSell } from '@rookery/contracts'
import { decodeFunctionResult, encodeFunctionData } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { findChainState } from '../../foundation/chain/cursor.js'
import type { AgentRow } from '../agents/queries.js'

type SupplyDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'log'>

/** Shares in circulation, and the source of that number. */
export interface Supply {
  readonly supply: number
  readonly source: 'index' | 'chain'
}

const MOST_BLOCKS_BEHIND = 1
const MOST_MS_UNCHECKED = 15_000

/** Reads an agent's shares in circulation: from the index while the follower keeps up, otherwise from the chain. */
export async function readSupply(deps: SupplyDeps, agent: AgentRow): Promise<Supply> {
  if (!deps.chain || (await isFresh(deps))) return { supply: agent.supply, source: 'index' }
  return readSupplyOnChain(deps, agent)
}

export async function readSupplyOnChain(deps: SupplyDeps, { subject }: AgentRow): Promise<Supply> {
  const request = { abi: agentSharesAbi, functionName: 'sharesSupply', args: [subject] } as const
  const data = await callChain(deps, (chain) => chain.call(chain.contract, encodeFunctionData(request)))
  const supply = decodeFunctionResult({ abi: agentSharesAbi, functionName: 'sharesSupply', data })
  return { supply: Number(supply), source: 'chain' }
}

async function isFresh({ db, clock }: SupplyDeps): Promise<boolean> {
  const state = await findChainState(db)
  if (!state) return false
  const uncheckedMs = clock.now().getTime() - state.checkedAt.getTime()
  return state.head - state.number <= MOST_BLOCKS_BEHIND && uncheckedMs <= MOST_MS_UNCHECKED
}

/** Calls the chain. Every failure other than a Problem becomes CHAIN_UNAVAILABLE. */
export async function callChain<T>(
  { chain, log }: Pick<Deps, 'chain' | 'log'>,
  call: (chain: NonNullable<Deps['chain']>) => Promise<T>,
): Promise<T> {
  if (!chain) throw new Problem('CHAIN_UNAVAILABLE', { message: 'This service has no chain to ask.' })
  try {
    return await call(chain)
  } catch (error) {
    if (error instanceof Problem) throw error
    log.warn({ message: (error as Error).message }, 'the chain did not answer')
    throw new Problem('CHAIN_UNAVAILABLE')
  }
}

/** Quotes a trade at a supply. */
export function quoteAt(side: 'buy' | 'sell', supply: number, amount: number): Quote {
  if (side === 'sell') {
    if (amount > supply) throw new Problem('INSUFFICIENT_SUPPLY')
    return quoteSell(BigInt(supply), BigInt(amount))
  }
  if (BigInt(supply + amount) > MAX_SUPPLY)
    throw Problem.at('amount', `must leave no more than ${MAX_SUPPLY} shares in circulation`)
  return quoteBuy(BigInt(supply), BigInt(amount))
}
