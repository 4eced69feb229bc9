/** The part of a stream such as process.stderr that a progress line needs. */
export interface Terminal {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows the progress of long work: a line that redraws itself in a terminal, an occasional plain line elsewhere. */
export interface ProgressLine {
  /** The last line is always shown and stays. Without a terminal, `plain` replaces the text. */
  show(line: { readonly text: string; readonly isLast?: boolean; readonly plain?: () => void }): void
}

export interface ProgressLineOptions {
  readonly terminal?: Terminal
  /** The minimum time between two lines without a terminal. */
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
      // A line that wraps could not be redrawn.
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
