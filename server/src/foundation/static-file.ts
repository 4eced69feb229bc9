import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import Negotiator from 'negotiator'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const ENCODERS = {
  // The usual quality takes a second for the description of the interface, and saves little more.
  br: (text: Buffer) => compressBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (text: Buffer) => compressGzip(text),
} as const

type Encoding = keyof typeof ENCODERS

interface Made {
  readonly text: Buffer
  readonly etag: string
}

/** Headers and bytes to send. */
interface StaticAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

/** A text that stays the same while the process runs: made and compressed when it is first asked for, and kept. */
export class StaticFile<T = string> {
  /** Exists only as a type: what the text parses to. */
  declare readonly value: T
  readonly #type: string
  readonly #make: () => string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()
  #made: Made | undefined

  constructor(type: string, make: () => string) {
    this.#type = `${type}; charset=utf-8`
    this.#make = make
  }

  /** The answer to a request with these headers; without a body if the caller has it already. */
  async answer(headers: IncomingHttpHeaders): Promise<StaticAnswer> {
    const { text, etag } = this.#open()
    const common = { 'Content-Type': this.#type, ETag: etag, 'Cache-Control': 'no-cache' }
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
    if (known.includes(etag) || known.includes('*')) return { headers: common, body: undefined }
    const taken = new Negotiator({ headers }).encodings(['br', 'gzip', 'identity'])
    const encoding = (['br', 'gzip'] as const).find((name) => taken.includes(name))
    if (!encoding) return { headers: common, body: text }
    return { headers: { ...common, 'Content-Encoding': encoding }, body: await this.#encode(encoding) }
  }

  #open(): Made {
    if (this.#made) return this.#made
    const text = Buffer.from(this.#make())
    const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
    this.#made = { text, etag }
    return this.#made
  }

  #encode(encoding: Encoding): Promise<Buffer> {
    const kept = this.#compressed.get(encoding) ?? ENCODERS[encoding](this.#open().text)
    this.#compressed.set(encoding, kept)
    return kept
  }
}
