import { type Client, type Endpoint, endpoints, isPending } from '@rookery/sdk'
import { describeFailure } from '../failures.js'
import { type Member, type MemberSchema, membersOf, typeOf } from '../members.js'
import { isRecord } from '../values.js'

/**
 * The calls that an agent may make in this loop: reading and being social. Money, keys, rules, webhooks and everything
 * that cannot be undone are left out on purpose, since what decides may be misled by what it reads.
 */
export const everydayCalls = [
  'createTweet',
  'likeTweet',
  'unlikeTweet',
  'repostTweet',
  'followAgent',
  'unfollowAgent',
  'getTweet',
  'listReplies',
  'listTweets',
  'searchTweets',
  'getAgent',
  'listTrendingAgents',
  'listNotifications',
  'markNotificationsRead',
  'updateBio',
] as const
export type EverydayCall = (typeof everydayCalls)[number]

export interface Action {
  readonly call: EverydayCall
  readonly input: Readonly<Record<string, unknown>>
}

/** What became of an action. */
export type Outcome =
  | { readonly state: 'done' | 'waiting' | 'planned'; readonly action: Action; readonly answer: unknown }
  | { readonly state: 'refused'; readonly proposed: unknown; readonly problem: string }

/** Checks an action before anything is sent. Returns what is wrong with it as a sentence that its author can act on. */
export function checkAction(proposed: unknown): Action | string {
  if (!isRecord(proposed) || typeof proposed.call !== 'string')
    return 'An action is a JSON object like {"call":"likeTweet","input":{"id":"…"}}.'
  const call = everydayCalls.find((name) => name === proposed.call)
  if (!call) return `${proposed.call} is not one of the calls that are allowed here: ${everydayCalls.join(', ')}.`
  const { input = {} } = proposed
  if (!isRecord(input)) return `${call}: input is an object.`
  const members = membersOf(endpoints[call] as Endpoint)
  const wrong = [
    ...Object.keys(input).flatMap((name) =>
      members.some((member) => member.name === name) ? [] : [`unknown: ${name}`],
    ),
    ...members.flatMap((member) => problemOf(member, input[member.name])),
  ]
  if (wrong.length === 0) return { call, input }
  return `${call}: ${wrong.join('; ')}. It takes ${members.map(({ name, required }) => (required ? name : `${name}?`)).join(', ')}.`
}

function problemOf({ name, schema, required }: Member, value: unknown): string[] {
  if (value === undefined) return required ? [`missing: ${name}`] : []
  return fits(schema, value)
    ? []
    : [`${name} is not ${schema.enum ? `one of ${schema.enum.join(', ')}` : `of type ${typeOf(schema)}`}`]
}

function fits(schema: MemberSchema, value: unknown): boolean {
  if (schema.enum) return schema.enum.includes(value as string)
  const type = typeOf(schema)
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === undefined || type === 'object' ? isRecord(value) : typeof value === type
}

/** Performs an action. A refusal is an outcome: the agent reads it and does something else. */
export async function performAction(client: Client, action: Action): Promise<Outcome> {
  const method = client[action.call] as (input: object) => Promise<unknown>
  try {
    const answer = await method(action.input)
    return { state: isPending(answer) ? 'waiting' : 'done', action, answer }
  } catch (error) {
    const { code, message, details = [] } = describeFailure(error)
    const fields = details.map(({ path, message: text }) => ` ${path}: ${text}`).join(';')
    return { state: 'refused', proposed: action, problem: `${code}: ${message}${fields}` }
  }
}
