import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { writeWhole } from '@rookery/host'
import { ConfigError } from '../../base/config-error.js'

/** What a data folder can consist of. `postgres` is the database of DATABASE_URL, which is elsewhere. */
export const PARTS = ['database', 'postgres', 'chain', 'files', 'server-secret', 'operator-key'] as const
export type Part = (typeof PARTS)[number]

/**
 * How far a part has come. One that is being made may be missing. One that is being adopted was there before the manifest,
 * so it has to be there, but may not carry the identity yet. The line of a secret ends with its fingerprint.
 */
export type Line = 'being made' | 'being adopted' | 'made' | `made ${string}`

/** What a data folder is, and what has to be in it. */
export interface Manifest {
  readonly id: string
  readonly madeAt?: string
  /** The version of the service that made it. */
  readonly madeBy?: string
  readonly parts: Readonly<Partial<Record<Part, Line>>>
}

const FORMAT = 1

export const manifestFile = (dataDir: string) => join(resolve(dataDir), 'manifest.json')

/** The manifest of a folder, if it has one. */
export async function readManifest(dataDir: string): Promise<Manifest | undefined> {
  const file = manifestFile(dataDir)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { format, id, madeAt, madeBy, ...lines } = parse(file, text)
  if (Number(format) > FORMAT)
    throw new ConfigError(`${file} was written by a newer version of Rookery. Start that version, or restore a backup.`)
  if (typeof id !== 'string' || id === '') throw unreadable(file, 'it has no id')
  const parts = Object.fromEntries(PARTS.filter((part) => lines[part]).map((part) => [part, lines[part]]))
  return { id, parts, ...(madeAt ? { madeAt } : {}), ...(madeBy ? { madeBy } : {}) } as Manifest
}

/** The last line is always there, so that the line of any part can be removed by hand. */
export function writeManifest(dataDir: string, { parts, ...rest }: Manifest): Promise<void> {
  return writeWhole(manifestFile(dataDir), `${JSON.stringify({ ...rest, ...parts, format: FORMAT }, undefined, 2)}\n`)
}

function parse(file: string, text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
  } catch {}
  throw unreadable(file, 'it is no JSON object')
}

function unreadable(file: string, why: string): ConfigError {
  return new ConfigError(
    `${file} cannot be read: ${why}. It says what belongs to this folder; restore it from a backup.`,
  )
}
