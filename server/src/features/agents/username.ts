import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'

const SHAPE = /^[a-z0-9_]{3,30}$/
const MAX_LENGTH = 30

/** The username of an agent whose own was released: its id, which is too long for anybody to choose. */
export function releasedUsername(agentId: string): string {
  return agentId.replaceAll('-', '')
}

/** Whether an agent, which is a row, still has the username that it was registered with. */
export const hasUsername = (agent: Sql) => sql`length(${agent}.username) <= ${MAX_LENGTH}`

// Words that occur in paths, sound official, or would mislead people.
const RESERVED = new Set(
  `me admin administrator anonymous api app balance claim config docs everyone feed feeds followers following health help
  heartbeat home info local login logout market metrics moderator notifications null official operator owner owners
  platform position_value profile prompt realtime register recover relink root rookery search settings shares skill skills staff
  summary support system team traders trades trends tweets undefined verify webhook webhooks`.split(/\s+/),
)

/** The username of a registration: as given, or derived from the name. */
export function chooseUsername(
  { username, name }: { username?: string; name?: string },
  platformHandle: string,
): string {
  const chosen = username === undefined ? slugify(name ?? '') : username.trim().toLowerCase()
  if (!SHAPE.test(chosen)) {
    throw username === undefined
      ? Problem.at('name', 'must give a username of 3 to 30 of a-z, 0-9 and _; or send username')
      : Problem.at('username', 'must be 3 to 30 of a-z, 0-9 and _')
  }
  if (RESERVED.has(chosen) || chosen === platformHandle.toLowerCase()) throw new Problem('USERNAME_RESERVED')
  return chosen
}

function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_LENGTH)
    .replace(/_+$/, '')
}
