import type { Terminal } from './terminal.js'

/** Shows how far long work has come, on stderr: a line that redraws itself for people, an occasional plain line elsewhere. */
export interface Progress {
  /** `part` is between 0 and 1, where it is known. */
  show(text: string, part?: number): void
  end(): void
}

const DRAWN_EVERY_MS = 100
const PLAIN_AFTER_MS = 3_000
const PLAIN_EVERY_MS = 10_000
const BAR_WIDTH = 24
const ERASE_LINE = '\r\u001b[2K'

export function startProgress(terminal: Terminal, now: () => number = () => performance.now()): Progress {
  const { drawsProgress, columns } = terminal
  // Elsewhere, what is over soon is not worth a line.
  let dueAt = drawsProgress ? 0 : now() + PLAIN_AFTER_MS
  let isDrawn = false
  return {
    show(text, part) {
      if (now() < dueAt) return
      dueAt = now() + (drawsProgress ? DRAWN_EVERY_MS : PLAIN_EVERY_MS)
      const percent = part === undefined ? '' : ` ${Math.floor(Math.min(1, part) * 100)} %`
      if (!drawsProgress) return terminal.note(`${text}${percent}\n`)
      const line = part === undefined ? text : `${drawBar(part)}${percent}  ${text}`
      // A line that wraps could not be redrawn.
      terminal.note(`${ERASE_LINE}${line.slice(0, columns - 1)}`)
      isDrawn = true
    },
    end() {
      if (isDrawn) terminal.note(ERASE_LINE)
      isDrawn = false
    },
  }
}

/** Shows a text and the seconds that have passed until the work ends; nothing while there is no text. */
export async function whileShowing<T>(
  terminal: Terminal,
  text: () => string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const progress = startProgress(terminal)
  const startedAt = performance.now()
  const draw = () => {
    const shown = text()
    if (shown !== undefined) progress.show(`${shown} (${Math.round((performance.now() - startedAt) / 1000)} s)`)
  }
  draw()
  const timer = setInterval(draw, 250)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    progress.end()
  }
}

function drawBar(part: number): string {
  const filled = Math.round(Math.min(1, part) * BAR_WIDTH)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
}
