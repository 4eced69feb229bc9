import { rmSync, writeFileSync } from 'node:fs'

/** The clock of one program. */
export interface Clock {
  /** The flags that make a program use this clock. */
  readonly nodeFlags: readonly string[]
  /** Sets the clock ahead, or back with a negative number. */
  set(aheadMs: number): void
  heal(): void
}

export function createClock(file: string, notify: () => void): Clock {
  const preload = new URL('./shift-clock.mjs', import.meta.url)
  preload.searchParams.set('file', file)
  return {
    nodeFlags: ['--import', preload.href],
    set(aheadMs) {
      writeFileSync(file, `${aheadMs}`)
      notify()
    },
    heal() {
      rmSync(file, { force: true })
      notify()
    },
  }
}
