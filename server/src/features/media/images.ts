import sharp, { type Metadata, type Sharp } from 'sharp'
import { Problem } from '../../base/problem.js'

/** A picture that was made from an upload. */
export interface PreparedImage {
  readonly mimeType: string
  readonly size: number
  /** Of one frame, the way it is seen. */
  readonly width: number
  readonly height: number
}

const MAX_FRAME_PIXELS = 50_000_000
const MAX_PIXELS = 150_000_000
const MAX_SECONDS = 30
const THUMBNAIL_PIXELS = 480

// A picture is worked on once, so remembering its parts would only cost memory.
sharp.cache(false)
sharp.concurrency(1)

const encoders: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 88 }),
  png: (image) => image.png(),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 88 }),
}

/**
 * Writes the picture at `path` anew to `target`: only what is seen goes along, turned the way the camera was held, and
 * nothing that only looks like a picture.
 */
export async function reencodeImage(path: string, target: string): Promise<PreparedImage> {
  const { format } = await readHead(path)
  const encode = encoders[format]
  if (!encode) throw new Problem('UNSUPPORTED_FILE_TYPE')
  return write(encode(openImage(path, { animated: true })), target)
}

/** Writes a small still picture of the one at `path` to `target`. */
export function makeThumbnail(path: string, target: string): Promise<PreparedImage> {
  const size = { width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS, fit: 'inside', withoutEnlargement: true } as const
  return write(openImage(path, { animated: false }).resize(size).webp({ quality: 80 }), target)
}

function openImage(path: string, { animated }: { animated: boolean }): Sharp {
  const options = { animated, failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true } as const
  return sharp(path, options).timeout({ seconds: MAX_SECONDS }).autoOrient()
}

// Only the head is read here, so that a small file which unfolds into a huge picture never does.
async function readHead(path: string): Promise<Metadata> {
  const head = await sharp(path, { animated: true, limitInputPixels: false }).metadata().catch(unreadable)
  const { width, height, pageHeight = height, pages = 1 } = head
  if (width * pageHeight > MAX_FRAME_PIXELS || width * pageHeight * pages > MAX_PIXELS)
    throw new Problem('FILE_TOO_LARGE', {
      message: `This picture has more pixels than are taken: ${MAX_FRAME_PIXELS / 1e6} million, or ${MAX_PIXELS / 1e6} million in all frames.`,
    })
  return head
}

async function write(image: Sharp, target: string): Promise<PreparedImage> {
  const { format, size, width, height, pageHeight = height } = await image.toFile(target).catch(unreadable)
  return { mimeType: `image/${format}`, size, width, height: pageHeight }
}

function unreadable(): never {
  throw new Problem('UNSUPPORTED_FILE_TYPE', { message: 'This picture is damaged and cannot be read.' })
}
