import { createProgressLine, drawBar } from '@rookery/host'

/** Shows the progress of long work. */
export interface ProgressBar {
  /** `done` of `total`, of the part called `label`. */
  update(label: string, done: number, total: number): void
  /** Ends the line of a part. */
  finish(label: string, note: string): void
}

/** Shows nothing. */
export const silentBar: ProgressBar = { update: () => {}, finish: () => {} }

const PLAIN_EVERY_MS = 10_000

/** A progress bar on a terminal; elsewhere an occasional plain line. */
export function createProgressBar(): ProgressBar {
  const line = createProgressLine({ terminal: process.stdout, plainEveryMs: PLAIN_EVERY_MS })
  const startedAt = performance.now()
  const seconds = (digits: number) => ((performance.now() - startedAt) / 1000).toFixed(digits)
  return {
    update(label, done, total) {
      const part = total === 0 ? 1 : Math.min(1, done / total)
      const percent = String(Math.floor(part * 100)).padStart(3)
      const numbers = `${done.toLocaleString('en')} / ${total.toLocaleString('en')}`
      line.show({ text: `${label.padEnd(18)} ${drawBar(part)} ${percent} %  ${numbers}  ${seconds(0)} s` })
    },
    finish: (label, note) => line.show({ text: `${label.padEnd(18)} ${note}  ${seconds(1)} s`, isLast: true }),
  }
}
