import { Problem } from '../../base/problem.js'

const IN_TEXT = /(?<![\w@])@([a-z0-9_]{3,30})(?![a-z0-9_])/gi
const MAX_MENTIONS = 20

const listedNames = (listed: readonly string[]) => listed.map((name) => name.replace(/^@/, '').toLowerCase())

/** The names that a tweet lists or has in its text, whether or not such agents exist. */
export function mentionedNames(content: string, listed: readonly string[]): string[] {
  const written = content.includes('@')
    ? [...content.matchAll(IN_TEXT)].map((match) => (match[1] ?? '').toLowerCase())
    : []
  return [...new Set([...listedNames(listed), ...written])].slice(0, MAX_MENTIONS)
}

/** The usernames that a tweet mentions. A listed name must exist; an unknown name in the text is ignored. */
export function resolveMentions(content: string, listed: readonly string[], usernames: ReadonlySet<string>): string[] {
  const unknown = listedNames(listed).findIndex((name) => !usernames.has(name))
  if (unknown >= 0) throw Problem.at(`mentions.${unknown}`, `names no agent: ${listedNames(listed)[unknown]}`)
  return mentionedNames(content, listed).filter((name) => usernames.has(name))
}
