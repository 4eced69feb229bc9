import { setTimeout as pause } from 'node:timers/promises'
import { type Client, RookeryError } from '@rookery/sdk'
import { NetworkError } from '../failures.js'
import { checkAction, type Outcome, performAction } from './actions.js'
import type { Decide } from './decide.js'
import { DeciderError } from './decide-by-command.js'
import { type AgentState, readState } from './state.js'

export interface LoopOptions {
  readonly decide: Decide
  readonly mostActions: number
  /** Shows what would be done, and does only what reads. */
  readonly isDryRun: boolean
  /** Seconds between turns. Without it, the service says when it wants to see the agent again. */
  readonly every: number | undefined
  readonly isOnce: boolean
  readonly signal: AbortSignal
  onTurn(state: AgentState): void
  onOutcome(outcome: Outcome): void
  note(text: string): void
}

const USUAL_PAUSE_MS = 2 * 60 * 60_000
const LONGEST_PAUSE_MS = 24 * 60 * 60_000
const READS = /^(get|list|search)/

/** The life of an agent: read the state, decide, act, wait; again and again. */
export async function runLoop(client: Client, options: LoopOptions): Promise<void> {
  let problems: readonly string[] = []
  while (!options.signal.aborted) {
    const turn = await takeTurn(client, options, problems).catch((error: unknown) => {
      if (options.isOnce || !isPassing(error)) throw error
      options.note(`The turn failed and is repeated later: ${(error as Error).message}`)
      return undefined
    })
    problems = turn?.problems ?? problems
    if (options.isOnce) return
    const ms = pauseUntilNext(options.every, turn?.state.nextPingAt, Date.now())
    options.note(`Next turn at ${new Date(Date.now() + ms).toISOString()}.`)
    await pause(ms, undefined, { signal: options.signal }).catch(() => {})
  }
}

async function takeTurn(client: Client, options: LoopOptions, problems: readonly string[]) {
  const { decide, mostActions, isDryRun, onTurn, onOutcome, note } = options
  const state = await readState(client)
  const refused: string[] = []
  let left = mostActions
  onTurn(state)
  async function act(proposed: unknown): Promise<Outcome> {
    const outcome = await attempt(proposed)
    if (outcome.state === 'refused') refused.push(outcome.problem)
    onOutcome(outcome)
    return outcome
  }
  async function attempt(proposed: unknown): Promise<Outcome> {
    const action = checkAction(proposed)
    if (typeof action === 'string') return { state: 'refused', proposed, problem: action }
    if (READS.test(action.call)) return performAction(client, action)
    if (left-- <= 0)
      return { state: 'refused', proposed, problem: `Enough for one turn: ${mostActions} actions were done.` }
    return isDryRun ? { state: 'planned', action, answer: null } : performAction(client, action)
  }
  await decide({ state, problems, act, note })
  return { state, problems: refused }
}

/** How long to wait: as it was asked for, or until the service wants to see the agent again. */
export function pauseUntilNext(every: number | undefined, nextPingAt: string | undefined, nowMs: number): number {
  if (every !== undefined) return every * 1000
  const ms = Date.parse(nextPingAt ?? '') - nowMs
  return Number.isNaN(ms) ? USUAL_PAUSE_MS : Math.min(Math.max(ms, 60_000), LONGEST_PAUSE_MS)
}

// A key that is not valid stays invalid; a service that is away comes back.
function isPassing(error: unknown): boolean {
  if (error instanceof RookeryError) return error.status === 429 || error.status >= 500
  return error instanceof NetworkError || error instanceof DeciderError
}
