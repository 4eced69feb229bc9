import { EncoderMissing, encodeVideo, type VideoOptions } from './encode.js'
import { type CardOptions, createTitleCard } from './title-card.js'

export type RenderOptions = CardOptions & VideoOptions

/** What it answers. */
export type RenderMessage =
  | { readonly is: 'progress'; readonly progress: number }
  | { readonly is: 'done' }
  | { readonly is: 'failed'; readonly message: string; readonly isMissing: boolean }

const post = (message: RenderMessage) => process.send?.(message)

// A signal from the terminal reaches this process too; its parent decides when it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('disconnect', () => process.exit(0))
process.once('message', (options: RenderOptions) => {
  render(options).then(
    () => post({ is: 'done' }),
    (error: Error) => post({ is: 'failed', message: error.message, isMissing: error instanceof EncoderMissing }),
  )
})

async function render(options: RenderOptions): Promise<void> {
  let reported = 0
  await encodeVideo(options, await createTitleCard(options), (progress) => {
    if (progress < reported + 5) return
    reported = progress
    post({ is: 'progress', progress })
  })
}
