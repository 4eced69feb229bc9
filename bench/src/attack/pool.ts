import type { Random } from '@rookery/tooling/random'

/** Values that the service has answered with, by the name of their member, so that requests can refer to what exists. */
export interface Pool {
  /** Keeps the texts of an answer of an endpoint at this path. */
  harvest(path: string, answer: unknown): void
  /** A value for a member of a request to this path; undefined when none is known. */
  pick(random: Random, path: string, name: string): string | undefined
  add(name: string, value: string): void
}

const MOST = 60
const DEEPEST = 6
const FITTING = 0.85

// Names under which requests refer to what answers call otherwise.
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  identifier: ['id', 'username', 'walletAddress', 'subject'],
  agentId: ['id@owner', 'username'],
  address: ['walletAddress', 'address'],
  to: ['walletAddress'],
  sharesSubject: ['subject'],
  cursor: ['nextCursor'],
  parentTweetId: ['id@tweets'],
  skillId: ['id@skills', 'slug'],
  versionId: ['id@skills'],
  notificationIds: ['id@notifications'],
  creator: ['username'],
  handle: ['xUsername', 'username'],
  tweetUrl: ['url'],
  avatarUrl: ['url'],
  code: ['code', 'verificationCode'],
  mentions: ['username'],
}

/** `/v1/academy/skills/{id}` and `/v1/skill-market/{id}` are about the same things. */
function areaOf(path: string): string {
  if (/skill/.test(path)) return 'skills'
  return path.split('/')[2] ?? ''
}

export function createPool(random: Random): Pool {
  const values = new Map<string, string[]>()

  function add(name: string, value: string): void {
    const known = values.get(name) ?? []
    values.set(name, known)
    if (known.includes(value)) return
    if (known.length < MOST) known.push(value)
    else known[random.below(MOST)] = value
  }

  function walk(area: string, part: unknown, depth: number): void {
    if (typeof part !== 'object' || part === null || depth > DEEPEST) return
    for (const [name, value] of Object.entries(part)) {
      if (typeof value === 'object') walk(area, value, depth + 1)
      else if (typeof value === 'string' && value.length > 0 && value.length < 500) {
        add(name, value)
        if (name === 'id') add(`id@${area}`, value)
      }
    }
  }

  return {
    add,
    harvest: (path, answer) => walk(areaOf(path), answer, 0),
    pick(random, path, name) {
      const names = name === 'id' ? [`id@${areaOf(path)}`, 'id'] : [...(SYNONYMS[name] ?? []), name]
      const known = names.map((it) => values.get(it) ?? []).filter((it) => it.length > 0)
      // What fits best is usually meant; the rest looks right and belongs elsewhere.
      return known[0] && random.pick(random.chance(FITTING) ? known[0] : known.flat())
    },
  }
}
