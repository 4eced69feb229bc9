import { existsSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { lockDataDir } from '../../foundation/db/lock.js'
import { readMigrations } from '../../foundation/db/migrations.js'
import { restoringFolder } from '../../foundation/db/restoring.js'
import { BackupError } from './backup-error.js'
import { findDamage } from './check-backup.js'
import {
  copyFile,
  flush,
  forEachInParallel,
  ifExists,
  LOST_AND_FOUND,
  makeFolders,
  readRecord,
  totalSize,
  type Watch,
} from './files.js'
import { dataOf, type Manifest, readManifest } from './manifest.js'
import type { Progress } from './progress.js'

export interface RestoreOptions {
  readonly backup: string
  readonly dataDir: string
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Restores a backup into an empty data folder. Compares each file with the manifest. */
export async function restoreBackup({ backup, dataDir, signal, progress }: RestoreOptions): Promise<Manifest> {
  const from = resolve(backup)
  const to = resolve(dataDir)
  const manifest = await readManifest(from)
  checkVersion(from, manifest)
  const isNew = !existsSync(to)
  await checkEmpty(to)
  await mkdir(to, { recursive: true, mode: 0o700 })
  // Prevents a service from starting there meanwhile.
  const lock = await lockDataDir(to)
  const draft = restoringFolder(to)
  try {
    await rm(draft, { recursive: true, force: true })
    await copyFiles(from, draft, manifest, { signal, onBytes: (bytes) => progress.add(bytes) }, progress)
    signal.throwIfAborted()
  } catch (error) {
    await rm(draft, { recursive: true, force: true, maxRetries: 5 })
    await lock.close()
    if (isNew) await rmdir(to).catch(() => {})
    throw error
  }
  // While the draft folder exists, the service refuses to start on this data folder.
  for (const name of await readdir(draft)) await rename(join(draft, name), join(to, name))
  await chmod(to, 0o700)
  await flush(to)
  await rmdir(draft)
  await flush(to)
  await lock.close()
  return manifest
}

function checkVersion(backup: string, { database, version }: Manifest): void {
  const newest = readMigrations().at(-1)?.name ?? ''
  if (!database || database.migration <= newest) return
  throw new BackupError(`${backup} was made by version ${version}, which is newer than this one. Restore it with that.`)
}

async function checkEmpty(folder: string): Promise<void> {
  const names = (await ifExists(readdir(folder))) ?? []
  const found: string[] = []
  // A killed process leaves its sockets behind. A restore that was stopped before it moved anything into place starts over.
  for (const name of names)
    if (name !== LOST_AND_FOUND && !(await lstat(join(folder, name))).isSocket()) found.push(name)
  if (found.length === 0 || (found.length === 1 && join(folder, found[0] ?? '') === restoringFolder(folder))) return
  throw new BackupError(
    `DATA_DIR ${folder} is not empty (${found.slice(0, 3).join(', ')}${found.length > 3 ? ' …' : ''}). ` +
      'Move what is there away, or set DATA_DIR to another folder.',
  )
}

async function copyFiles(
  backup: string,
  draft: string,
  manifest: Manifest,
  watch: Watch,
  progress: Progress,
): Promise<void> {
  const { files, folders } = manifest
  progress.begin('Restoring', totalSize(files))
  await makeFolders(draft, folders)
  await forEachInParallel(files, watch.signal, async (expected) => {
    const copied = await ifExists(copyFile(join(dataOf(backup), expected.path), join(draft, expected.path), watch))
    refuse(backup, findDamage(expected, copied))
  })
  progress.begin('Reading it all back', totalSize(files))
  await forEachInParallel(files, watch.signal, async (expected) => {
    refuse(draft, findDamage(expected, await readRecord(join(draft, expected.path), watch)))
  })
}

function refuse(folder: string, damage: string | undefined): void {
  if (damage) throw new BackupError(`${folder} is damaged: ${damage}. Nothing was restored.`)
}
