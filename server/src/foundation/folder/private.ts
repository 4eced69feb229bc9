import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { PARTS } from './manifest.js'

const OTHERS = 0o077
const STICKY = 0o1000
// Only our own files: the folder may contain others.
const OURS = [...PARTS, 'scratch', 'manifest.json', 'database.new']

/** Makes everything that this process, its threads and its children create from now on private to its account. */
export function keepPrivate(): void {
  if (isMainThread) process.umask(OTHERS)
}

/** Whether others may enter the folder. Then its files may have been created or restored with open permissions. */
export function isOpen(folder: string): boolean {
  // stat, not lstat: the folder may be a link.
  return process.platform !== 'win32' && (statSync(folder).mode & OTHERS) !== 0
}

/** Removes the permissions of others on a data folder. The folder itself comes last, so that a killed start repeats this. */
export function makePrivate(dataDir: string): void {
  if (process.platform === 'win32') return
  for (const name of OURS) closeAll(join(dataDir, name))
  // Leave shared folders such as /tmp alone.
  if ((statSync(dataDir).mode & STICKY) === 0) closeOne(dataDir)
}

/** Makes a file, or a folder with its contents, private. Skips links and what another account owns. */
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

// Not ours to change, or removed meanwhile by a process that shares the folder.
const TOLERATED = ['EPERM', 'EACCES', 'EROFS', 'ENOENT']

function tolerate(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!TOLERATED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
