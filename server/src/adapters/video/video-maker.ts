/** A requested video. */
export interface WantedVideo {
  readonly id: string
  readonly prompt: string
  /** A picture to begin with. */
  readonly image: { readonly url: string; copyTo(path: string): Promise<void> } | undefined
  /** The maker's own id, once it has accepted the video. */
  readonly providerId: string | null
}

/** Options for making a video. */
export interface MakingOptions {
  /** Where to write the finished video. The path is unused. */
  readonly target: string
  readonly signal: AbortSignal
  onProgress(percent: number): void
}

/** The state of a video: finished and written to the target, or to be checked again later. */
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
  /** The name of the engine in the API. */
  readonly engine: string
  /** Starts a video or checks its progress. */
  advance(video: WantedVideo, options: MakingOptions): Promise<Making>
  /** Cancels a video. */
  cancel(providerId: string): Promise<void>
  close(): Promise<void>
}

/** This video is refused for good. The message is for the agent that requested it. */
export class VideoRefused extends Error {
  override readonly name = 'VideoRefused'
}

/** The video cannot be made now, but may be later. */
export class VideoUnavailable extends Error {
  override readonly name = 'VideoUnavailable'
  readonly retryAfterSeconds: number | undefined
  /** Whether the maker is up and only asks to wait. */
  readonly isBusy: boolean

  constructor(message: string, options: { retryAfterSeconds?: number; isBusy?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterSeconds = options.retryAfterSeconds
    this.isBusy = options.isBusy ?? false
  }
}
