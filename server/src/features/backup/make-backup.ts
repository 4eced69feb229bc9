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
  type FileRecord,
  flush,
  forEachInParallel,
  ifExists,
  listFolder,
  makeFolders,
  readRecord,
  totalSize,
  type Watch,
} from './files.js'
import { dataOf, type Manifest, writeManifest } from './manifest.js'
import { listNotes } from './notes.js'
import type { Progress } from './progress.js'

export interface BackupOptions {
  readonly config: Config
  readonly clock: Clock
  readonly target: string
  readonly signal: AbortSignal
  readonly progress: Progress
}

export interface BackupResult {
  readonly manifest: Manifest
  /** How long the database of a running service was paused. */
  readonly heldMs: number | undefined
}

/** Copies the data folder to `target`, which appears only when the copy is complete and verified. */
export async function makeBackup(options: BackupOptions): Promise<BackupResult> {
  const target = resolve(options.target)
  await checkTarget(target, resolve(options.config.DATA_DIR))
  const source = await openDataDir(options.config, options.signal)
  try {
    return await withDraft(target, async (draft) => {
      const result = await copyAll(source, draft, options)
      await writeManifest(draft, result.manifest)
      options.signal.throwIfAborted()
      return result
    })
  } finally {
    await source.close()
  }
}

async function checkTarget(target: string, dataDir: string): Promise<void> {
  const path = relative(dataDir, target)
  if (path === '' || !(path.startsWith('..') || resolve(path) === path))
    throw new BackupError(`${target} is inside DATA_DIR. Choose a place outside, preferably on another disk.`)
  const names = await ifExists(readdir(target).catch(throwNotAFolder(target)))
  if (names && names.length > 0) throw new BackupError(`${target} is not empty. Choose a path that does not exist yet.`)
  if (names) await rmdir(target)
}

function throwNotAFolder(target: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'ENOTDIR') throw error
    throw new BackupError(`${target} is a file. Choose a path that does not exist yet.`)
  }
}

/** Works in a folder next to the target, and renames it to the target at the end. A failure leaves nothing behind. */
async function withDraft<T>(target: string, work: (draft: string) => Promise<T>): Promise<T> {
  const draft = `${target}.unfinished`
  await mkdir(dirname(target), { recursive: true })
  // Locked while this process lives, so that the leftovers of a killed one can be recognised and removed.
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

// The order matters: rows refer to uploads and blocks, so both are copied after the database.
async function copyAll(source: OpenDataDir, draft: string, options: BackupOptions): Promise<BackupResult> {
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
  const copied = await copyRest(source, data, watch, progress)

  progress.begin('Opening the copy')
  const expectedMark = service ? mark : undefined
  const database = source.hasDatabase
    ? await checkDatabase(join(data, 'database'), { mark: expectedMark, signal })
    : undefined
  signal.throwIfAborted()
  const cursor = config.CHAIN_RPC_URL || config.STAGING_CHAIN_URL ? undefined : database?.cursor
  const chain = source.hasChain ? await checkChain(join(data, 'chain'), cursor) : undefined

  const { folders, files } = await recordAll(data, copied, watch, progress)
  const manifest: Manifest = {
    format: 1,
    version: config.version,
    madeAt: clock.now().toISOString(),
    database: database?.facts ?? null,
    chain: chain ?? null,
    notes: await listNotes(config, data, database, files),
    folders,
    files,
  }
  await checkFiles(draft, manifest, watch, progress)
  return { manifest, heldMs }
}

const COPIED_SEPARATELY = ['database', 'chain']
// Temporary files, and files that the service recreates.
const LEFT_OUT = ['scratch', 'database.new']

/** Copies uploads, secrets and whatever else is in the folder. */
async function copyRest(
  { folder }: OpenDataDir,
  data: string,
  watch: Watch,
  progress: Progress,
): Promise<Map<string, FileRecord>> {
  const isLeftOut = (path: string) =>
    LEFT_OUT.includes(path) || COPIED_SEPARATELY.includes(path) || path.endsWith('.draft')
  const { folders, files } = await listFolder(folder, isLeftOut)
  progress.begin('Copying uploads and secrets', totalSize(files))
  await makeFolders(data, folders)
  const records = new Map<string, FileRecord>()
  await forEachInParallel(files, watch.signal, async ({ path }) => {
    // An abandoned upload may be removed meanwhile.
    const copied = await ifExists(copyFile(join(folder, path), join(data, path), watch))
    if (copied) records.set(path, { path, ...copied })
  })
  return records
}

/** Collects the checksums of all files: of the source where the copy is unchanged, of the copy where it was opened since. */
async function recordAll(
  data: string,
  copied: ReadonlyMap<string, FileRecord>,
  watch: Watch,
  progress: Progress,
): Promise<{ folders: readonly string[]; files: readonly FileRecord[] }> {
  const { folders, files } = await listFolder(data)
  const rest = files.filter(({ path }) => !copied.has(path))
  progress.begin('Computing checksums', totalSize(rest))
  const records = new Map(copied)
  await forEachInParallel(rest, watch.signal, async ({ path }) => {
    const file = join(data, path)
    await chmod(file, 0o600)
    await flush(file)
    records.set(path, { path, ...(await readRecord(file, watch)) })
  })
  for (const folder of folders) await chmod(join(data, folder), 0o700)
  return { folders, files: [...records.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}
