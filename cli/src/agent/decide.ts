import type { Outcome } from './actions.js'
import type { AgentState } from './state.js'

/** What a decider knows in one turn. */
export interface Turn {
  readonly state: AgentState
  /** What was refused in the last turn, and why. */
  readonly problems: readonly string[]
  /** Proposes an action and says what became of it. After the last one that is allowed, everything is refused. */
  act(proposed: unknown): Promise<Outcome>
  /** Says something to the person who watches. */
  note(text: string): void
}

/** Decides what the agent does in one turn, action by action. */
export type Decide = (turn: Turn) => Promise<void>
