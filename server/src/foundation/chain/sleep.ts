/** An interruptible sleep. */
export interface Sleep {
  for(ms: number): Promise<void>
  /** Ends the current sleep, or the next one. */
  wake(): void
}

export function createSleep(): Sleep {
  let awake = false
  let end: (() => void) | undefined
  return {
    for(ms) {
      if (awake) {
        awake = false
        return Promise.resolve()
      }
      return new Promise((resolve) => {
        const timer = setTimeout(done, ms)
        function done(): void {
          clearTimeout(timer)
          end = undefined
          resolve()
        }
        end = done
      })
    },
    wake() {
      if (end) end()
      else awake = true
    },
  }
}
