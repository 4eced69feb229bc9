import { rmSync, writeFileSync } from 'node:fs'

/** The clock of one program. */
export interface Clock {
  /** Lets the program be started with it. */
  readonly nodeFlags: readonly string[]
  /** Sets it so much ahead, or back with less than 0. */
  set(aheadMs: number): void
  /** Sets it right. */
  heal(): void
}

export function createClock(file: string, tell: () => void): Clock {
  const preload = new URL('./shift-clock.mjs', import.meta.url)
  preload.searchParams.set('file', file)
  return {
    nodeFlags: ['--import', preload.href],
    set(aheadMs) {
      writeFileSync(file, `${aheadMs}`)
      tell()
    },
    heal() {
      rmSync(file, { force: true })
      tell()
    },
  }
}
