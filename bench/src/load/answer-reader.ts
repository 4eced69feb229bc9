const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH = /\r\ncontent-length: *(\d+)/i
const CHUNKED = /\r\ntransfer-encoding: *chunked/i
const KEPT_BYTES = 300

/**
 * Reads the answers of one connection, but no more of them than needed: the status, and where each ends. Keeps only the
 * first bytes of an answer with an unexpected status.
 */
export class AnswerReader {
  #expected = 200
  #head: Buffer | undefined
  /** Remaining bytes of the body, or of the chunk with its line end. */
  #left = 0
  #state: 'head' | 'body' | 'size' | 'chunk' | 'last' = 'head'
  #sizeText = ''
  status = 0
  /** The first bytes of the body of an unexpected answer. */
  beginning = ''

  /** Says which status the next answer should have. */
  expect(status: number): void {
    this.#expected = status
  }

  /** Consumes received bytes; true at the end of an answer. At most one answer is in flight. */
  push(bytes: Buffer): boolean {
    const at = this.#state === 'head' ? this.#readHead(bytes) : 0
    if (at === undefined) return false
    const source = this.#head ?? bytes
    this.#head = undefined
    if (this.status !== this.#expected) this.#keep(source.subarray(at))
    return this.#state === 'body' ? this.#skipBody(source.length - at) : this.#skipChunks(source, at)
  }

  /** Where the body begins, or undefined while the head is not complete. */
  #readHead(bytes: Buffer): number | undefined {
    const head = this.#head ? Buffer.concat([this.#head, bytes]) : bytes
    const end = head.indexOf(HEAD_END)
    if (end === -1) {
      // Copied, because the connection reuses its buffer for the next read.
      this.#head = Buffer.from(head)
      return undefined
    }
    if (this.#head) this.#head = head
    const text = head.toString('latin1', 0, end)
    this.status = Number(text.slice(9, 12))
    this.beginning = ''
    const length = LENGTH.exec(text)
    if (length) {
      this.#state = 'body'
      this.#left = Number(length[1])
    } else if (CHUNKED.test(text)) {
      this.#state = 'size'
      this.#sizeText = ''
    } else {
      this.#state = 'body'
      this.#left = 0
    }
    return end + HEAD_END.length
  }

  #skipBody(count: number): boolean {
    this.#left -= count
    if (this.#left > 0) return false
    if (this.#left < 0) throw new Error('An answer is longer than its Content-Length')
    this.#state = 'head'
    return true
  }

  #skipChunks(bytes: Buffer, from: number): boolean {
    for (let at = from; at < bytes.length; ) {
      if (this.#state === 'chunk' || this.#state === 'last') {
        const skipped = Math.min(this.#left, bytes.length - at)
        at += skipped
        this.#left -= skipped
        if (this.#left > 0) return false
        if (this.#state === 'last') {
          this.#state = 'head'
          return true
        }
        this.#state = 'size'
        continue
      }
      const character = String.fromCharCode(bytes[at++] ?? 0)
      if (character !== '\n') this.#sizeText += character
      else this.#beginChunk()
    }
    return false
  }

  #beginChunk(): void {
    const size = Number.parseInt(this.#sizeText, 16)
    if (Number.isNaN(size)) throw new Error(`A chunk has the size ${JSON.stringify(this.#sizeText)}`)
    this.#sizeText = ''
    this.#state = size === 0 ? 'last' : 'chunk'
    this.#left = size + 2
  }

  #keep(bytes: Buffer): void {
    if (this.beginning.length < KEPT_BYTES) this.beginning += bytes.toString('utf8', 0, KEPT_BYTES)
  }
}
