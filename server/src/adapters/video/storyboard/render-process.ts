import { EncoderMissing, encodeFilm } from './encode.js'
import { createFilm, type FilmOptions } from './film.js'

/** What the process is told when it starts. */
export interface RenderOptions extends FilmOptions {
  readonly target: string
  readonly framesPerSecond: number
  readonly library: string
}

/** What it tells. */
export type RenderMessage =
  | { readonly is: 'progress'; readonly progress: number }
  | { readonly is: 'done' }
  | { readonly is: 'failed'; readonly message: string; readonly isMissing: boolean }

// A signal from the terminal reaches this process too; its parent decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
process.once('message', (options: RenderOptions) => {
  render(options).then(
    () => say({ is: 'done' }),
    (error: Error) => say({ is: 'failed', message: error.message, isMissing: error instanceof EncoderMissing }),
  )
})

async function render(options: RenderOptions): Promise<void> {
  const frames = Math.round(options.seconds * options.framesPerSecond)
  let told = 0
  await encodeFilm({
    ...options,
    frames,
    drawFrame: await createFilm(options),
    onFrame(done) {
      const progress = Math.floor((done / frames) * 100)
      if (progress < told + 5) return
      told = progress
      say({ is: 'progress', progress })
    },
  })
}

function say(message: RenderMessage): void {
  process.send?.(message)
}
