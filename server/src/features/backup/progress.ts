import { createProgressLine, drawBar, type ProgressLine, type Terminal } from '@rookery/host'

/** Shows the operator the current step: as one growing line in a terminal, as a line per step elsewhere. */
export interface Progress {
  /** Begins a step, with its size in bytes where that is known. */
  begin(step: string, totalBytes?: number): void
  add(bytes: number): void
  end(): void
}

export function createProgress(terminal: Terminal = process.stderr): Progress {
  let step = ''
  let total = 0
  let done = 0
  let line = newLine()

  function newLine(): ProgressLine {
    return createProgressLine({ terminal, plainEveryMs: Number.POSITIVE_INFINITY })
  }

  function show(plain: () => void, isLast = false): void {
    const bar = total > 0 ? ` ${drawBar(done / total)} ${sizeText(done)} of ${sizeText(total)}` : ''
    line.show({ text: `${step} …${bar}`, isLast, plain })
  }

  function finish(): void {
    if (step !== '') show(() => {}, true)
    step = ''
  }

  return {
    begin(name, totalBytes = 0) {
      finish()
      step = name
      total = totalBytes
      done = 0
      line = newLine()
      show(() => terminal.write(`${step} …\n`))
    },
    add(bytes) {
      done += bytes
      show(() => {})
    },
    end: finish,
  }
}

/** Formats a size for people. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`
}
