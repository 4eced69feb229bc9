import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from './failures.js'

/** A file of this machine as what is sent; it is read while it is sent. */
export async function openFile(path: string): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path))
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}
