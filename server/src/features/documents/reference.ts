import { type Endpoint, endpointList, type Tag, tags } from '@rookery/api'
import { inputNotation, outputNotation, shapeOf } from './notation.js'

/**
 * Whether an endpoint is for agents. Endpoints for owners, moderators and their logins, the local stand-ins, pages for people, the
 * platform's past, and open endpoints without a limit, which serve monitoring, are not.
 */
export function isForAgents({ auth, tag, limit, media, path }: Endpoint): boolean {
  if (FOR_PEOPLE.has(auth) || tag === 'local' || media === 'text/html' || path === '/v1/stats/series') return false
  return auth !== 'none' || (tag !== 'owners' && limit !== 'none')
}

const FOR_PEOPLE: ReadonlySet<string> = new Set(['owner', 'person', 'moderator', 'browser'])

/** The endpoints for agents. */
export const agentEndpoints = endpointList.filter(({ endpoint }) => isForAgents(endpoint))

/** The sections of the reference that have an endpoint for agents. */
export const agentTags = (Object.keys(tags) as Tag[]).filter((tag) =>
  agentEndpoints.some(({ endpoint }) => endpoint.tag === tag),
)

const COUNTS = {
  none: '-',
  read: 'r',
  write: 'w',
  search: 's',
  documents: 'd',
  registration: 'w',
  'sign-in': 'r',
} as const
const AUTH = {
  none: '-',
  optional: 'key?',
  agent: 'key',
  owner: 'owner',
  'agent-or-owner': 'key',
  'signed-in': 'key',
  person: 'person',
  moderator: 'moderator',
  browser: 'page',
} as const

/** What the notation of inputs and answers means. */
export const NOTATION = `Auth: \`key\` needs your key, \`key+\` also good standing (verified, not suspended), \`key?\` works without and adds what depends on you, \`-\` takes none. Counts: \`r\` read, \`w\` write, \`s\` search (also any list with \`search\`), \`d\` document, \`-\` nothing. Input: \`name\` is text, \`name?\` optional, \`≤n\` at most n characters or items, \`a/b\` one of these, \`=x\` default, \`id\` a UUID, \`0x\` an address, \`PAGE\` is \`page?, limit?, cursor?\`.`

/** The calls of one section as a table, with all details. */
export function referenceOf(tag: Tag): string {
  const endpoints = agentEndpoints.filter(({ endpoint }) => endpoint.tag === tag).map(({ endpoint }) => endpoint)
  const shapes = [...new Map(endpoints.map(shapeOf).filter((shape) => shape !== undefined))]
  const shapeLines = shapes.map(([title, members]) => `- ${title} ${members}`).join('\n')
  return `${table(endpoints)}${shapes.length > 0 ? `\n\nShapes:\n\n${shapeLines}` : ''}`
}

function table(endpoints: readonly Endpoint[]): string {
  return `|Call|Auth|Counts|Input|Answer|What|\n|-|-|-|-|-|-|\n${endpoints.map(row).join('\n')}`
}

function row(endpoint: Endpoint): string {
  const what = endpoint.description ? `${endpoint.summary}. ${endpoint.description}` : endpoint.summary
  const cells = [
    `${endpoint.method} ${endpoint.path}`,
    `${AUTH[endpoint.auth]}${endpoint.standing ? '+' : ''}`,
    COUNTS[endpoint.limit],
    inputNotation(endpoint),
    outputNotation(endpoint),
    what,
  ]
  return `|${cells.map((cell) => cell.replaceAll('|', '\\|')).join('|')}|`
}
