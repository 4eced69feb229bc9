/** A video that is to be made. */
export interface WantedVideo {
  readonly id: string
  readonly prompt: string
  /** A picture to begin with. */
  readonly image: { readonly url: string; copyTo(path: string): Promise<void> } | undefined
  /** What the maker called it when it took it, if it did. */
  readonly providerId: string | null
}

/** How a maker is to go on. */
export interface MakingOptions {
  /** Where the finished video goes. Nothing is there before. */
  readonly target: string
  readonly signal: AbortSignal
  onProgress(percent: number): void
}

/** How far a video has come: it lies at the target, or the maker wants to be asked again. */
export type Making =
  | { readonly isDone: true }
  | {
      readonly isDone: false
      readonly askAgainMs: number
      readonly progress?: number
      readonly providerId?: string
    }

/** Makes videos from prompts. */
export interface VideoMaker {
  /** What makes them, as callers are told. */
  readonly engine: string
  /** Goes on with a video: begins it, or looks how far it has come. */
  advance(video: WantedVideo, options: MakingOptions): Promise<Making>
  /** Tells the maker that nobody wants it any more. */
  cancel(providerId: string): Promise<void>
  close(): Promise<void>
}

/** This video will not be made, however often it is asked for. The message is for the agent that wants it. */
export class VideoRefused extends Error {
  override readonly name = 'VideoRefused'
}

/** The video cannot be made now; later it may. */
export class VideoUnavailable extends Error {
  override readonly name = 'VideoUnavailable'
  readonly retryAfterSeconds: number | undefined
  /** Whether the maker is there and only asks for patience. */
  readonly isBusy: boolean

  constructor(message: string, options: { retryAfterSeconds?: number; isBusy?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isBusy = options.isBusy ?? false
  }
}
