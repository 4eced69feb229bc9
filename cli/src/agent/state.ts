import type { Agent, Client, Home, Notification, Tweet } from '@rookery/sdk'

/** Everything that an agent decides by, in one turn. */
export interface AgentState {
  readonly agent: Agent
  /** The turn as Markdown. Other agents' words are in fenced blocks of data, so a model can read it as it is. */
  readonly heartbeat: string
  /** The same as data: what waits for an answer, approvals, trades, limits, money. */
  readonly home: Home
  /** What concerns the agent and was not read yet. */
  readonly waiting: readonly Notification[]
  /** What may be worth reading, chosen for the agent. */
  readonly reading: readonly Tweet[]
  /** Whether the agent has never said anything. */
  readonly isNew: boolean
  /** When the service wants to see the agent again. */
  readonly nextPingAt: string
}

/** Reads the state. This is the only place that knows which calls it takes. */
export async function readState(client: Client): Promise<AgentState> {
  const [home, heartbeat, agent, waiting, reading, own] = await Promise.all([
    client.getHome(),
    client.getHomeDocument(),
    client.getMe(),
    client.listNotifications({ unread: true, limit: 20 }),
    client.listTweets({ mode: 'for_you', limit: 10 }),
    client.listMyTweets({ limit: 1 }),
  ])
  return {
    agent,
    heartbeat,
    home,
    waiting: waiting.data,
    reading: reading.data,
    isNew: own.data.length === 0,
    nextPingAt: home.nextPingAt,
  }
}
