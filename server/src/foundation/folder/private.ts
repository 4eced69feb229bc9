import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { PARTS } from './manifest.js'

const OTHERS = 0o077
const STICKY = 0o1000
// Only what is ours: the folder may have been something else before.
const OURS = [...PARTS, 'scratch', 'manifest.json', 'database.new']

/** From now on everything that this process, its threads and its children make is for its own account alone. */
export function keepPrivate(): void {
  if (isMainThread) process.umask(OTHERS)
}

/** Whether others may enter the folder. Then what is in it was perhaps made or restored without care. */
export function isOpen(folder: string): boolean {
  // It may be a link to where it is.
  return process.platform !== 'win32' && (statSync(folder).mode & OTHERS) !== 0
}

/** Takes away from others what they may do with a data folder. The folder itself comes last: a start that is killed begins again. */
export function makePrivate(dataDir: string): void {
  if (process.platform === 'win32') return
  for (const name of OURS) closeAll(join(dataDir, name))
  // Folders like /tmp are for everybody.
  if ((statSync(dataDir).mode & STICKY) === 0) closeOne(dataDir)
}

/** The same for a file, or a folder with all that is in it. Links are left alone, and so is what another account owns. */
export function closeAll(path: string): void {
  tolerate(() => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (!found || found.isSymbolicLink()) return
    closeOne(path)
    if (found.isDirectory()) for (const name of readdirSync(path)) closeAll(join(path, name))
  })
}

function closeOne(path: string): void {
  const found = statSync(path)
  if ((found.mode & OTHERS) !== 0) tolerate(() => chmodSync(path, found.isDirectory() ? 0o700 : 0o600))
}

// What is not ours to change, or is gone meanwhile because several processes share the folder.
const TOLERATED = ['EPERM', 'EACCES', 'EROFS', 'ENOENT']

function tolerate(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!TOLERATED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
