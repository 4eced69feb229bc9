import {
  closeSync,
  constants,
  cpSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { closeAll } from '../folder/private.js'
import { MIGRATIONS, readMigrations } from './migrations.js'

/** Where the build puts a migrated, empty database. New data folders start with a copy of it. */
export const IMAGE = fileURLToPath(new URL('../../../dist/database-image', import.meta.url))

/** What an image was made from: the versions of the engine, and the checksums of the migrations by name. */
export interface Manifest {
  readonly engine: Readonly<Record<string, string>>
  readonly migrations: Readonly<Record<string, string>>
}

const ENGINE = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector']
// These files decide how the engine opens the database.
const CONTROL = ['global/pg_control', 'PG_VERSION']

/** The manifest that an image built now would have. */
export function createManifest(migrations = MIGRATIONS): Manifest {
  return {
    engine: Object.fromEntries(ENGINE.map((name) => [name, versionOf(name)])),
    migrations: Object.fromEntries(readMigrations(migrations).map(({ name, checksum }) => [name, checksum])),
  }
}

export function databaseOf(image: string): string {
  return join(image, 'database')
}

export function manifestOf(image: string): string {
  return join(image, 'manifest.json')
}

/** Whether the existing image equals what the build would make now. */
export function isImageCurrent(image = IMAGE): boolean {
  return JSON.stringify(readManifest(image)) === JSON.stringify(createManifest())
}

/**
 * Finds the image's database if this version can use it: made by the same engine, from migrations that have not changed.
 * Newer migrations are applied to the copy.
 */
export function findImage(image = IMAGE): string | undefined {
  const made = readManifest(image)
  if (!made) return undefined
  const here = createManifest()
  const isSameEngine = JSON.stringify(made.engine) === JSON.stringify(here.engine)
  const hasSameMigrations = Object.entries(made.migrations).every(
    ([name, checksum]) => here.migrations[name] === checksum,
  )
  return isSameEngine && hasSameMigrations ? databaseOf(image) : undefined
}

/**
 * Copies the database of an image to `dataDir` if nothing is there. The copy gets its name when it is complete; the next
 * process removes what an interrupted copy leaves behind.
 */
export function placeImage(database: string | undefined, dataDir: string): void {
  const copy = `${dataDir}.new`
  rmSync(copy, { recursive: true, force: true })
  if (database === undefined || !isEmpty(dataDir)) return
  if (!copyAll(database, copy)) return
  // The image is readable by everybody.
  closeAll(copy)
  for (const file of CONTROL) flush(join(copy, file))
  rmSync(dataDir, { recursive: true, force: true })
  renameSync(copy, dataDir)
  flush(dirname(dataDir))
}

/** Returns false when a build has removed the image meanwhile: then the engine creates the database. */
function copyAll(database: string, copy: string): boolean {
  try {
    cpSync(database, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
    return true
  } catch {
    rmSync(copy, { recursive: true, force: true })
    return false
  }
}

function readManifest(image: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(manifestOf(image), 'utf8')) as Manifest
  } catch {
    return undefined
  }
}

// Packages do not export their package.json, which is in a folder above their code.
function versionOf(name: string): string {
  const code = createRequire(import.meta.url).resolve(name)
  const folder = code.slice(0, code.lastIndexOf(join('node_modules', name)) + join('node_modules', name).length)
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version
}

/** Whether a folder is empty or does not exist. */
export function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true
    throw error
  }
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}
