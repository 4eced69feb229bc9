import { setTimeout as delay } from 'node:timers/promises'

/** How many requests this process was sent. None where it serves none. */
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
  /** Waits while the lanes have to rest. A piece of work begins when it returns. */
  begin(): Promise<void>
  /** The piece of work is done. */
  end(): void
  /** Waits for something that takes nothing away from requests. Its time does not count as work. */
  aside<T>(waiting: Promise<T>): Promise<T>
}

// Background work takes a fifth of the time while many requests come in.
const REST_PER_WORK = 4
// A few, such as those of a monitor, slow it down only a little.
const REST_PER_REQUEST_MS = 40
// A long piece of work does not keep what waits behind it for minutes.
const LONGEST_REST_MS = 1_000

interface GiveWayOptions {
  readonly traffic: Pick<Traffic, 'requests'>
  /** Ends a rest early. */
  readonly signal?: AbortSignal
  readonly now?: () => number
  readonly sleep?: (ms: number) => Promise<unknown>
}

/**
 * Lets background work stand back while requests are served. Each piece of work that requests arrived during is followed
 * by a rest in proportion to their number and at most to what the work took, shared by all lanes of one group; without
 * requests there is none.
 */
export function createGiveWay({ traffic, signal, now = () => performance.now(), sleep }: GiveWayOptions): () => Pace {
  const pause = sleep ?? ((ms: number) => delay(ms, undefined, signal && { signal }).catch(() => {}))
  let restUntil = Number.NEGATIVE_INFINITY
  return () => {
    let startedAt = 0
    let requestsBefore = 0
    return {
      async begin() {
        // Once: however many lanes add to the rest meanwhile, each gets its turn.
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
