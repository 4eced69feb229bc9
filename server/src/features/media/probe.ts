import { MAX_VIDEO_SECONDS } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import { startThread } from '../../base/thread.js'

/** The metadata of a video. */
export interface VideoFacts {
  /** Seconds. */
  readonly duration: number
  readonly width: number
  readonly height: number
}

/** The thread's message: undefined for a file that is not a video. */
export interface FromProbe {
  readonly facts: VideoFacts | undefined
}

const TIMEOUT_MS = 60_000
const MAX_HEAP_MB = 256

/** Reads the metadata of the video at `path`. Refuses a video that cannot be read, or is too long. */
export async function probeVideo(path: string): Promise<VideoFacts> {
  const facts = await readFacts(path)
  if (!facts || !isPositive(facts.duration) || !isPositive(facts.width) || !isPositive(facts.height))
    throw new Problem('UNSUPPORTED_FILE_TYPE', { message: 'This file has no readable video.' })
  if (facts.duration > MAX_VIDEO_SECONDS)
    throw new Problem('FILE_TOO_LARGE', { message: `Videos may have at most ${MAX_VIDEO_SECONDS / 60} minutes.` })
  return facts
}

// In a thread, because a file can be crafted so that reading it never ends.
function readFacts(path: string): Promise<VideoFacts | undefined> {
  const thread = startThread('./probe-thread.js', import.meta.url, { path }, { maxOldGenerationSizeMb: MAX_HEAP_MB })
  return new Promise<VideoFacts | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), TIMEOUT_MS)
    const end = (facts?: VideoFacts) => {
      clearTimeout(timer)
      resolve(facts)
    }
    thread.once('message', ({ facts }: FromProbe) => end(facts))
    thread.once('error', () => end())
    thread.once('exit', () => end())
  }).finally(() => thread.terminate())
}

function isPositive(value: number): boolean {
  return Number.isFinite(value) && value > 0
}
