import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { findChainState } from '../../foundation/chain/cursor.js'
import { createBatch } from '../../foundation/db/batch.js'
import { type AgentRow, findNamedAgents } from '../agents/queries.js'
import { type FindState, readNewestBlock, readShares, type ShareState } from './supply.js'

/** What prices are made from, read once for all callers who ask in the same moment. */
export interface QuoteReads {
  findAgent(identifier: string): Promise<AgentRow | undefined>
  readonly findState: FindState
}

export function openQuoteReads({ db }: Pick<Deps, 'db'>): QuoteReads {
  const findAgent = createBatch((identifiers: readonly string[]) => findNamedAgents(db, identifiers))
  const findState = createBatch(async (asked: readonly true[]) => {
    const state = await findChainState(db)
    return asked.map(() => state)
  })
  return { findAgent, findState: () => findState(true) }
}

/** Reads an agent and its shares in circulation and in a wallet. */
export async function readSubject(
  deps: Pick<Deps, 'db' | 'clock' | 'chain' | 'log'>,
  { findAgent, findState }: QuoteReads,
  identifier: string,
  { viewer, wallet }: { readonly viewer: AgentIdentity | undefined; readonly wallet?: `0x${string}` | undefined },
): Promise<{ readonly agent: AgentRow; readonly shares: ShareState }> {
  if (identifier === 'me' && !viewer) throw new Problem('UNAUTHENTICATED')
  // The chain is asked while the agent is read; an unknown agent is unknown even while it does not answer.
  const newest = deps.chain && readNewestBlock(deps, findState)
  newest?.catch(() => {})
  const agent = await findAgent(identifier === 'me' && viewer ? viewer.id : identifier)
  if (!agent) throw new Problem('AGENT_NOT_FOUND')
  return { agent, shares: await readShares(deps, agent, { wallet, ...(newest && { newest }) }) }
}
