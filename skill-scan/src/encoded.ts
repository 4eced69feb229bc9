import { lineFinder } from './lines.js'

/** Text that a document holds in an encoded form. */
export interface Decoded {
  readonly text: string
  /** Where it stands in the document. */
  readonly line: number
}

// Lines of base64 below each other. The first can be a word that only looks like it.
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}={0,2}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{16,}={0,2}){0,400}/g
const HEX = /(?<![0-9a-z])(?:0x)?[0-9a-f]{2}(?:[ \t:,]{0,2}(?:0x|\\x)?[0-9a-f]{2}){7,}(?![0-9a-z])/gi

/** Finds what base64 and hexadecimal digits say, where they say something readable. */
export function decodedIn(document: string): Decoded[] {
  const lineAt = lineFinder(document)
  const found: Decoded[] = []
  for (const { index, 0: chunk } of document.matchAll(HEX)) {
    const text = readable(Buffer.from(chunk.replace(/0x|[^0-9a-f]/gi, ''), 'hex'))
    if (text !== undefined) found.push({ text, line: lineAt(index) })
  }
  for (const { index, 0: chunk } of document.matchAll(BASE64)) {
    const first = lineAt(index)
    const lines = chunk.split('\n').map((line, number) => ({ digits: line.trim(), line: first + number }))
    found.push(...textsOf(lines).flatMap(decodeLines))
  }
  return found
}

/** A line of digits of base64. */
interface EncodedLine {
  readonly digits: string
  readonly line: number
}

// Signs that fill up the last digits end a text.
const textsOf = (lines: readonly EncodedLine[]) => partsOf(lines, (part) => part.at(-1)?.digits.endsWith('=') === false)

// A text that is wrapped has lines of one length, and a last one that can be shorter.
const wrappedTextsOf = (lines: readonly EncodedLine[]) =>
  partsOf(lines, (part, { digits }) => {
    const width = part[0]?.digits.length ?? 0
    return part.at(-1)?.digits.length === width && digits.length <= width
  })

function partsOf(
  lines: readonly EncodedLine[],
  continues: (part: readonly EncodedLine[], line: EncodedLine) => boolean,
): EncodedLine[][] {
  const parts: EncodedLine[][] = []
  for (const line of lines) {
    const part = parts.at(-1)
    if (part && continues(part, line)) part.push(line)
    else parts.push([line])
  }
  return parts
}

// A word among the lines shifts the digits after it, so that what cannot be read together is read in smaller parts.
function decodeLines(lines: readonly EncodedLine[]): Decoded[] {
  const together = decode(lines)
  if (together || lines.length === 1) return together ?? []
  const withoutFirst = decode(lines.slice(1))
  if (withoutFirst) return [...(decode(lines.slice(0, 1)) ?? []), ...withoutFirst]
  return wrappedTextsOf(lines).flatMap((part) => decode(part) ?? part.flatMap((line) => decode([line]) ?? []))
}

function decode(lines: readonly EncodedLine[]): Decoded[] | undefined {
  const digits = lines.map((line) => line.digits).join('')
  if (!/[A-Z]/.test(digits) || !/[a-z]/.test(digits)) return undefined
  const text = readable(Buffer.from(digits, 'base64'))
  return text === undefined ? undefined : [{ text, line: lines[0]?.line ?? 1 }]
}

// PowerShell encodes text with two bytes a letter.
function readable(bytes: Buffer): string | undefined {
  if (bytes.length < 8) return undefined
  const isWide = bytes.length % 2 === 0 && bytes[1] === 0 && bytes[3] === 0
  const text = bytes.toString(isWide ? 'utf16le' : 'utf8')
  const strange = text.match(/[^\t\n\r\x20-\x7e\p{Letter}\p{Mark}\p{Punctuation}]|\uFFFD/gu)?.length ?? 0
  return strange === 0 ? text : undefined
}

/** Whether a text is made of words, and so is meant to be read. */
export function isProse(text: string): boolean {
  return (text.match(/(?<!\S)\p{Letter}{2,}(?=[\s.,;:!?]|$)/gu)?.length ?? 0) >= 4
}
