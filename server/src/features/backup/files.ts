import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'

/** A file's size and checksum, which show whether it has changed. */
export interface FileRecord {
  /** Relative to the listed folder, with slashes. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** The files and folders of a folder, including empty folders, which PostgreSQL needs. */
export interface Listing {
  readonly folders: readonly string[]
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** Stops work on files, and receives its progress. */
export interface Watch {
  readonly signal: AbortSignal
  onBytes(bytes: number): void
}

/** A folder in the root of a volume, which is not readable and never contains our files. */
export const LOST_AND_FOUND = 'lost+found'
const CHUNK_BYTES = 1024 * 1024
const AT_A_TIME = 8

/** Lists the files and folders in a folder, except those that `isLeftOut` names. Skips everything else, such as sockets. */
export async function listFolder(root: string, isLeftOut: (path: string) => boolean = () => false): Promise<Listing> {
  const folders: string[] = []
  const files: { path: string; size: number }[] = []
  async function walk(folder: string): Promise<void> {
    for (const name of (await ifExists(readdir(join(root, folder)))) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isLeftOut(path) || name === LOST_AND_FOUND) continue
      // Links are followed: an operator may keep uploads on another disk.
      const found = await ifExists(stat(join(root, path)))
      if (found?.isDirectory()) {
        folders.push(path)
        await walk(path)
      } else if (found?.isFile()) files.push({ path, size: found.size })
    }
  }
  await walk('')
  return { folders, files }
}

export function totalSize(files: readonly { readonly size: number }[]): number {
  return files.reduce((total, { size }) => total + size, 0)
}

/** Creates folders that only this account may enter. */
export async function makeFolders(root: string, folders: readonly string[]): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
}

/**
 * Copies a file, up to its length at the start, and returns the size and checksum of the data read. Reading the copy back
 * and comparing the checksum verifies that it was written correctly.
 */
export async function copyFile(from: string, to: string, watch: Watch): Promise<Omit<FileRecord, 'path'>> {
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const record = await readAll(source, watch, (chunk) => writeAll(target, chunk))
      await target.datasync()
      return record
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

export async function readRecord(file: string, watch: Watch): Promise<Omit<FileRecord, 'path'>> {
  const handle = await open(file, 'r')
  try {
    return await readAll(handle, watch)
  } finally {
    await handle.close()
  }
}

async function readAll(
  source: FileHandle,
  { signal, onBytes }: Watch,
  take: (chunk: Buffer) => Promise<void> = async () => {},
): Promise<Omit<FileRecord, 'path'>> {
  const hash = createHash('sha256')
  const { size: end } = await source.stat()
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(end, 1)))
  let size = 0
  while (size < end) {
    signal.throwIfAborted()
    const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, end - size), size)
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    hash.update(chunk)
    await take(chunk)
    size += bytesRead
    onBytes(bytesRead)
  }
  return { size, sha256: hash.digest('hex') }
}

async function writeAll(target: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await target.write(chunk, done)).bytesWritten
}

/** Makes content and names survive a power cut, where the system supports that. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Works on several items at a time, because work on small files mostly waits for the disk. */
export async function forEachInParallel<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit({ concurrency: AT_A_TIME, rejectOnClear: true })
  async function run(item: T): Promise<void> {
    signal.throwIfAborted()
    await work(item).catch((error) => {
      limit.clearQueue()
      throw error
    })
  }
  // Waits for all, so that the caller can clean up after a failure without interference from unfinished work.
  const outcomes = await Promise.allSettled(items.map((item) => limit(run, item)))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Undefined when the file does not exist, or no longer exists. */
export async function ifExists<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
