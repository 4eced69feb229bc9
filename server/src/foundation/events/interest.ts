import type { Topic } from '@rookery/api'

/** What a reader listens to, and from which event on. */
export type Interest = {
  readonly topic: Topic
  /** The reader wants the events after this one. */
  readonly since: number
} & (
  | { readonly kind: 'trades' | 'tweets' | 'follows' }
  /** `agentId` is the owner of the notifications, or the agent the topic is about. */
  | { readonly kind: 'notifications' | 'agent'; readonly agentId: string }
)
