import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What is kept in a file of its own, by design; see SECURITY.md. */
export const OWN_FILES: ReadonlySet<string> = new Set(['server-secret', 'operator-key', 'bank-key'])

// What gives access and can be told by its form, whoever it belongs to: what it begins with, and what follows.
const SHAPES = {
  'an API key': ['sk_', /^[0-9A-Za-z]{49}/],
  'a ticket': ['tk_', /^[\w-]{43}/],
  'a webhook secret': ['whsec_', /^[A-Za-z0-9+/]{43}=/],
  'a session token': ['eyJ', /^[\w-]{10,200}\.eyJ[\w-]{10,1000}\.[\w-]{43}/],
} as const
const LONGEST = 1_300

/** The kinds of credentials that a content has. */
export function shapesIn(content: Buffer | string): string[] {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Object.entries(SHAPES).flatMap(([what, [start, rest]]) => (hasShape(bytes, start, rest) ? [what] : []))
}

// Searching for the beginnings alone is many times faster than reading megabytes of a database as text.
function hasShape(bytes: Buffer, start: string, rest: RegExp): boolean {
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    const from = at + start.length
    if (rest.test(bytes.toString('latin1', from, from + LONGEST))) return true
  }
  return false
}

/** The same for the files of a data folder that have changed since a time; says where. */
export function shapesInFolder(folder: string, since: number): string[] {
  return listFiles(folder)
    .filter((file) => !OWN_FILES.has(relative(folder, file)) && statSync(file).mtimeMs >= since)
    .flatMap((file) => shapesIn(readFileSync(file)).map((what) => `${what} in ${relative(folder, file)}`))
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}
