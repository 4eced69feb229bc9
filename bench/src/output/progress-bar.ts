/** Shows how far a long piece of work has come. */
export interface ProgressBar {
  /** `done` of `total`, of the part called `label`. */
  update(label: string, done: number, total: number): void
  /** Ends the line of a part. */
  finish(label: string, note: string): void
}

/** Shows nothing. */
export const silentBar: ProgressBar = { update: () => {}, finish: () => {} }

const WIDTH = 30
const PLAIN_EVERY_MS = 10_000

/** A bar that is drawn over itself on a terminal; elsewhere a plain line now and then. */
export function createProgressBar(out: NodeJS.WriteStream = process.stdout): ProgressBar {
  const startedAt = performance.now()
  let plainAt = Number.NEGATIVE_INFINITY

  function line(label: string, done: number, total: number): string {
    const part = total === 0 ? 1 : Math.min(1, done / total)
    const filled = Math.round(part * WIDTH)
    const bar = `[${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}]`
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    const numbers = `${done.toLocaleString('en')} / ${total.toLocaleString('en')}`
    return `${label.padEnd(18)} ${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${numbers}  ${seconds} s`
  }

  return {
    update(label, done, total) {
      if (out.isTTY) {
        out.write(`\r\u001b[2K${line(label, done, total).slice(0, (out.columns ?? 120) - 1)}`)
        return
      }
      if (performance.now() - plainAt < PLAIN_EVERY_MS) return
      plainAt = performance.now()
      out.write(`${line(label, done, total)}\n`)
    },
    finish(label, note) {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      out.write(`${out.isTTY ? '\r\u001b[2K' : ''}${label.padEnd(18)} ${note}  ${seconds} s\n`)
    },
  }
}
