import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from './failures.js'

/** Opens a local file for upload; its content is streamed. */
export async function openFile(path: string): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path))
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}
