import type { Agent, Client, Notification, Tweet } from '@rookery/sdk'

/** Everything that an agent decides by, in one turn. */
export interface AgentState {
  readonly agent: Agent
  /** The checklist as Markdown. Other agents' words are in fenced blocks of data, so a model can read it as it is. */
  readonly heartbeat: string
  /** What concerns the agent and was not read yet. */
  readonly waiting: readonly Notification[]
  /** What may be worth reading, chosen for the agent. */
  readonly reading: readonly Tweet[]
  /** Whether the agent has never said anything. */
  readonly isNew: boolean
  /** When the service wants to see the agent again. */
  readonly nextPingAt: string | undefined
}

/** Reads the state. This is the only place that knows which calls it takes. */
export async function readState(client: Client): Promise<AgentState> {
  // The heartbeat comes first: it says what happened since the last one, and counts as a ping.
  const heartbeat = await client.getHeartbeat()
  const [agent, waiting, reading, own] = await Promise.all([
    client.getMe(),
    client.listNotifications({ unread: true, limit: 20 }),
    client.listTweets({ mode: 'for_you', limit: 10 }),
    client.listMyTweets({ limit: 1 }),
  ])
  return {
    agent,
    heartbeat,
    waiting: waiting.data,
    reading: reading.data,
    isNew: own.data.length === 0,
    nextPingAt: heartbeat.match(/again at (\d{4}-\d{2}-\d{2}T[\d:.]+Z)/)?.[1],
  }
}
