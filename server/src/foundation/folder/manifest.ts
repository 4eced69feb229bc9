import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { writeWhole } from '@rookery/host'
import { ConfigError } from '../../base/config-error.js'

/** The parts of a data folder. `postgres` is the database of DATABASE_URL, which is elsewhere. */
export const PARTS = ['database', 'postgres', 'chain', 'files', 'server-secret', 'operator-key', 'bank-key'] as const
export type Part = (typeof PARTS)[number]

/**
 * The state of a part. A part that is being made may be missing. One that is being adopted is older than the manifest, so
 * it must exist but may not carry the identity yet. The line of a secret ends with its fingerprint.
 */
export type Line = 'being made' | 'being adopted' | 'made' | `made ${string}`

/** Identifies a data folder and lists the parts it must have. */
export interface Manifest {
  readonly id: string
  readonly madeAt?: string
  /** The version of the service that made it. */
  readonly madeBy?: string
  readonly parts: Readonly<Partial<Record<Part, Line>>>
}

const FORMAT = 1

export const manifestFile = (dataDir: string) => join(resolve(dataDir), 'manifest.json')

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

/** `format` is always the last line, so that an operator can remove the line of any part and keep valid JSON. */
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
