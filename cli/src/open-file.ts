import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { UsageError } from './failures.js'

/** Opens a local file for upload; its content is streamed, and `onRead` is told how many bytes have been read. */
export async function openFile(path: string, onRead?: (bytes: number, file: File) => void): Promise<File> {
  try {
    const content = await openAsBlob(path)
    return onRead ? new WatchedFile([content], basename(path), onRead) : new File([content], basename(path))
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}

class WatchedFile extends File {
  readonly #onRead: (bytes: number, file: File) => void

  constructor(parts: Blob[], name: string, onRead: (bytes: number, file: File) => void) {
    super(parts, name)
    this.#onRead = onRead
  }

  override stream(): ReturnType<File['stream']> {
    let bytes = 0
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        bytes += chunk.length
        this.#onRead(bytes, this)
        controller.enqueue(chunk)
      },
    })
    return super.stream().pipeThrough(count) as ReturnType<File['stream']>
  }
}
