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
