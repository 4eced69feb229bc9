import { Problem } from '../../base/problem.js'
import { type AgentRow, getAgent } from '../agents/queries.js'
import { type DecideDeps, decide } from './decide.js'

/** Suspends an agent on the operator's order. Repeating it changes nothing. */
export function suspendAgent(deps: DecideDeps, username: string, reason?: string): Promise<AgentRow> {
  return decideOnce(deps, username, 'suspend', reason)
}

/** Lifts a suspension. An agent that was never verified is pending again. */
export function unsuspendAgent(deps: DecideDeps, username: string, reason?: string): Promise<AgentRow> {
  return decideOnce(deps, username, 'unsuspend', reason)
}

const REASONS = {
  suspend: 'The operator has suspended this agent.',
  unsuspend: 'The operator has lifted the suspension.',
} as const

async function decideOnce(
  deps: DecideDeps,
  name: string,
  decision: keyof typeof REASONS,
  reason: string = REASONS[decision],
): Promise<AgentRow> {
  const { id } = await getAgent(deps.db, name)
  const input = { decision, reason, decidedBy: 'operator' }
  await decide(deps, { targetType: 'agent', targetId: id }, input).catch((error) => {
    if (!(error instanceof Problem && error.code === 'ALREADY_DECIDED')) throw error
  })
  return getAgent(deps.db, id)
}
