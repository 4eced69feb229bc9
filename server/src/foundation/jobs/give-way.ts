import { setTimeout as delay } from 'node:timers/promises'

/** How many requests this process has received; zero in a process that serves none. */
export interface Traffic {
  readonly requests: number
  count(): void
}

export function createTraffic(): Traffic {
  let requests = 0
  return {
    get requests() {
      return requests
    },
    count() {
      requests++
    },
  }
}

/** The pace of one lane. */
export interface Pace {
  /** Waits while the lanes have to rest. Work begins when it resolves. */
  begin(): Promise<void>
  end(): void
  /** Waits for something that does not slow down requests. The time does not count as work. */
  aside<T>(waiting: Promise<T>): Promise<T>
}

// Background work takes a fifth of the time while many requests come in.
const REST_PER_WORK = 4
// A few, such as those of a monitor, slow it down only a little.
const REST_PER_REQUEST_MS = 40
// A long piece of work must not hold up the jobs behind it for minutes.
const LONGEST_REST_MS = 1_000

interface GiveWayOptions {
  readonly traffic: Pick<Traffic, 'requests'>
  /** Ends a rest early. */
  readonly signal?: AbortSignal
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * Slows background work down while requests are served. If requests arrive during a piece of work, a rest follows that is
 * proportional to their number and limited by the time the work took. All lanes of a group share it.
 */
export function createGiveWay({ traffic, signal, now = () => performance.now(), sleep }: GiveWayOptions): () => Pace {
  const pause = sleep ?? ((ms: number) => delay(ms, undefined, signal && { signal }).catch(() => {}))
  let restUntil = Number.NEGATIVE_INFINITY
  return () => {
    let startedAt = 0
    let requestsBefore = 0
    return {
      async begin() {
        // Wait only once: other lanes may extend the rest meanwhile, and each lane must get its turn.
        const rest = restUntil - now()
        if (rest > 0) await pause(rest)
        startedAt = now()
        requestsBefore = traffic.requests
      },
      end() {
        if (traffic.requests === requestsBefore) return
        const rest = Math.min(
          (now() - startedAt) * REST_PER_WORK,
          (traffic.requests - requestsBefore) * REST_PER_REQUEST_MS,
          LONGEST_REST_MS,
        )
        restUntil = Math.max(restUntil, now()) + rest
      },
      async aside(waiting) {
        const [since, requests] = [now(), traffic.requests]
        try {
          return await waiting
        } finally {
          startedAt += now() - since
          requestsBefore += traffic.requests - requests
        }
      },
    }
  }
}
