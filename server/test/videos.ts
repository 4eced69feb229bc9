import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

const formats = { mp4: Mp4OutputFormat, mov: MovOutputFormat, webm: WebMOutputFormat }

const FRAMES = 10

/** A video file of a few bytes, with as many seconds as a test wants. */
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
