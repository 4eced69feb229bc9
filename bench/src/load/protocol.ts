export interface LoadTask {
  readonly host: string
  readonly port: number
  /** All requests, concatenated, and where each ends. */
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** Whether to send each request once; otherwise they repeat from the first. */
  readonly isOnce: boolean
  /** The status that each request has to be answered with. */
  readonly statuses: Uint16Array
  readonly connections: number
  readonly seconds: number
}

export interface LoadResult {
  /** Answers within the time, and how long that was. */
  readonly answered: number
  readonly seconds: number
  /** All answers, including those in flight at the end. */
  readonly total: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** CPU time of the generator itself. */
  readonly cpuSeconds: number
}

export type LoadReply = { readonly result: LoadResult } | { readonly error: string }
