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

/** Counts calls in windows that begin with the first call; exact under parallel calls. */
export interface Limiter {
  take(bucket: string, rule: LimitRule): Promise<Allowance>
  /** How many calls are left, without making one. */
  remaining(bucket: string, rule: LimitRule): Promise<number>
  /** Whether the shared counter is unavailable, so that each instance counts for itself. */
  isAway(): Promise<boolean>
  close(): Promise<void>
}
