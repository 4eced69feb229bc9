/** The part of node-av that is used here. It is optional, so nothing may depend on its types. */
interface Freed {
  free(): void
}
interface Encoder {
  encodeAll(frame: Freed | null): Promise<Freed[]>
  close(): void
}
interface Muxer {
  addStream(encoder: Encoder): number
  writePacket(packet: Freed, stream: number): Promise<void>
  close(): Promise<void>
}
interface Library {
  readonly Encoder: { create(codec: unknown, options: object): Promise<Encoder> }
  readonly FilterAPI: { create(filters: string): { processAll(frame: Freed): Promise<Freed[]>; close(): void } }
  readonly Frame: { fromVideoBuffer(pixels: Buffer, options: object): Freed }
  readonly Muxer: { open(path: string, options: object): Promise<Muxer> }
  readonly Log: { setLevel(level: unknown): void }
  readonly AV_LOG_ERROR: unknown
  readonly AV_PIX_FMT_RGBA: unknown
  readonly FF_ENCODER_LIBX264: unknown
}

export class EncoderMissing extends Error {
  override readonly name = 'EncoderMissing'
}

export interface VideoOptions {
  readonly target: string
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly framesPerSecond: number
  /** Name of the package of FFmpeg. */
  readonly library: string
}

/** Writes an MP4 that every browser plays, even while it downloads. `draw` returns four bytes per pixel. */
export async function encodeVideo(
  options: VideoOptions,
  draw: (seconds: number) => Buffer,
  onProgress: (percent: number) => void,
): Promise<void> {
  const { width, height, framesPerSecond } = options
  const frames = Math.round(options.seconds * framesPerSecond)
  const av = await load(options.library)
  av.Log.setLevel(av.AV_LOG_ERROR)
  const timeBase = { num: 1, den: framesPerSecond }
  // Browsers only play H.264 with 4:2:0 chroma subsampling.
  const filter = av.FilterAPI.create('format=yuv420p')
  const encoder = await av.Encoder.create(av.FF_ENCODER_LIBX264, {
    context: { width, height, timeBase, framerate: { num: framesPerSecond, den: 1 }, gopSize: framesPerSecond },
    threadCount: 1,
    options: { preset: 'veryfast', crf: 20 },
  })
  const muxer = await av.Muxer.open(options.target, { format: 'mp4', options: { movflags: '+faststart' } })
  const stream = muxer.addStream(encoder)

  async function encode(frame: Freed | null): Promise<void> {
    for (const packet of await encoder.encodeAll(frame)) {
      await muxer.writePacket(packet, stream)
      packet.free()
    }
    frame?.free()
  }

  for (let index = 0; index < frames; index++) {
    const place = { width, height, format: av.AV_PIX_FMT_RGBA, timeBase, pts: BigInt(index) }
    const drawn = av.Frame.fromVideoBuffer(draw(index / framesPerSecond), place)
    for (const frame of await filter.processAll(drawn)) await encode(frame)
    drawn.free()
    onProgress(Math.floor(((index + 1) / frames) * 100))
  }
  await encode(null)
  await muxer.close()
  filter.close()
  encoder.close()
}

async function load(library: string): Promise<Library> {
  try {
    return (await import(library)) as Library
  } catch (error) {
    throw new EncoderMissing('The library that encodes videos is not installed', { cause: error })
  }
}
