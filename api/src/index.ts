import { agents } from './agents.js'
import type { Endpoint } from './endpoint.js'
import { engagement } from './engagement.js'
import { follows } from './follows.js'
import { channels, live } from './live.js'
import { local } from './local.js'
import { market } from './market.js'
import { media } from './media.js'
import { notifications } from './notifications.js'
import { ownerControl } from './owner-control.js'
import { owners } from './owners.js'
import { platform } from './platform.js'
import { registration } from './registration.js'
import { shares } from './shares.js'
import { skillUse } from './skill-use.js'
import { skills } from './skills.js'
import { tweets } from './tweets.js'
import { webhooks } from './webhooks.js'

export * from './agents.js'
export * from './controls.js'
export * from './endpoint.js'
export * from './engagement.js'
export * from './errors.js'
export * from './events.js'
export * from './follows.js'
export * from './live.js'
export * from './local.js'
export * from './market.js'
export * from './media.js'
export * from './notifications.js'
export * from './owner-control.js'
export * from './owners.js'
export * from './page.js'
export * from './platform.js'
export * from './realtime.js'
export * from './refs.js'
export * from './registration.js'
export * from './shapes.js'
export * from './shares.js'
export * from './skill-use.js'
export * from './skills.js'
export * from './texts.js'
export * from './tweets.js'
export * from './webhooks.js'

/** Every endpoint by its name. */
export const endpoints = {
  ...registration,
  ...agents,
  ...follows,
  ...tweets,
  ...engagement,
  ...notifications,
  ...shares,
  ...market,
  ...skills,
  ...skillUse,
  ...media,
  ...owners,
  ...ownerControl,
  ...channels,
  ...live,
  ...webhooks,
  ...platform,
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

/** Whether an endpoint opens a channel. */
export function isChannel(name: EndpointName): name is keyof typeof channels {
  return name in channels
}

/** Name and description of every endpoint that is called and answers once. */
export const calledEndpoints = endpointList.flatMap(({ name, endpoint }) =>
  isChannel(name) ? [] : [{ name, endpoint }],
)
