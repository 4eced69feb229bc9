/** A task that is requested more often than it has to run. */
export interface PacedTask {
  /** Starts a run now, or after the current run and its pause. */
  request(): void
  stop(): Promise<void>
}

const RETRY_MS = 1_000

/**
 * Runs `work` on request, one run at a time. `work` returns how many milliseconds to pause afterwards; all requests during
 * a run and its pause lead to one more run. A failed run is repeated.
 */
export function createPacedTask(work: () => Promise<number>, onError: (error: Error) => void): PacedTask {
  let isRequested = false
  let isStopped = false
  let running: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined

  async function run(): Promise<void> {
    isRequested = false
    const pauseMs = await work().catch((error: Error) => {
      onError(error)
      isRequested = true
      return RETRY_MS
    })
    running = undefined
    if (isStopped) return
    pause = setTimeout(() => {
      pause = undefined
      if (isRequested) begin()
    }, pauseMs)
  }

  function begin(): void {
    if (!running && !pause && !isStopped) running = run()
  }

  return {
    request() {
      isRequested = true
      begin()
    },
    async stop() {
      isStopped = true
      clearTimeout(pause)
      await running
    },
  }
}
