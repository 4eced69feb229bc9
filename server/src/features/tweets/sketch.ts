import { LRUCache } from 'lru-cache'

const SHINGLE = 5
const ROWS = 2
/** The number of bands in a sketch. */
export const BANDS = 8

/** The text to compare: without case, links, mentions, digits and punctuation. */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/https?:\/\/\S+|@\w+/g, ' ')
    .replace(/[^\p{Letter}]+/gu, ' ')
    .trim()
}

/** Hashes of the overlapping pieces of a plain text, sorted and distinct. */
function piecesOf(plain: string): Uint32Array {
  const count = Math.max(plain.length - SHINGLE + 1, 1)
  const hashes = new Uint32Array(count)
  for (let start = 0; start < count; start++) hashes[start] = hashPiece(plain, start)
  hashes.sort()
  let kept = 1
  for (let index = 1; index < count; index++) {
    const hash = hashes[index] as number
    if (hash !== hashes[kept - 1]) hashes[kept++] = hash
  }
  return hashes.subarray(0, kept)
}

// FNV-1a.
function hashPiece(text: string, start: number): number {
  const end = Math.min(start + SHINGLE, text.length)
  let hash = 0x811c9dc5
  for (let index = start; index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** The Jaccard similarity of two texts by their pieces, 0 to 1. */
export function similarity(a: Uint32Array, b: Uint32Array): number {
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [left, right] = [a[i] as number, b[j] as number]
    if (left === right) common++
    if (left <= right) i++
    if (right <= left) j++
  }
  return common / (a.length + b.length - common)
}

/**
 * Bands of the text's MinHash, as 64-bit numbers in decimal. Texts that share most of their pieces share a band, with
 * high probability.
 */
function bandsOf(pieces: Uint32Array): string[] {
  const value = new DataView(new ArrayBuffer(8))
  return Array.from({ length: BANDS }, (_, band) => {
    value.setUint32(0, leastOf(pieces, band * ROWS))
    value.setUint32(4, leastOf(pieces, band * ROWS + 1))
    return String(value.getBigInt64(0))
  })
}

/** What a text is compared by. */
export interface Sketch {
  readonly plain: string
  readonly pieces: Uint32Array
  readonly bands: readonly string[]
}

// Of up to 20 kB each.
const sketches = new LRUCache<string, Sketch>({ max: 2_000 })

/**
 * The sketch of a text. Recent ones are kept: a text is compared when it is posted, when it is published a moment later, and
 * again with each later one that resembles it.
 */
export function sketchOf(text: string): Sketch {
  const known = sketches.get(text)
  if (known) return known
  const plain = plainText(text)
  const pieces = piecesOf(plain)
  const sketch = { plain, pieces, bands: bandsOf(pieces) }
  sketches.set(text, sketch)
  return sketch
}

/** The smallest hash of the pieces under the permutation with this number. */
function leastOf(pieces: Uint32Array, permutation: number): number {
  const factor = Math.imul(permutation * 2 + 1, 0x9e3779b1) | 1
  let least = 0xffffffff
  for (let index = 0; index < pieces.length; index++) {
    const value = (Math.imul(pieces[index] as number, factor) + permutation) | 0
    const mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
    const hash = (mixed ^ (mixed >>> 16)) >>> 0
    if (hash < least) least = hash
  }
  return least
}
