import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  FilePathTarget,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

const formats = { mp4: Mp4OutputFormat, mov: MovOutputFormat, webm: WebMOutputFormat }

const FRAMES = 10

/** Writes a one-minute MP4 of about `bytes` bytes to `path`, chunk by chunk. */
export async function writeVideo(path: string, bytes: number): Promise<void> {
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new FilePathTarget(path) })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { frameRate: 24 })
  await output.start()
  const decoderConfig = { codec: 'vp09.00.41.08', codedWidth: 1920, codedHeight: 1080 }
  const frames = 60 * 24
  const content = new Uint8Array(Math.floor(bytes / frames)).fill(0x82)
  for (let frame = 0; frame < frames; frame++)
    await source.add(new EncodedPacket(content, 'key', frame / 24, 1 / 24), { decoderConfig })
  await output.finalize()
}

/** Makes a video file of a few bytes with any duration. */
export async function makeVideo({
  format = 'mp4' as keyof typeof formats,
  seconds = 2,
  width = 64,
  height = 48,
} = {}): Promise<Blob> {
  const target = new BufferTarget()
  const output = new Output({ format: new formats[format](), target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source, { frameRate: FRAMES / seconds })
  await output.start()
  const decoderConfig = { codec: 'vp09.00.10.08', codedWidth: width, codedHeight: height }
  const length = seconds / FRAMES
  for (let frame = 0; frame < FRAMES; frame++) {
    const packet = new EncodedPacket(new Uint8Array([0x82, 0x49, 0x83, 0x42]), 'key', frame * length, length)
    await source.add(packet, { decoderConfig })
  }
  await output.finalize()
  return new Blob([target.buffer ?? new ArrayBuffer()])
}
