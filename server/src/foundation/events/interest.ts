import type { Topic } from '@rookery/api'

/** What a reader listens to, and from which event on. */
export type Interest = {
  readonly topic: Topic
  /** The reader wants what comes after this event. */
  readonly since: number
} & (
  | { readonly kind: 'trades' | 'tweets' }
  /** `agentId` is whose notifications, or what agent. */
  | { readonly kind: 'notifications' | 'agent'; readonly agentId: string }
)
