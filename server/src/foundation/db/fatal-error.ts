const HEADER = 5
const ERROR = 0x45
const LONGEST_ERROR = 64 * 1024

/**
 * Watches the engine's answers, in PostgreSQL's wire protocol, for an error after which it cannot be used any more: there
 * is no server process that would restart it. Returns that error.
 */
export function createFatalErrorReader(): (data: Uint8Array) => string | undefined {
  // How many more bytes of the current message to skip.
  let skipped = 0
  // The incomplete message at the end of the last chunk.
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
      const fatal = isError ? fatalErrorIn(bytes.subarray(HEADER, length)) : undefined
      if (fatal !== undefined) return fatal
      skipped = length
    }
  }
}

// Each field is a letter and a text: V is the severity, not translated, and M the message.
function fatalErrorIn(fields: Buffer): string | undefined {
  const texts = new Map(
    fields
      .toString('utf8')
      .split('\0')
      .map((field) => [field[0], field.slice(1)]),
  )
  const severity = texts.get('V')
  return severity === 'PANIC' || severity === 'FATAL' ? `${severity}: ${texts.get('M')}` : undefined
}
