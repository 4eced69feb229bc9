/** A wait that somebody else may end early. */
export interface Pause {
  wait(ms: number): Promise<void>
  end(): void
}

export function createPause(): Pause {
  let isOver = false
  let wake = () => {}
  return {
    async wait(ms) {
      if (isOver || ms === 0) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    end() {
      isOver = true
      wake()
    },
  }
}
