import { createCanvas, loadImage } from '@napi-rs/canvas'

/** The colour around the bird, that of a rook's egg. */
export const SHELL = '#a9cfcc'

/** How an icon is drawn: with rounded corners, as a full square, or with room for the system to cut a shape out. */
export type IconShape = 'rounded' | 'square' | 'maskable'

// Systems keep a circle of 80 % of the width.
const MASKABLE_SCALE = 0.72

/** Draws the site's icon, which is a drawing itself, as a PNG. */
export async function drawIcon(svg: string, size: number, shape: IconShape): Promise<Buffer> {
  const canvas = createCanvas(size, size)
  const pen = canvas.getContext('2d')
  if (shape !== 'rounded') {
    pen.fillStyle = SHELL
    pen.fillRect(0, 0, size, size)
  }
  const side = shape === 'maskable' ? Math.round(size * MASKABLE_SCALE) : size
  const drawing = await loadImage(Buffer.from(svg.replace('<svg ', `<svg width="${side}" height="${side}" `)))
  pen.drawImage(drawing, (size - side) / 2, (size - side) / 2, side, side)
  return canvas.encode('png')
}

/** Puts a PNG into an ICO file, which browsers ask for without being told to. */
export function wrapAsIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(size, 6)
  head.writeUInt8(size, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
