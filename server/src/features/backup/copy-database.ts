import { constants } from 'node:fs'
import { copyFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { each, listFolder, makeFolders, orGone, totalSize, type Watch } from './files.js'
import type { Progress } from './progress.js'
import type { RunningService } from './running-service.js'

/** How to tell whether a file has changed since it was looked at. */
interface Look {
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly ino: bigint
}

// The clock by which a file system notes changes ticks in milliseconds: two changes can bear the same time.
const SETTLED_NS = 2_000_000_000n
// Every checkpoint writes it, so its time is what the clock of the file system said then.
const CONTROL = 'global/pg_control'

/** Copies a database that no process has open. */
export async function copyClosedDatabase(from: string, to: string, watch: Watch, progress: Progress): Promise<void> {
  const { folders, files } = await listFolder(from)
  progress.begin('Copying the database', totalSize(files))
  await makeFolders(to, folders)
  await each(files, watch.signal, ({ path, size }) => copyOne(from, to, path, watch, size))
}

/**
 * Copies the database of a running service: first everything while it goes on, then, while it stands still, what has
 * changed since. Such a copy is what a killed process would have left behind, and the engine takes that up.
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
  const copied = new Map<string, Look>()
  await each(first.files, signal, async ({ path, size }) => {
    const look = await orGone(lookAt(join(from, path)))
    if (!look || look.mtimeNs >= settledBefore) return
    if ((await orGone(copyOne(from, to, path, watch, size).then(() => true))) === true) copied.set(path, look)
  })

  progress.begin('Copying what has changed since, while the database stands still')
  return service.hold(mark, async () => {
    const now = await listFolder(from)
    await makeFolders(to, now.folders)
    await each(now.files, signal, async ({ path, size }) => {
      const before = copied.get(path)
      copied.delete(path)
      if (before && isSame(before, await lookAt(join(from, path)))) return
      await copyOne(from, to, path, watch, size)
    })
    // What is left was removed since.
    for (const path of copied.keys()) await rm(join(to, path), { force: true })
  })
}

// As a clone where the file system can, which takes no time.
async function copyOne(from: string, to: string, path: string, { onBytes }: Watch, size: number): Promise<void> {
  await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE)
  onBytes(size)
}

function lookAt(file: string): Promise<Look> {
  return stat(file, { bigint: true })
}

function isSame(a: Look, b: Look): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino
}
