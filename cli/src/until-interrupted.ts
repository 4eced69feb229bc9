import { Interrupted } from './failures.js'
import type { Terminal } from './terminal.js'

/**
 * Runs work that takes long, and gives up on it at Ctrl-C. `known` says what was done by then, so that nobody has to
 * guess what became of it.
 */
export async function untilInterrupted<T>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<T>,
  known: () => string,
): Promise<T> {
  const stop = new AbortController()
  const interrupted = new Promise<never>((_, reject) => {
    stop.signal.addEventListener('abort', () => reject(new Interrupted(known())), { once: true })
  })
  const release = terminal.onInterrupt(() => stop.abort())
  try {
    return await Promise.race([interrupted, work(stop.signal)])
  } finally {
    release()
  }
}
