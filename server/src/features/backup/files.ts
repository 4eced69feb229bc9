import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import pLimit from 'p-limit'

/** What is known of a file: enough to see whether it is still the same. */
export interface FileRecord {
  /** Relative to the folder of which it is a part, with slashes. */
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** The files of a folder and its folders, empty ones too: PostgreSQL needs them. */
export interface Listing {
  readonly folders: readonly string[]
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

/** How work on files is watched and stopped. */
export interface Watch {
  readonly signal: AbortSignal
  onBytes(bytes: number): void
}

/** What the root of a volume has. Nobody may read it, and nothing of ours is in it. */
export const OF_THE_VOLUME = 'lost+found'
const CHUNK_BYTES = 1024 * 1024
const AT_A_TIME = 8

/** Everything in a folder but what is neither file nor folder, such as sockets, and what `isLeftOut` names. */
export async function listFolder(root: string, isLeftOut: (path: string) => boolean = () => false): Promise<Listing> {
  const folders: string[] = []
  const files: { path: string; size: number }[] = []
  async function walk(folder: string): Promise<void> {
    for (const name of (await orGone(readdir(join(root, folder)))) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isLeftOut(path) || name === OF_THE_VOLUME) continue
      // Links are followed: an operator may keep uploads on another disk.
      const found = await orGone(stat(join(root, path)))
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

/** Makes folders that only this account may enter. */
export async function makeFolders(root: string, folders: readonly string[]): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
}

/**
 * Copies a file, as far as it goes when this begins, and gives size and checksum of what was read. Whoever reads the
 * copy back and finds the same checksum knows that it was written well.
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

/** Size and checksum of a file. */
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

/** Makes content and names survive a power cut, where the system can. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

/** Does some of the work at a time: small files wait for the disk most of the time. */
export async function each<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit({ concurrency: AT_A_TIME, rejectOnClear: true })
  async function takeTurn(item: T): Promise<void> {
    signal.throwIfAborted()
    await work(item).catch((error) => {
      limit.clearQueue()
      throw error
    })
  }
  // Waits for all: whoever cleans up after a failure must not meet work under way.
  const outcomes = await Promise.allSettled(items.map((item) => limit(takeTurn, item)))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Undefined for what is gone by now. */
export async function orGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
