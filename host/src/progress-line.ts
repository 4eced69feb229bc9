/** What a progress line needs of a stream such as process.stderr. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows how far a long piece of work has come: drawn over itself in a terminal, a plain line now and then elsewhere. */
export interface ProgressLine {
  /** The last one is always shown, and stays. `plain` takes the place of the text where there is no terminal. */
  show(line: { readonly text: string; readonly isLast?: boolean; readonly plain?: () => void }): void
}

export interface ProgressLineOptions {
  readonly terminal?: Terminal
  /** The least time between two lines where there is no terminal. */
  readonly plainEveryMs: number
  readonly now?: () => number
}

const DRAWN_EVERY_MS = 100
const WIDTH = 30

export function createProgressLine(options: ProgressLineOptions): ProgressLine {
  const { terminal = process.stderr, plainEveryMs, now = () => performance.now() } = options
  const everyMs = terminal.isTTY ? DRAWN_EVERY_MS : plainEveryMs
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    show({ text, isLast = false, plain = () => terminal.write(`${text}\n`) }) {
      if (!isLast && now() - shownAt < everyMs) return
      shownAt = now()
      if (!terminal.isTTY) return void plain()
      // A line that wraps could not be drawn over.
      const fitting = text.slice(0, (terminal.columns ?? Number.POSITIVE_INFINITY) - 1)
      terminal.write(`\r\x1b[2K${fitting}${isLast ? '\n' : ''}`)
    },
  }
}

/** A bar that is filled up to a part between 0 and 1. */
export function drawBar(part: number): string {
  const filled = Math.round(Math.min(1, part) * WIDTH)
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
}
