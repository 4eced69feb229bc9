/** What is left of an allowance after a call. */
export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetAt: Date
}

/** Counts calls in windows that begin with the first call. Exact under parallel calls. */
export interface Limiter {
  take(bucket: string, rule: { limit: number; windowMs: number }): Promise<Allowance>
  close(): Promise<void>
}
