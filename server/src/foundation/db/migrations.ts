import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))

export interface Migration {
  readonly name: string
  readonly text: string
  readonly checksum: string
}

/** Reads the migrations of a folder, in order. */
export function readMigrations(folder = MIGRATIONS): Migration[] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return names.sort().map((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/**
 * What the comments at the top of a migration say of it:
 * `-- @concurrently`: its statements run one by one outside a transaction, and may be repeated.
 * `-- @beside 0.1.0`: programs from this version on may run on a database that has it; `none`: only those that know it.
 */
export interface Header {
  readonly isConcurrent: boolean
  readonly beside: string | undefined
}

export function headerOf({ text }: Pick<Migration, 'text'>): Header {
  const top = /^(--[^\n]*\n|\s*\n)*/.exec(text)?.[0] ?? ''
  return {
    isConcurrent: /^-- @concurrently\s*$/m.test(top),
    beside: /^-- @beside (\S+)\s*$/m.exec(top)?.[1],
  }
}
