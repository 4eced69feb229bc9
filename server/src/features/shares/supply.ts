import { agentSharesAbi, MAX_SUPPLY, type Quote, quoteBuy, quoteSell } from '@rookery/contracts'
import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { type ChainState, findChainState } from '../../foundation/chain/cursor.js'
import { type Block, LONGEST_LAG_MS } from '../../foundation/chain/newest-block.js'
import type { AgentRow } from '../agents/queries.js'

type SupplyDeps = Pick<Deps, 'db' | 'clock' | 'chain' | 'log'>

/** How far the index is. */
export type FindState = () => Promise<ChainState | undefined>

/** Shares of an agent, and the block whose state they are. There is no block where there is no chain. */
export interface ShareState {
  /** In circulation. */
  readonly supply: number
  /** In the wallet; undefined without a wallet. */
  readonly held: number | undefined
  readonly block: Block | undefined
}

/**
 * Reads an agent's shares in circulation and in a wallet, at the newest block of the chain. The index may miss the newest
 * trades, for example the caller's own last one, so it is used only where no chain is configured.
 */
export async function readShares(
  deps: SupplyDeps,
  agent: AgentRow,
  { wallet, newest }: { readonly wallet?: Address | undefined; readonly newest?: Promise<Block> } = {},
): Promise<ShareState> {
  if (!deps.chain) return { supply: agent.supply, held: undefined, block: undefined }
  const block = await (newest ?? readNewestBlock(deps))
  const [supply, held] = await Promise.all([
    readNumber(deps, block, { functionName: 'sharesSupply', args: [agent.subject] }),
    wallet && readNumber(deps, block, { functionName: 'sharesBalance', args: [agent.subject, wallet] }),
  ])
  return { supply: Number(supply), held: held === undefined ? undefined : Number(held), block }
}

/** The newest block of the chain, and never an older one than the index has. */
export async function readNewestBlock(
  deps: SupplyDeps,
  findState: FindState = () => findChainState(deps.db),
): Promise<Block> {
  const indexed = findIndexedBlock(deps, findState)
  // A database that does not answer is no fault of the chain.
  const known = indexed.catch(() => undefined)
  const [block] = await Promise.all([callChain(deps, (chain) => chain.findNewestBlock(known)), indexed])
  return block
}

async function findIndexedBlock({ clock }: SupplyDeps, findState: FindState): Promise<Block | undefined> {
  const state = await findState()
  if (!state?.time || clock.now().getTime() - state.checkedAt.getTime() > LONGEST_LAG_MS) return undefined
  return { number: state.number, at: new Date(state.time * 1000), ...(state.hash !== null && { hash: state.hash }) }
}

type Read =
  | { readonly functionName: 'sharesSupply' | 'claimableFees'; readonly args: readonly [Address] }
  | { readonly functionName: 'sharesBalance'; readonly args: readonly [Address, Address] }

/** Reads a number from the share contract, as of a block. */
export async function readNumber(deps: Pick<Deps, 'chain' | 'log'>, block: Block, read: Read): Promise<bigint> {
  const { functionName, args } = read
  return callChain(deps, (chain) =>
    chain.at(block).kept(`${functionName} ${args}`, async (state) => {
      const data = await state.call(chain.contract, encodeFunctionData({ abi: agentSharesAbi, ...read }))
      return decodeFunctionResult({ abi: agentSharesAbi, functionName, data })
    }),
  )
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
