import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Clock } from '../../base/clock.js'
import { ConfigError } from '../../base/config-error.js'
import type { Config } from '../../config/config.js'
import { lockDataDir } from '../../foundation/db/lock.js'
import { BackupError } from './backup-error.js'
import { checkFiles } from './check-backup.js'
import { checkChain } from './check-chain.js'
import { checkDatabase } from './check-database.js'
import { copyChain } from './copy-chain.js'
import { copyClosedDatabase, copyRunningDatabase } from './copy-database.js'
import { type OpenDataDir, openDataDir } from './data-dir.js'
import {
  copyFile,
  each,
  type FileRecord,
  flush,
  listFolder,
  makeFolders,
  orGone,
  readRecord,
  totalSize,
  type Watch,
} from './files.js'
import { dataOf, type Manifest, writeManifest } from './manifest.js'
import { notesOf } from './notes.js'
import type { Progress } from './progress.js'

export interface BackupOptions {
  readonly config: Config
  readonly clock: Clock
  readonly target: string
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** A finished backup. */
export interface Made {
  readonly manifest: Manifest
  /** How long the database of a running service stood still. */
  readonly heldMs: number | undefined
}

/** Copies the data folder to `target`, which appears when the copy is complete and checked, and not otherwise. */
export async function makeBackup(options: BackupOptions): Promise<Made> {
  const target = resolve(options.target)
  await checkTarget(target, resolve(options.config.DATA_DIR))
  const source = await openDataDir(options.config, options.signal)
  try {
    return await inDraft(target, async (draft) => {
      const made = await copyAll(source, draft, options)
      await writeManifest(draft, made.manifest)
      options.signal.throwIfAborted()
      return made
    })
  } finally {
    await source.close()
  }
}

async function checkTarget(target: string, dataDir: string): Promise<void> {
  const way = relative(dataDir, target)
  if (way === '' || !(way.startsWith('..') || resolve(way) === way))
    throw new BackupError(`${target} is inside of DATA_DIR. Choose a place outside, best on another disk.`)
  const found = await orGone(readdir(target).catch(notAFolder(target)))
  if (found && found.length > 0) throw new BackupError(`${target} is not empty. Choose a place where nothing is yet.`)
  if (found) await rmdir(target)
}

function notAFolder(target: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'ENOTDIR') throw error
    throw new BackupError(`${target} is a file. Choose a place where nothing is yet.`)
  }
}

/** Works in a folder beside the target, which gets its name at the end. Whatever fails before leaves nothing behind. */
async function inDraft<T>(target: string, work: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${target}.unfinished`
  await mkdir(dirname(target), { recursive: true })
  // Held while this process lives, so that what is left of a killed one can be told apart and removed.
  const lock = await lockDataDir(draft).catch((error: Error) => {
    if (!(error instanceof ConfigError)) throw error
    throw new BackupError(`Another backup to ${target} is being made.`)
  })
  try {
    for (const name of await readdir(draft))
      if (name !== 'lock') await rm(join(draft, name), { recursive: true, force: true })
    await chmod(draft, 0o700)
    const result = await work(draft)
    await lock.close()
    await rename(draft, target)
    await flush(dirname(target))
    return result
  } catch (error) {
    await lock.close()
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

// The order matters: rows name uploads and blocks, so both are copied after the database.
async function copyAll(source: OpenDataDir, draft: string, options: BackupOptions): Promise<Made> {
  const { config, clock, signal, progress } = options
  const { folder, service } = source
  const data = dataOf(draft)
  const watch = { signal, onBytes: (bytes: number) => progress.add(bytes) }
  const within = (name: string) => [join(folder, name), join(data, name)] as const
  const mark = `${clock.now().toISOString()} ${randomUUID()}`
  await makeFolders(data, [])

  let heldMs: number | undefined
  if (source.hasDatabase && service)
    heldMs = await copyRunningDatabase(...within('database'), watch, progress, { service, mark })
  else if (source.hasDatabase) await copyClosedDatabase(...within('database'), watch, progress)
  if (source.hasChain) await copyChain(...within('chain'), watch, progress)
  const known = await copyRest(source, data, watch, progress)

  progress.begin('Opening the copy')
  const expected = service ? mark : undefined
  const database = source.hasDatabase
    ? await checkDatabase(join(data, 'database'), { mark: expected, signal })
    : undefined
  signal.throwIfAborted()
  const cursor = config.CHAIN_RPC_URL ? undefined : database?.cursor
  const chain = source.hasChain ? await checkChain(join(data, 'chain'), cursor) : undefined

  const { folders, files } = await recordAll(data, known, watch, progress)
  const manifest: Manifest = {
    format: 1,
    version: config.version,
    madeAt: clock.now().toISOString(),
    database: database?.facts ?? null,
    chain: chain ?? null,
    notes: await notesOf(config, data, database, files),
    folders,
    files,
  }
  await checkFiles(draft, manifest, watch, progress)
  return { manifest, heldMs }
}

const OF_THEIR_OWN = ['database', 'chain']
// What a process needs for a moment, and what it would make anew.
const LEFT_OUT = ['scratch', 'database.new']

/** Copies uploads, secrets and whatever else is in the folder. */
async function copyRest(
  { folder }: OpenDataDir,
  data: string,
  watch: Watch,
  progress: Progress,
): Promise<Map<string, FileRecord>> {
  const isLeftOut = (path: string) => LEFT_OUT.includes(path) || OF_THEIR_OWN.includes(path) || path.endsWith('.draft')
  const { folders, files } = await listFolder(folder, isLeftOut)
  progress.begin('Copying uploads and secrets', totalSize(files))
  await makeFolders(data, folders)
  const known = new Map<string, FileRecord>()
  await each(files, watch.signal, async ({ path }) => {
    // An upload that was given up may be removed meanwhile.
    const copied = await orGone(copyFile(join(folder, path), join(data, path), watch))
    if (copied) known.set(path, { path, ...copied })
  })
  return known
}

/** The checksums of all files: as they were read from their source, or of the copy where that was opened since. */
async function recordAll(
  data: string,
  known: ReadonlyMap<string, FileRecord>,
  watch: Watch,
  progress: Progress,
): Promise<{ folders: readonly string[]; files: readonly FileRecord[] }> {
  const { folders, files } = await listFolder(data)
  const unknown = files.filter(({ path }) => !known.has(path))
  progress.begin('Writing it down', totalSize(unknown))
  const records = new Map(known)
  await each(unknown, watch.signal, async ({ path }) => {
    const file = join(data, path)
    await chmod(file, 0o600)
    await flush(file)
    records.set(path, { path, ...(await readRecord(file, watch)) })
  })
  for (const folder of folders) await chmod(join(data, folder), 0o700)
  return { folders, files: [...records.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}
