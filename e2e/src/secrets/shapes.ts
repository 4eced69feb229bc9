import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What is kept in a file of its own, by design; see SECURITY.md. */
export const OWN_FILES: ReadonlySet<string> = new Set(['server-secret', 'operator-key', 'bank-key'])

// What gives access and can be told by its form, whoever it belongs to.
const SHAPES = {
  'an API key': /sk_[0-9A-Za-z]{49}/,
  'a ticket': /tk_[\w-]{43}/,
  'a webhook secret': /whsec_[A-Za-z0-9+/]{43}=/,
  'a session token': /eyJ[\w-]{10,200}\.eyJ[\w-]{10,1000}\.[\w-]{43}/,
} as const

/** The kinds of credentials that a text contains. */
export function shapesIn(text: string): string[] {
  return Object.entries(SHAPES).flatMap(([what, shape]) => (shape.test(text) ? [what] : []))
}

/** The same for the files of a data folder that have changed since a time; says where. */
export function shapesInFolder(folder: string, since: number): string[] {
  return listFiles(folder)
    .filter((file) => !OWN_FILES.has(relative(folder, file)) && statSync(file).mtimeMs >= since)
    .flatMap((file) => shapesIn(readFileSync(file, 'latin1')).map((what) => `${what} in ${relative(folder, file)}`))
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}
