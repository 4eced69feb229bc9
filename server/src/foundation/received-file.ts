import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AcceptedFiles } from '@rookery/api'
import { fileTypeFromBuffer } from 'file-type'
import { Problem } from '../base/problem.js'

/** A file that came from outside and lies on this machine until it was looked at. */
export interface ReceivedFile {
  readonly path: string
  /** One of the kinds that were accepted. */
  readonly kind: string
  /** By its content. */
  readonly mimeType: string
  readonly size: number
  /** Of its content, in hex. */
  readonly sha256: string
}

// As much as recognising a file may need.
const HEAD_BYTES = 4_100

/**
 * Writes a stream to `path`, never holding more than a piece of it. It is refused as soon as its content is none that is
 * accepted, or is too long; then nothing stays at `path`.
 */
export async function receiveFile(source: Readable, path: string, accepted: AcceptedFiles): Promise<ReceivedFile> {
  const hash = createHash('sha256')
  let size = 0
  let found: Recognised | undefined

  async function* checked(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const head: Buffer[] = []
    for await (const chunk of chunks) {
      size += chunk.length
      hash.update(chunk)
      if (!found) {
        head.push(chunk)
        if (size >= HEAD_BYTES) found = await recognise(Buffer.concat(head), accepted)
      }
      if (found && size > found.maxBytes) throw tooLarge(found)
      yield chunk
    }
    found ??= await recognise(Buffer.concat(head), accepted)
  }

  const written = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const closed = new Promise<void>((resolve) => written.once('close', () => resolve()))
  try {
    await pipeline(source, checked, written)
    if (!found) throw new Problem('UNSUPPORTED_FILE_TYPE')
    const { kind, mimeType } = found
    return { path, kind, mimeType, size, sha256: hash.digest('hex') }
  } catch (error) {
    // It may still be opened, and would come to be after it was removed.
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
