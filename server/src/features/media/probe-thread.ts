import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { CustomSource, Input, MP4, QTFF, WEBM } from 'mediabunny'
import type { FromProbe, VideoFacts } from './probe.js'

// The metadata of a ten-minute video is far smaller; a file that needs more reading is malicious.
const MAX_READ_BYTES = 32 * 1024 * 1024

async function probe(path: string): Promise<VideoFacts | undefined> {
  const file = await open(path, 'r')
  let readBytes = 0
  const source = new CustomSource({
    getSize: async () => (await file.stat()).size,
    async read(start, end) {
      readBytes += end - start
      if (readBytes > MAX_READ_BYTES) throw new Error('This file requires more reading than any video needs')
      const buffer = Buffer.alloc(end - start)
      await file.read(buffer, 0, buffer.length, start)
      return buffer
    },
  })
  const input = new Input({ formats: [MP4, QTFF, WEBM], source })
  try {
    const track = await input.getPrimaryVideoTrack()
    if (!track) return undefined
    const duration = await input.computeDuration()
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()]
    return { duration, width: Math.round(width), height: Math.round(height) }
  } finally {
    input.dispose()
    await file.close()
  }
}

const { path } = workerData as { path: string }
const send = (message: FromProbe) => parentPort?.postMessage(message)
probe(path).then(
  (facts) => send({ facts }),
  () => send({ facts: undefined }),
)
