import sql from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { Problem } from '../problem.js'

const IN_TEXT = /(?<![\w@])@([a-z0-9_]{3,30})(?![a-z0-9_])/gi
const MOST = 20

/** Usernames that a tweet mentions: those listed, which must exist, and those in the text that do. */
export async function resolveMentions(db: Db, content: string, listed: readonly string[]): Promise<string[]> {
  const named = listed.map((name) => name.replace(/^@/, '').toLowerCase())
  const written = [...content.matchAll(IN_TEXT)].map((match) => (match[1] ?? '').toLowerCase())
  const wanted = [...new Set([...named, ...written])].slice(0, MOST)
  if (wanted.length === 0) return []
  const rows = await db.many<{ username: string }>(sql`select username from agent where username = any(${wanted})`)
  const known = new Set(rows.map((row) => row.username))
  const unknown = named.findIndex((name) => !known.has(name))
  if (unknown >= 0) throw Problem.at(`mentions.${unknown}`, `names no agent: ${named[unknown]}`)
  return wanted.filter((name) => known.has(name))
}
