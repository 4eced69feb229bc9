import { constants } from 'node:fs'
import { copyFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachInParallel, ifExists, listFolder, makeFolders, totalSize, type Watch } from './files.js'
import type { Progress } from './progress.js'
import type { RunningService } from './running-service.js'

/** Metadata that shows whether a file has changed. */
interface FileStamp {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ino: bigint
}

// File systems record changes with a resolution of milliseconds, so two changes can have the same time.
const SETTLED_NS = 2_000_000_000n
// Every checkpoint writes this file, so its time is the file system's clock at the checkpoint.
const CONTROL = 'global/pg_control'

/** Copies a database that no process has open. */
export async function copyClosedDatabase(from: string, to: string, watch: Watch, progress: Progress): Promise<void> {
  const { folders, files } = await listFolder(from)
  progress.begin('Copying the database', totalSize(files))
  await makeFolders(to, folders)
  await forEachInParallel(files, watch.signal, ({ path, size }) => copyOne(from, to, path, watch, size))
}

/**
 * Copies the database of a running service: first everything while the service continues, then, while the database is
 * paused, the files that have changed since. The copy equals what a killed process would leave, and the engine recovers
 * from that. Returns how long the database was paused, in milliseconds.
 */
export async function copyRunningDatabase(
  from: string,
  to: string,
  watch: Watch,
  progress: Progress,
  { service, mark }: { service: RunningService; mark: string },
): Promise<number> {
  const { signal } = watch
  await service.checkpoint()
  const settledBefore = (await stat(join(from, CONTROL), { bigint: true })).mtimeNs - SETTLED_NS
  const first = await listFolder(from)
  progress.begin('Copying the database', totalSize(first.files))
  await makeFolders(to, first.folders)
  const copied = new Map<string, FileStamp>()
  await forEachInParallel(first.files, signal, async ({ path, size }) => {
    const stamp = await ifExists(readStamp(join(from, path)))
    if (!stamp || stamp.mtimeNs >= settledBefore) return
    if ((await ifExists(copyOne(from, to, path, watch, size).then(() => true))) === true) copied.set(path, stamp)
  })

  progress.begin('Copying what has changed since, while the database is paused')
  return service.hold(mark, async () => {
    const now = await listFolder(from)
    await makeFolders(to, now.folders)
    await forEachInParallel(now.files, signal, async ({ path, size }) => {
      const before = copied.get(path)
      copied.delete(path)
      if (before && isSame(before, await readStamp(join(from, path)))) return
      await copyOne(from, to, path, watch, size)
    })
    // The remaining files have been removed since.
    for (const path of copied.keys()) await rm(join(to, path), { force: true })
  })
}

// Clones the file where the file system supports it, which takes no time.
async function copyOne(from: string, to: string, path: string, { onBytes }: Watch, size: number): Promise<void> {
  await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
  onBytes(size)
}

function readStamp(file: string): Promise<FileStamp> {
  return stat(file, { bigint: true })
}

function isSame(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino
}
