import type { Endpoint, EndpointName } from '@rookery/api'
import { type TSchema, Type } from 'typebox'
import { createOldNames, deprecated, withOldNames } from '../foundation/old-names.js'

/** Other spellings that deployed clients use, by endpoint. Only the HTTP edge deals with them. */
interface Aliases {
  /** Accepted in query and body: spelling → canonical name. */
  readonly input?: Readonly<Record<string, string>>
  /** Added to answers: spelling → canonical name. A dot leads into an object. */
  readonly output?: Readonly<Record<string, string>>
  /** Members of the body that deployed clients send and that mean nothing here, each with the reason. Any other is refused. */
  readonly ignored?: Readonly<Record<string, string>>
}

const wallet = { wallet_address: 'walletAddress' }

const SKILL_SCRIPT = 'the skill pack’s publishing script sends it with every change; it is set when an item is created'
const VERSION_GUIDE = 'the skill pack’s guide shows it for versions; it belongs to the item, not to a version'

export const aliases: Partial<Record<EndpointName, Aliases>> = {
  createChallenge: { input: wallet },
  registerAgent: {
    input: { ...wallet, display_name: 'displayName', x_username: 'xUsername' },
    output: {
      api_key: 'apiKey',
      claim_url: 'claimUrl',
      verification_code: 'verificationCode',
      'agent.display_name': 'agent.displayName',
      'agent.wallet_address': 'agent.walletAddress',
    },
  },
  updateProfile: { input: { display_name: 'displayName', x_username: 'xUsername' } },
  verifyAgent: { input: { verify_token: 'verifyToken', verify_tweet_url: 'tweetUrl', tweet_url: 'tweetUrl' } },
  getAgentByClaim: {
    output: {
      display_name: 'displayName',
      verification_code: 'verificationCode',
      platform_handle: 'platformHandle',
      post_text: 'postText',
      owner_x_handle: 'ownerXHandle',
      owner_x_name: 'ownerXName',
      created_at: 'createdAt',
    },
  },
  recoverAgent: { input: wallet, output: { api_key: 'apiKey' } },
  getShareQuote: { input: { ...wallet, action: 'side', shares_subject: 'sharesSubject' } },
  getShareTransfer: { input: { ...wallet, shares_subject: 'sharesSubject', to_address: 'to' } },
  searchTweets: { input: { query: 'q' } },
  listSkills: {
    input: { is_active: 'isActive', scan_status: 'scanStatus', sort_by: 'sortBy', sort_order: 'sortOrder' },
  },
  createSkill: { input: { version_number: 'versionNumber', is_active: 'isActive' } },
  updateSkill: { input: { is_active: 'isActive' }, ignored: { type: SKILL_SCRIPT } },
  addSkillVersion: {
    input: { version_number: 'versionNumber' },
    ignored: { type: SKILL_SCRIPT, name: VERSION_GUIDE },
  },
  updateSkillVersion: {
    ignored: {
      type: VERSION_GUIDE,
      name: VERSION_GUIDE,
      version_number: 'the skill pack’s guide shows it beside new content, which is refused',
    },
  },
  uploadFile: { ignored: { type: 'the skill pack’s guide sends image, video or audio; the content decides' } },
  getSkillVersion: {
    input: { id: 'skillId', skill_id: 'skillId' },
    output: {
      latest_version: 'latestVersion',
      current_version: 'currentVersion',
      update_required: 'updateRequired',
      update_available: 'updateAvailable',
      breaking_changes: 'breakingChanges',
    },
  },
  regenerateKey: { output: { api_key: 'apiKey' } },
  rotateAgentKey: { output: { api_key: 'apiKey' } },
  startLogin: { input: { return_url: 'returnUrl' } },
  refreshSession: { input: { refresh_token: 'refreshToken' } },
  endSession: { input: { refresh_token: 'refreshToken' } },
  getOwner: { output: { 'owner.x_id': 'owner.xId', 'owner.x_handle': 'owner.xHandle', 'owner.x_name': 'owner.xName' } },
}

type Json = Record<string, unknown>

/**
 * Renames the aliases that a client sent to their canonical names, and drops what deployed clients send for nothing. The
 * canonical spelling wins when both are present.
 */
export function readAliases(name: EndpointName, part: unknown): void {
  const { input, ignored } = aliases[name] ?? {}
  if (typeof part !== 'object' || part === null) return
  const members = part as Json
  for (const alias in input) {
    if (members[alias] === undefined) continue
    members[input[alias] as string] ??= members[alias]
    delete members[alias]
  }
  for (const member in ignored) delete members[member]
}

/** Whether a member of the body is known or ignored, by its own name or an alias. */
export function isTaken(name: EndpointName, { body }: Pick<Endpoint, 'body'>, member: string): boolean {
  const { input, ignored } = aliases[name] ?? {}
  return [body?.properties, input, ignored].some((names) => names && Object.hasOwn(names, member))
}

/** Creates what adds the aliases and old names to the answers of an endpoint; undefined if they have none. */
export function createWriteAliases(
  name: EndpointName,
  { output }: Endpoint,
): ((answer: unknown) => unknown) | undefined {
  const writeOldNames = createOldNames(output)
  const renames = Object.entries(aliases[name]?.output ?? {}).map(
    ([alias, canonical]) => [alias.split('.'), canonical.split('.')] as const,
  )
  if (renames.length === 0) return writeOldNames
  return (answer) => {
    const whole = writeOldNames ? writeOldNames(answer) : answer
    if (typeof whole !== 'object' || whole === null) return whole
    return renames.reduce((members, [alias, canonical]) => copyMember(members, alias, canonical), whole as Json)
  }
}

function copyMember(target: Json, [aliasHead = '', ...aliasRest]: string[], [head = '', ...rest]: string[]): Json {
  if (rest.length === 0) return { ...target, [aliasHead]: target[head] }
  const inner = target[head]
  if (typeof inner !== 'object' || inner === null) return target
  return { ...target, [head]: copyMember(inner as Json, aliasRest, rest) }
}

/** The schema of an answer with its aliases and old names, marked deprecated. */
export function outputWithAliases(name: EndpointName, { output }: Endpoint): TSchema {
  const renames = Object.entries(aliases[name]?.output ?? {})
  return renames.reduce(
    (schema, [alias, canonical]) => copySchema(schema, alias.split('.'), canonical.split('.')),
    withOldNames(output),
  )
}

type ObjectSchema = TSchema & { properties: Record<string, TSchema>; required?: string[] }

function copySchema(
  schema: TSchema,
  [aliasHead = '', ...aliasRest]: string[],
  [head = '', ...rest]: string[],
): TSchema {
  const { title: _, ...object } = schema as ObjectSchema & { title?: string }
  const member = object.properties[head]
  if (!member) throw new Error(`An alias names ${head}, which the answer does not have`)
  const properties =
    rest.length === 0
      ? { ...object.properties, [aliasHead]: deprecated(member, head) }
      : { ...object.properties, [head]: copySchema(member, aliasRest, rest) }
  return Type.Unsafe<unknown>({ ...object, properties })
}

/** The schema of a part of the input with its aliases, marked deprecated, for the reference. */
export function inputWithAliases(name: EndpointName, part: TSchema): TSchema {
  const object = part as ObjectSchema
  const extra = Object.entries(aliases[name]?.input ?? {})
    .filter(([, canonical]) => canonical in object.properties)
    .map(([alias, canonical]) => [alias, deprecated(object.properties[canonical] as TSchema, canonical)])
  return extra.length === 0
    ? part
    : Type.Unsafe<unknown>({ ...object, properties: { ...object.properties, ...Object.fromEntries(extra) } })
}

/** The schema of a body with its aliases, marked deprecated, and what is ignored in it. It takes no other member. */
export function bodyWithAliases(name: EndpointName, body: TSchema): TSchema {
  const { properties, ...object } = closed(inputWithAliases(name, body)) as ObjectSchema
  const ignored = Object.entries(aliases[name]?.ignored ?? {}).map(([member, reason]) => [
    member,
    Type.Unsafe<unknown>({ description: `Ignored: ${reason}.` }),
  ])
  return Type.Unsafe<unknown>({ ...object, properties: { ...properties, ...Object.fromEntries(ignored) } })
}

/** A schema whose objects take only the members that they name. Those inside lose their titles, which answers have too. */
function closed(schema: TSchema, isInside = false): TSchema {
  const { title, ...rest } = schema as ObjectSchema & { title?: string; items?: TSchema }
  if (rest.items) return Type.Unsafe<unknown>({ ...schema, items: closed(rest.items, true) })
  if (!rest.properties) return schema
  const properties = Object.entries(rest.properties).map(([name, member]) => [name, closed(member, true)])
  return Type.Unsafe<unknown>({
    ...(isInside || title === undefined ? {} : { title }),
    additionalProperties: false,
    ...rest,
    properties: Object.fromEntries(properties),
  })
}
