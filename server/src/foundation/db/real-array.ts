const REAL = 700
const HEADER_BYTES = 20
const ITEM_BYTES = 8

/**
 * The numbers of all vectors as one `real[]` in PostgreSQL's binary format, which the driver sends unchanged. Writing the
 * numbers in decimal takes fifteen times as long.
 */
export function realArray(vectors: readonly Float32Array[]): Buffer {
  const count = vectors.reduce((sum, { length }) => sum + length, 0)
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + count * ITEM_BYTES)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // One dimension, no nulls, the element type, the length, and the lower bound 1.
  for (const [place, value] of [1, 0, REAL, count, 1].entries()) view.setInt32(place * 4, value)
  let at = HEADER_BYTES
  for (const vector of vectors)
    for (let index = 0; index < vector.length; index++, at += ITEM_BYTES) {
      view.setInt32(at, 4)
      view.setFloat32(at + 4, vector[index] as number)
    }
  return bytes
}
