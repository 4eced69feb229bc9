import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { findProgram, sourceArguments } from '@rookery/host'
import type { RenderMessage, RenderOptions } from './render-process.js'
import { type MakingOptions, type VideoMaker, VideoRefused, VideoUnavailable, type WantedVideo } from './video-maker.js'

export interface StoryboardOptions {
  readonly width?: number
  readonly height?: number
  readonly seconds?: number
  readonly framesPerSecond?: number
  /** Name of the package of FFmpeg. */
  readonly library?: string
  readonly withinMs?: number
}

const BUSY_ASK_AGAIN_MS = 500
// The lowest priority: everything else on the machine goes first.
const NICENESS = 10

/**
 * Makes a video of a title card that shows the prompt: a stand-in for a generator. It renders one at a time in a separate
 * process, so that neither its load nor a crash affects this one. The API calls this engine `storyboard`.
 */
export function createStoryboardMaker(options: StoryboardOptions = {}): VideoMaker {
  const { withinMs = 15 * 60_000, library = 'node-av', ...size } = options
  const film = { width: 1280, height: 720, seconds: 6, framesPerSecond: 24, library, ...size }
  const closing = new AbortController()
  let inHand: Promise<void> | undefined

  async function make({ prompt, image }: WantedVideo, { target, signal, onProgress }: MakingOptions): Promise<void> {
    const imagePath = image && `${target}.image`
    try {
      if (imagePath) await image.copyTo(imagePath)
      const stops = [signal, closing.signal]
      await render({ ...film, prompt, target, imagePath }, { stops, withinMs, onProgress })
    } finally {
      if (imagePath) await rm(imagePath, { force: true })
    }
  }

  return {
    engine: 'storyboard',
    async advance(video, making) {
      if (inHand) return { isDone: false, askAgainMs: BUSY_ASK_AGAIN_MS }
      inHand = make(video, making).finally(() => {
        inHand = undefined
      })
      await inHand
      return { isDone: true }
    },
    cancel: async () => {},
    async close() {
      closing.abort()
      await inHand?.catch(() => {})
    },
  }
}

interface Watch extends Pick<MakingOptions, 'onProgress'> {
  readonly stops: readonly AbortSignal[]
  readonly withinMs: number
}

async function render(options: RenderOptions, { stops, withinMs, onProgress }: Watch): Promise<void> {
  for (const stop of stops) stop.throwIfAborted()
  const child = startProcess()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = () => child.kill('SIGKILL')
  const timer = setTimeout(kill, withinMs)
  for (const stop of stops) stop.addEventListener('abort', kill)
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: RenderMessage) => {
        if (message.is === 'progress') onProgress(message.progress)
        else if (message.is === 'done') resolve()
        else reject(failure(message))
      })
      child.once('error', (error) => reject(new VideoUnavailable('The renderer did not start', { cause: error })))
      void ended.then(() => reject(new VideoUnavailable('The renderer ended before the film was done')))
      child.send(options)
    })
  } finally {
    clearTimeout(timer)
    for (const stop of stops) stop.removeEventListener('abort', kill)
    kill()
    await ended
  }
}

function failure({ message, isMissing }: Extract<RenderMessage, { is: 'failed' }>): Error {
  if (!isMissing) return new VideoUnavailable(`The renderer failed: ${message}`)
  return new VideoRefused(
    'The built-in renderer is not installed on this server. Its operator installs node-av, or sets VIDEO to a provider.',
  )
}

// It gets no environment, and so none of our secrets.
function startProcess(): ChildProcess {
  const { url, isSource } = findProgram('./render-process.js', import.meta.url)
  const child = fork(fileURLToPath(url), [], {
    env: {},
    execArgv: isSource ? sourceArguments() : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  if (child.pid !== undefined) lowerPriority(child.pid)
  return child
}

// Not every machine allows it, and it is not essential.
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch {}
}
