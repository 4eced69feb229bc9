import { lineFinder } from './lines.js'

/** Text that a document holds in an encoded form. */
export interface Decoded {
  readonly text: string
  /** Where it stands in the document. */
  readonly line: number
}

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}={0,2}(?:\r?\n[ \t]{0,8}[A-Za-z0-9+/_-]{16,}={0,2}){0,400}/g
const HEX = /(?<![0-9a-z])(?:0x)?[0-9a-f]{2}(?:[ \t:,]{0,2}(?:0x|\\x)?[0-9a-f]{2}){7,}(?![0-9a-z])/gi

/** Finds what base64 and hexadecimal digits say, where they say something readable. */
export function decodedIn(document: string): Decoded[] {
  const lineAt = lineFinder(document)
  const found: Decoded[] = []
  const add = (index: number, bytes: Buffer) => {
    const text = readable(bytes)
    if (text !== undefined) found.push({ text, line: lineAt(index) })
  }
  for (const { index, 0: chunk } of document.matchAll(HEX))
    add(index, Buffer.from(chunk.replace(/0x|[^0-9a-f]/gi, ''), 'hex'))
  for (const { index, 0: chunk } of document.matchAll(BASE64))
    if (/[A-Z]/.test(chunk) && /[a-z]/.test(chunk)) add(index, Buffer.from(chunk.replace(/\s/g, ''), 'base64'))
  return found
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
