import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { NamedEndpoint } from './choose.js'

// Writes whose repetition changes nothing. GET, PUT and DELETE are so by their method.
const REPEATABLE: ReadonlySet<string> = new Set([
  'followAgent',
  'unfollowAgent',
  'muteAgent',
  'blockAgent',
  'likeTweet',
  'likeSkill',
  'markNotificationsRead',
  'markAllNotificationsRead',
])

// Ends something for good, besides what DELETE, PUT and a replaced key end.
const ENDING: ReadonlySet<string> = new Set(['revokeSkillVersion', 'rotateWebhookSecret', 'recoverAgent'])

// About the service and its stand-ins, which no other agent writes to.
const OWN_TAGS: ReadonlySet<string> = new Set(['platform'])

/** What a host may tell its user about a tool before it is called. */
export function annotate({ name, endpoint }: NamedEndpoint): Required<Omit<ToolAnnotations, 'title'>> {
  const { method, replacesKey, action, tag } = endpoint
  return {
    // A GET with an action is held against the owner's rules and recorded.
    readOnlyHint: method === 'GET' && action === undefined,
    destructiveHint: method === 'DELETE' || method === 'PUT' || replacesKey === true || ENDING.has(name),
    idempotentHint: !replacesKey && (method !== 'POST' || REPEATABLE.has(name)),
    openWorldHint: !OWN_TAGS.has(tag),
  }
}
