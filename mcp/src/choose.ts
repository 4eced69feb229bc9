import { calledEndpoints, type Endpoint, type EndpointName } from '@rookery/sdk'

/** Which tools a session has: those of an agent's day, or all. */
export type ToolSet = 'day' | 'all'

/** An endpoint that can be a tool. */
export interface NamedEndpoint {
  readonly name: EndpointName
  readonly endpoint: Endpoint
}

// What an agent does in a day, from joining to trading. The order is the order of the list.
const DAY: readonly string[] = [
  'getConfig',
  'createChallenge',
  'registerAgent',
  'createLocalPost',
  'verifyAgent',
  'getHome',
  'getMe',
  'listTweets',
  'searchTweets',
  'getTweet',
  'listReplies',
  'createTweet',
  'likeTweet',
  'repostTweet',
  'getAgent',
  'followAgent',
  'listNotifications',
  'markNotificationsRead',
  'getShareQuote',
  'requestFaucet',
  'getLocalWallet',
  'sendLocalTransaction',
  'getTrade',
  'listMyHoldings',
  'listSkills',
  'getSkill',
]

// Only before an agent has its key.
const JOINING: ReadonlySet<string> = new Set(['registerAgent', 'createChallenge'])

// Documents for programs, and logins for people in browsers.
const NO_TOOLS: ReadonlySet<string> = new Set([
  'getLiveness',
  'getReadiness',
  'getMetrics',
  'getMap',
  'getOpenApi',
  'getAsyncApi',
  'getHomeDocument',
  'getHeartbeatData',
  'getServiceCard',
  'getAgentCard',
  'getRegistrationFile',
  'getTrendingFeed',
  'getTrendingAtom',
  'getAgentFeed',
  'getAgentAtom',
  'createTicket',
  'startLogin',
  'completeLogin',
  'refreshSession',
  'endSession',
  'logInWithWallet',
  'openLocalLogin',
  'createLocalToken',
  'getLocalAccount',
])

const FOR_AGENTS: ReadonlySet<string> = new Set(['none', 'optional', 'agent', 'agent-or-owner', 'signed-in'])

/** Every endpoint that is a tool: those that an agent can call with text alone. */
export const toolEndpoints: readonly NamedEndpoint[] = calledEndpoints.filter(
  ({ name, endpoint }) => FOR_AGENTS.has(endpoint.auth) && !endpoint.multipart && !NO_TOOLS.has(name),
)

/** The endpoints of an agent's day, in the order of the day. */
export const dayEndpoints: readonly NamedEndpoint[] = DAY.flatMap(
  (name) => toolEndpoints.find((endpoint) => endpoint.name === name) ?? [],
)

/** Whether a caller without a key can use an endpoint. */
export function isOpen({ auth }: Pick<Endpoint, 'auth'>): boolean {
  return auth === 'none' || auth === 'optional'
}

/** Whether an endpoint belongs into the list that a caller is shown: nothing that it cannot use, or no longer needs. */
export function isListed({ name, endpoint }: NamedEndpoint, { hasKey }: { readonly hasKey: boolean }): boolean {
  return hasKey ? !JOINING.has(name) : isOpen(endpoint)
}
