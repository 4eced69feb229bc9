import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { Decoder, Demuxer } from 'node-av/api'
import { avGetPixFmtName, type Frame } from 'node-av/lib'

/** The result of decoding a video. */
export interface PlayedVideo {
  readonly codec: string
  readonly pixelFormat: string | null
  readonly width: number
  readonly height: number
  readonly frames: number
  /** The number of distinct frames. */
  readonly differentFrames: number
  /** Whether the index comes before the media data. */
  readonly startsFast: boolean
}

/** Decodes every frame of a video. */
export async function playVideo(content: Buffer, path: string): Promise<PlayedVideo> {
  await writeFile(path, content)
  await using input = await Demuxer.open(path)
  const stream = input.video()
  if (!stream) throw new Error('No video stream')
  using decoder = await Decoder.create(stream)
  const seen = new Set<string>()
  let frames = 0
  let size = { width: 0, height: 0, pixelFormat: null as string | null }
  const look = (decoded: Frame[]) => {
    for (const frame of decoded) {
      frames++
      size = { width: frame.width, height: frame.height, pixelFormat: avGetPixFmtName(frame.format as never) }
      seen.add(createHash('sha1').update(frame.toBuffer()).digest('hex'))
      frame.free()
    }
  }
  // Reading packets asynchronously needs a newer Node.
  for (const packet of input.packetsSync(stream.index)) if (packet) look(decoder.decodeAllSync(packet))
  look(decoder.decodeAllSync(null))
  return {
    codec: decoder.getCodec().name ?? '',
    ...size,
    frames,
    differentFrames: seen.size,
    startsFast: content.indexOf('moov') < content.indexOf('mdat'),
  }
}
