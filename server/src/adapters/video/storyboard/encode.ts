/** The part of node-av that is used here. It is optional, so nothing may depend on its types. */
interface Frame {
  width: number
  height: number
  format: unknown
  pts: bigint
  timeBase: unknown
  alloc(): void
  getBuffer(): number
  free(): void
}
interface Packet {
  free(): void
}
interface Encoder {
  encodeAll(frame: Frame | null): Promise<Packet[]>
  close(): void
}
interface Muxer {
  addStream(encoder: Encoder): number
  writePacket(packet: Packet, stream: number): Promise<void>
  close(): Promise<void>
}
interface Library {
  readonly Encoder: { create(codec: unknown, options: object): Promise<Encoder> }
  readonly Muxer: { open(path: string, options: object): Promise<Muxer> }
  readonly Frame: { new (): Frame; fromVideoBuffer(pixels: Buffer, options: object): Frame }
  readonly SoftwareScaleContext: new () => {
    getContext(...fromAndTo: unknown[]): void
    initContext(): number
    scaleFrameSync(to: Frame, from: Frame): number
  }
  readonly Rational: new (numerator: number, denominator: number) => unknown
  readonly Log: { setLevel(level: unknown): void }
  readonly AV_LOG_ERROR: unknown
  readonly AV_PIX_FMT_RGBA: unknown
  readonly AV_PIX_FMT_YUV420P: unknown
  readonly SWS_BILINEAR: unknown
  readonly FF_ENCODER_LIBX264: unknown
}

/** The library that encodes is not there. */
export class EncoderMissing extends Error {
  override readonly name = 'EncoderMissing'
}

export interface EncodeOptions {
  readonly target: string
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  readonly frames: number
  /** Name of the package of FFmpeg. */
  readonly library: string
  /** Four bytes a pixel. */
  drawFrame(seconds: number): Buffer
  onFrame(done: number): void
}

/** Writes an MP4 that every browser plays, and begins to play before it has all of it. */
export async function encodeFilm(options: EncodeOptions): Promise<void> {
  const { width, height, framesPerSecond, frames, drawFrame, onFrame } = options
  const av = await load(options.library)
  av.Log.setLevel(av.AV_LOG_ERROR)
  const pixelsToFrame = createConverter(av, options)
  const encoder = await av.Encoder.create(av.FF_ENCODER_LIBX264, {
    context: {
      width,
      height,
      timeBase: new av.Rational(1, framesPerSecond),
      framerate: new av.Rational(framesPerSecond, 1),
      gopSize: framesPerSecond,
    },
    threadCount: 1,
    options: { preset: 'veryfast', crf: 20 },
  })
  const muxer = await av.Muxer.open(options.target, { format: 'mp4', options: { movflags: '+faststart' } })
  const stream = muxer.addStream(encoder)

  async function encode(frame: Frame | null): Promise<void> {
    for (const packet of await encoder.encodeAll(frame)) {
      await muxer.writePacket(packet, stream)
      packet.free()
    }
    frame?.free()
  }

  for (let index = 0; index < frames; index++) {
    await encode(pixelsToFrame(drawFrame(index / framesPerSecond), index))
    onFrame(index + 1)
  }
  await encode(null)
  await muxer.close()
  encoder.close()
}

// Browsers play H.264 with a quarter of the colour only, so every frame is brought to that.
function createConverter(av: Library, { width, height, framesPerSecond }: EncodeOptions) {
  const scaler = new av.SoftwareScaleContext()
  scaler.getContext(width, height, av.AV_PIX_FMT_RGBA, width, height, av.AV_PIX_FMT_YUV420P, av.SWS_BILINEAR)
  succeed(scaler.initContext())
  return (pixels: Buffer, index: number): Frame => {
    const timeBase = { num: 1, den: framesPerSecond }
    const drawn = av.Frame.fromVideoBuffer(pixels, { width, height, format: av.AV_PIX_FMT_RGBA, timeBase })
    const frame = new av.Frame()
    frame.alloc()
    Object.assign(frame, { width, height, format: av.AV_PIX_FMT_YUV420P })
    succeed(frame.getBuffer())
    succeed(scaler.scaleFrameSync(frame, drawn))
    drawn.free()
    frame.pts = BigInt(index)
    frame.timeBase = new av.Rational(1, framesPerSecond)
    return frame
  }
}

function succeed(code: number): void {
  if (code < 0) throw new Error(`FFmpeg failed (${code})`)
}

async function load(library: string): Promise<Library> {
  try {
    return (await import(library)) as Library
  } catch (error) {
    throw new EncoderMissing('The library that encodes videos is not installed', { cause: error })
  }
}
