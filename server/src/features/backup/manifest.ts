import { createHash } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from './backup-error.js'
import { type FileRecord, flush } from './files.js'

/** Facts about the database of a backup. */
export interface DatabaseFacts {
  /** The newest migration that was applied. */
  readonly migration: string
  /** Identifies the server secret that belongs to the database. */
  readonly secretFingerprint: string | null
  readonly agents: number
  readonly tweets: number
  readonly trades: number
}

/** The last block of the chain of a backup. */
export interface ChainFacts {
  readonly block: number
  readonly hash: string
}

/** Describes a backup and its contents. It is written last, so a folder without a manifest is not a complete backup. */
export interface Manifest {
  readonly format: 1
  /** The version of the program that made the backup. */
  readonly version: string
  readonly madeAt: string
  readonly database: DatabaseFacts | null
  readonly chain: ChainFacts | null
  /** What the operator must keep elsewhere or should know. */
  readonly notes: readonly string[]
  readonly folders: readonly string[]
  readonly files: readonly FileRecord[]
}

const FORMAT = 1
const NAME = 'backup.json'

/** The copy of the data folder in a backup. */
export const dataOf = (backup: string) => join(backup, 'data')

export async function writeManifest(backup: string, manifest: Manifest): Promise<void> {
  const file = join(backup, NAME)
  await writeFile(file, `${JSON.stringify({ sha256: checksum(manifest), ...manifest }, undefined, 1)}\n`)
  await chmod(file, 0o600)
  await flush(file)
  await flush(backup)
}

export async function readManifest(backup: string): Promise<Manifest> {
  const text = await readFile(join(backup, NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new BackupError(`${backup} is not a complete backup: it has no ${NAME}, which is written last.`)
  })
  const { sha256, ...manifest } = parse(backup, text)
  if (sha256 !== checksum(manifest)) throw damaged(backup)
  if (manifest.format !== FORMAT)
    throw new BackupError(`${backup} was made by version ${manifest.version}, whose backups this version cannot read.`)
  for (const path of [...manifest.folders, ...manifest.files.map((file) => file.path)])
    if (!isInside(path)) throw new BackupError(`${backup} is refused: ${NAME} names ${path}, which is outside of it.`)
  return manifest
}

function parse(backup: string, text: string): Manifest & { sha256: unknown } {
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(backup)
  }
}

function damaged(backup: string): BackupError {
  return new BackupError(`${backup} is damaged: ${NAME} has changed since it was written.`)
}

function checksum(manifest: Manifest): string {
  return createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
}

function isInside(path: string): boolean {
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part))
}
