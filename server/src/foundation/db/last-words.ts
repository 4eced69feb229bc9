const HEADER = 5
const ERROR = 0x45
const LONGEST_ERROR = 64 * 1024

/**
 * Reads what the engine answers, in PostgreSQL's wire protocol, for an error after which it is of no more use: the engine
 * has no server around it that would start a new one. Says what the error was.
 */
export function createLastWords(): (data: Uint8Array) => string | undefined {
  // Bytes of the present message that are still to come and are of no interest.
  let skipped = 0
  // What a piece of data ended with before it could be read.
  let rest = Buffer.alloc(0)

  return (data) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, data]) : Buffer.from(data.buffer, data.byteOffset, data.length)
    rest = Buffer.alloc(0)
    for (;;) {
      if (skipped >= bytes.length) {
        skipped -= bytes.length
        return undefined
      }
      bytes = bytes.subarray(skipped)
      skipped = 0
      const length = bytes.length < HEADER ? Number.POSITIVE_INFINITY : 1 + bytes.readInt32BE(1)
      const isError = bytes[0] === ERROR && length <= LONGEST_ERROR
      if (bytes.length < HEADER || (isError && bytes.length < length)) {
        rest = Buffer.from(bytes)
        return undefined
      }
      const words = isError ? lastWords(bytes.subarray(HEADER, length)) : undefined
      if (words !== undefined) return words
      skipped = length
    }
  }
}

// Fields of one letter and a text each: V is the severity, whatever the language, and M the message.
function lastWords(fields: Buffer): string | undefined {
  const texts = new Map(
    fields
      .toString('utf8')
      .split('\0')
      .map((field) => [field[0], field.slice(1)]),
  )
  const severity = texts.get('V')
  return severity === 'PANIC' || severity === 'FATAL' ? `${severity}: ${texts.get('M')}` : undefined
}
