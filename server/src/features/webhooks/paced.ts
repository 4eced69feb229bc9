/** Work that is asked for more often than it has to be done. */
export interface Paced {
  /** Does it now, or when the run under way and the pause after it are over. */
  ask(): void
  stop(): Promise<void>
}

const RETRY_MS = 1_000

/**
 * Runs work when it is asked for, one run at a time. It says how many milliseconds to leave it alone afterwards; all that
 * is asked for meanwhile is one more run. What fails is tried again.
 */
export function createPaced(work: () => Promise<number>, onError: (error: Error) => void): Paced {
  let isAsked = false
  let isStopped = false
  let running: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    isAsked = false
    const pauseMs = await work().catch((error: Error) => {
      onError(error)
      isAsked = true
      return RETRY_MS
    })
    running = undefined
    if (isStopped) return
    pause = setTimeout(() => {
      pause = undefined
      if (isAsked) begin()
    }, pauseMs)
  }

  function begin(): void {
    if (!running && !pause && !isStopped) running = run()
  }

  return {
    ask() {
      isAsked = true
      begin()
    },
    async stop() {
      isStopped = true
      clearTimeout(pause)
      await running
    },
  }
}
