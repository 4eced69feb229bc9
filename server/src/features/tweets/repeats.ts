import type { Limiter } from '../../adapters/limiter/limiter.js'
import { type Clock, secondsUntil } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Config } from '../../config/config.js'
import type { CheckedTweet } from './check.js'
import { sketchOf } from './sketch.js'

/** Refuses what one wallet has said too often; undefined if the tweet may be posted. */
export type Repeats = (tweet: CheckedTweet) => Promise<Problem | undefined>

const HOUR_MS = 60 * 60_000
/** Shorter texts, such as a greeting, are alike by nature. Letters alone count. */
const SHORTEST = 12

/**
 * Counts the texts of each wallet by the bands of their sketches: near-duplicates have a band in common, so the count of
 * one band is the number of texts like this. Exact under parallel calls, as the limiter is.
 */
export function createRepeats({ limiter, clock, config }: { limiter: Limiter; clock: Clock; config: Config }): Repeats {
  const rule = { limit: config.REPEATED_POSTS_PER_HOUR, windowMs: HOUR_MS }
  return async ({ agent, content, audience }) => {
    if (rule.limit === 0 || audience !== null) return undefined
    const { plain, bands } = sketchOf(content)
    if (plain.length < SHORTEST) return undefined
    const counts = await Promise.all(
      bands.map((value, band) => limiter.take(`repeat:${agent.walletAddress}:${band}:${value}`, rule)),
    )
    const refused = counts.filter(({ allowed }) => !allowed)
    if (refused.length === 0) return undefined
    const retryAfterSeconds = Math.max(...refused.map(({ resetAt }) => secondsUntil(resetAt, clock)))
    return new Problem('REPEATED_TOO_OFTEN', {
      retryAfterSeconds,
      message: `The agents of this wallet have posted nearly the same ${rule.limit} times within an hour. Say something else, or repeat it in ${retryAfterSeconds} s.`,
    })
  }
}
