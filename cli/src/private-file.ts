import { closeSync, fstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from './failures.js'

const OTHERS = 0o077

/** Reads a file that holds a secret. Refuses one that others can read; returns undefined when there is none. */
export function findPrivateFile(path: string): string | undefined {
  const file = open(path)
  if (file === undefined) return undefined
  try {
    const { mode } = fstatSync(file)
    // Windows has no such permission bits.
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new UsageError(`${path} holds a secret and is open to others. Run: chmod 600 ${path}`)
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Writes a file that only its owner can read, and refuses to overwrite one. */
export function createPrivateFile(path: string, text: string): void {
  try {
    write(path, text)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${path} exists already and is not overwritten. Choose another file.`)
    throw new UsageError(`${path} cannot be written: ${(error as Error).message}`)
  }
}

/** Writes a file that only its owner can read, atomically: a reader sees the old content or the new. */
export function replacePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  createPrivateFile(draft, text)
  renameSync(draft, path)
}

function open(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

function write(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
  } finally {
    closeSync(file)
  }
}
