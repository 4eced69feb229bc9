/** What is left of an allowance after a call. */
export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetAt: Date
}

/** How many calls a time window admits. */
export interface LimitRule {
  readonly limit: number
  readonly windowMs: number
}

/** A wider bucket that a call counts against as well, in windows of the same length. */
export interface Ceiling {
  readonly bucket: string
  readonly limit: number
}

/** Counts calls in windows that begin with the first call; exact under parallel calls. */
export interface Limiter {
  /**
   * Admits a call if the bucket and the ceiling both have room. A refused call is counted in neither. Answers at once where
   * the counter is in this process.
   */
  take(bucket: string, rule: LimitRule, ceiling?: Ceiling): Allowance | Promise<Allowance>
  /** How many calls are left, without making one. */
  remaining(bucket: string, rule: LimitRule, ceiling?: Ceiling): Promise<number>
  /** Whether the shared counter is unavailable, so that each instance counts for itself. */
  isAway(): Promise<boolean>
  close(): Promise<void>
}
