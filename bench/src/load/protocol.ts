/** What the generator is asked to do. */
export interface LoadTask {
  readonly host: string
  readonly port: number
  /** All requests, one after the other, and where each ends. */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** Each request is sent once; without it they are repeated from the first. */
  readonly isOnce: boolean
  /** The status of every answer. */
  readonly expectedStatus: number
  readonly connections: number
  readonly seconds: number
}

/** What a run of requests came to. */
export interface LoadResult {
  /** Answers within the time, and how long that was. */
  readonly answered: number
  readonly seconds: number
  /** All answers, those on their way at the end included. */
  readonly total: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** CPU time of the generator itself. */
  readonly cpuSeconds: number
}

export type LoadReply = { readonly result: LoadResult } | { readonly error: string }
