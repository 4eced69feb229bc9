import sharp, { type Metadata, type Sharp } from 'sharp'
import { Problem } from '../../base/problem.js'

/** An image that was made from an upload. */
export interface PreparedImage {
  readonly mimeType: string
  readonly size: number
  /** Of one frame, after rotation. */
  readonly width: number
  readonly height: number
}

const MAX_FRAME_PIXELS = 50_000_000
const MAX_PIXELS = 150_000_000
const MAX_SECONDS = 30
const THUMBNAIL_PIXELS = 480

// Each image is processed once, so a cache would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

const encoders: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 88 }),
  png: (image) => image.png(),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 88 }),
}

/**
 * Re-encodes the image at `path` to `target`. Keeps only the visible pixels, rotated as the camera was held, and refuses
 * files that only look like an image.
 */
export async function reencodeImage(path: string, target: string): Promise<PreparedImage> {
  const { format } = await readHead(path)
  const encode = encoders[format]
  if (!encode) throw new Problem('UNSUPPORTED_FILE_TYPE')
  return write(encode(openImage(path, { animated: true })), target)
}

/** Writes a small still version of the image at `path` to `target`. */
export function makeThumbnail(path: string, target: string): Promise<PreparedImage> {
  const size = { width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside', withoutEnlargement: true } as const
  return write(openImage(path, { animated: false }).resize(size).webp({ quality: 80 }), target)
}

function openImage(path: string, { animated }: { animated: boolean }): Sharp {
  const options = { animated, failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true } as const
  return sharp(path, options).timeout({ seconds: MAX_SECONDS }).autoOrient()
}

// Reads only the header, so that a decompression bomb is refused before it is decoded.
async function readHead(path: string): Promise<Metadata> {
  const head = await sharp(path, { animated: true, limitInputPixels: false }).metadata().catch(throwUnreadable)
  const { width, height, pageHeight = height, pages = 1 } = head
  if (width * pageHeight > MAX_FRAME_PIXELS || width * pageHeight * pages > MAX_PIXELS)
    throw new Problem('FILE_TOO_LARGE', {
      message: `This picture has too many pixels: at most ${MAX_FRAME_PIXELS / 1e6} million, or ${MAX_PIXELS / 1e6} million in all frames, are allowed.`,
    })
  return head
}

async function write(image: Sharp, target: string): Promise<PreparedImage> {
  const { format, size, width, height, pageHeight = height } = await image.toFile(target).catch(throwUnreadable)
  return { mimeType: `image/${format}`, size, width, height: pageHeight }
}

function throwUnreadable(): never {
  throw new Problem('UNSUPPORTED_FILE_TYPE', { message: 'This picture is damaged and cannot be read.' })
}
