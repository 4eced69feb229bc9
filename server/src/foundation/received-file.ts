import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AcceptedFiles } from '@rookery/api'
import { fileTypeFromBuffer } from 'file-type'
import { Problem } from '../base/problem.js'

/** An uploaded file, stored on this machine until it is processed. */
export interface ReceivedFile {
  readonly path: string
  /** One of the accepted kinds. */
  readonly kind: string
  /** Detected from the content. */
  readonly mimeType: string
  readonly size: number
  /** Hash of the content, in hex. */
  readonly sha256: string
}

// Enough to detect any file type.
const HEAD_BYTES = 4_100

/**
 * Writes a stream to `path`, chunk by chunk. Refuses it as soon as its type is not accepted or it is too long, and then
 * leaves nothing at `path`.
 */
export async function receiveFile(source: Readable, path: string, accepted: AcceptedFiles): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let size = 0
  let type: Recognised | undefined

  async function* check(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const head: Buffer[] = []
    for await (const chunk of chunks) {
      size += chunk.length
      hash.update(chunk)
      if (!type) {
        head.push(chunk)
        if (size >= HEAD_BYTES) type = await recognise(Buffer.concat(head), accepted)
      }
      if (type && size > type.maxBytes) throw tooLarge(type)
      yield chunk
    }
    type ??= await recognise(Buffer.concat(head), accepted)
  }

  const written = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((resolve) => written.once('close', () => resolve()))
  try {
    await pipeline(source, check, written)
    if (!type) throw new Problem('UNSUPPORTED_FILE_TYPE')
    const { kind, mimeType } = type
    return { path, kind, mimeType, size, sha256: hash.digest('hex') }
  } catch (error) {
    // The file may still be opening, and would be created after the removal.
    await closed
    await rm(path, { force: true })
    throw error
  }
}

interface Recognised {
  readonly kind: string
  readonly mimeType: string
  readonly maxBytes: number
}

async function recognise(head: Buffer, accepted: AcceptedFiles): Promise<Recognised> {
  const type = await fileTypeFromBuffer(head)
  for (const [kind, { types, maxBytes }] of Object.entries(accepted))
    if (type && types.some((mimeType) => mimeType === type.mime)) return { kind, mimeType: type.mime, maxBytes }
  throw new Problem('UNSUPPORTED_FILE_TYPE')
}

function tooLarge({ kind, maxBytes }: Recognised): Problem {
  const message = `This ${kind} has more than the ${maxBytes / 1024 / 1024} MB that are allowed.`
  return new Problem('FILE_TOO_LARGE', { message })
}
