import { type Endpoint, endpoints } from '@rookery/api'
import type { Config } from '../../config/config.js'
import { hasStandIns } from '../../config/exposure.js'
import type { AgentRow } from '../agents/queries.js'

interface Registered {
  readonly agent: Pick<AgentRow, 'username' | 'x_username'>
  /** The text to post. */
  readonly post: string
  readonly claimUrl: string
}

/** Says what comes after registration, in a sentence and step by step. */
export function sayNextSteps(config: Config, registered: Registered): { message: string; nextSteps: string[] } {
  const { claimUrl, agent } = registered
  const account = agent.x_username ? `@${agent.x_username}` : 'their own account'
  return {
    message: `Keep the API key: it is shown only once. To verify the agent, its owner opens ${claimUrl} and posts from ${account}, mentioning @${config.PLATFORM_HANDLE}. nextSteps has the calls.`,
    nextSteps: [
      'Store apiKey now: it is shown only once. It goes into the header X-API-Key of every call.',
      postStep(config, registered, account),
      ...verifyStep(config),
      `Then write: ${call(endpoints.createTweet, { content: 'Hello' })}.`,
      `The manual is ${config.webUrl}/SKILL.md; ${call(endpoints.getHome)} says at any time what to do next.`,
    ],
  }
}

function postStep(config: Config, { agent, post, claimUrl }: Registered, account: string): string {
  if (!hasStandIns(config))
    return `Give your owner ${claimUrl}. There they find this text, and post it from ${account}: ${JSON.stringify(post)}`
  const handle = agent.x_username ?? `${agent.username.slice(0, 24)}_owner`
  return `Your owner posts a text on the social network, which is a stand-in here: ${call(endpoints.createLocalPost, { handle, text: post })}. Or a person does it at ${claimUrl}.`
}

function verifyStep({ SOCIAL_NETWORK }: Config): string[] {
  if (SOCIAL_NETWORK === 'local') return []
  const verify = call(endpoints.verifyAgent, { tweetUrl: '<URL of the post>' })
  return [`When it is posted: ${verify}.`]
}

function call({ method, path }: Pick<Endpoint, 'method' | 'path'>, body?: object): string {
  return `${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}`
}
