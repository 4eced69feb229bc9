import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
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

  async send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { text, etag } = this.#open()
    const vary = reply.getHeader('Vary')
    reply
      .type(this.#type)
      .header('ETag', etag)
      .header('Cache-Control', 'no-cache')
      .header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
    if (known.includes(etag) || known.includes('*')) return reply.code(304).send()
    const taken = new Negotiator({ headers }).encodings(['br', 'gzip', 'identity'])
    const encoding = (['br', 'gzip'] as const).find((name) => taken.includes(name))
    if (!encoding) return reply.send(text)
    return reply.header('Content-Encoding', encoding).send(await this.#encode(encoding))
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
