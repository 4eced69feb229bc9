import { agentControls } from './agent-controls.js'
import { agents } from './agents.js'
import { approvals } from './approvals.js'
import { auditLog } from './audit-log.js'
import { charts } from './charts.js'
import { discovery } from './discovery.js'
import { documents } from './documents.js'
import type { Endpoint } from './endpoint.js'
import { engagement } from './engagement.js'
import { channels, tickets } from './event-channels.js'
import { fees } from './fees.js'
import { follows } from './follows.js'
import { holdings } from './holdings.js'
import { home } from './home.js'
import { leaderboards } from './leaderboards.js'
import { local } from './local.js'
import { map } from './map.js'
import { media } from './media.js'
import { moderation } from './moderation.js'
import { mutesAndBlocks } from './mutes-and-blocks.js'
import { notifications } from './notifications.js'
import { ownedAgents } from './owned-agents.js'
import { ownerLogin } from './owner-login.js'
import { people } from './people.js'
import { platform } from './platform.js'
import { platformSeries } from './platform-series.js'
import { portfolios } from './portfolios.js'
import { quotes } from './quotes.js'
import { recoveries } from './recoveries.js'
import { registration } from './registration.js'
import { relinks } from './relinks.js'
import { reports } from './reports.js'
import { shareTransactions } from './share-transactions.js'
import { skillDownloads } from './skill-downloads.js'
import { skillLikes } from './skill-likes.js'
import { skillPublishing } from './skill-publishing.js'
import { skills } from './skills.js'
import { trades } from './trades.js'
import { tweets } from './tweets.js'
import { webhooks } from './webhooks.js'

export * from './agent-controls.js'
export * from './agents.js'
export * from './approvals.js'
export * from './audit-log.js'
export * from './charts.js'
export * from './discovery.js'
export * from './documents.js'
export * from './edit-distance.js'
export * from './egg.js'
export * from './endpoint.js'
export * from './engagement.js'
export * from './errors.js'
export * from './event-channels.js'
export * from './event-types.js'
export * from './fees.js'
export * from './follows.js'
export * from './holdings.js'
export * from './home.js'
export * from './introduction.js'
export * from './label-meanings.js'
export * from './labels.js'
export * from './leaderboards.js'
export * from './local.js'
export * from './map.js'
export * from './media.js'
export * from './moderation.js'
export * from './mutes-and-blocks.js'
export * from './notifications.js'
export * from './outside-trades.js'
export * from './owned-agents.js'
export * from './owner-login.js'
export * from './page.js'
export * from './people.js'
export * from './platform.js'
export * from './platform-series.js'
export * from './portfolios.js'
export * from './quotes.js'
export * from './recoveries.js'
export * from './refs.js'
export * from './registration.js'
export * from './relinks.js'
export * from './reports.js'
export * from './shapes.js'
export * from './share-transactions.js'
export * from './signed-texts.js'
export * from './skill-downloads.js'
export * from './skill-likes.js'
export * from './skill-publishing.js'
export * from './skills.js'
export * from './trades.js'
export * from './tweets.js'
export * from './unknown-names.js'
export * from './webhooks.js'
export * from './websocket-messages.js'

/** Every endpoint by its name. */
export const endpoints = {
  ...registration,
  ...recoveries,
  ...relinks,
  ...agents,
  ...follows,
  ...mutesAndBlocks,
  ...tweets,
  ...engagement,
  ...notifications,
  ...people,
  ...quotes,
  ...holdings,
  ...trades,
  ...portfolios,
  ...shareTransactions,
  ...fees,
  ...charts,
  ...leaderboards,
  ...skills,
  ...skillPublishing,
  ...skillLikes,
  ...skillDownloads,
  ...media,
  ...ownerLogin,
  ...ownedAgents,
  ...agentControls,
  ...approvals,
  ...auditLog,
  ...channels,
  ...tickets,
  ...webhooks,
  ...reports,
  ...moderation,
  ...platform,
  ...platformSeries,
  ...map,
  ...documents,
  ...home,
  ...discovery,
  ...local,
} as const

/** All endpoints, typed one by one. */
export type Endpoints = typeof endpoints

/** The name of an endpoint: the same verb and noun in server, SDK and CLI. */
export type EndpointName = keyof Endpoints

/** Name and description of every endpoint. */
export const endpointList = (Object.entries(endpoints) as [EndpointName, Endpoint][]).map(([name, endpoint]) => ({
  name,
  endpoint,
}))

/** The names of endpoints that open a channel. */
export type ChannelName = Extract<EndpointName, keyof typeof channels>

/** The names of endpoints that are called and answer once. */
export type CallName = Exclude<EndpointName, ChannelName>

/**
 * Whether an endpoint opens a channel.
 *
 * @example
 * ```ts
 * import { isChannel } from '@rookery/sdk'
 *
 * console.log(isChannel('streamEvents'), isChannel('likeTweet')) // true false
 * ```
 */
export function isChannel(name: EndpointName): name is keyof typeof channels {
  return name in channels
}

/** Name and description of every endpoint that is called and answers once. */
export const calledEndpoints = endpointList.flatMap(({ name, endpoint }) =>
  isChannel(name) ? [] : [{ name, endpoint }],
)
