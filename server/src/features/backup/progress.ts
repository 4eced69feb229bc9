/** Tells the operator what is being done: as one line in a terminal, as a line for each step elsewhere. */
export interface Progress {
  /** Begins a step. Its size in bytes is given where it is known. */
  begin(step: string, totalBytes?: number): void
  add(bytes: number): void
  end(): void
}

const SHOW_EVERY_MS = 100
const WIDTH = 30

export function createProgress(terminal: { isTTY?: boolean; write(text: string): unknown } = process.stderr): Progress {
  let step = ''
  let total = 0
  let done = 0
  let shownAt = 0

  function show(): void {
    const part = Math.min(1, done / total)
    const bar =
      total > 0
        ? ` [${'#'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '.')}] ${sizeText(done)} of ${sizeText(total)}`
        : ''
    terminal.write(`\r\x1b[2K${step} …${bar}`)
  }

  function finish(): void {
    if (!terminal.isTTY || step === '') return
    show()
    terminal.write('\n')
  }

  return {
    begin(name, totalBytes = 0) {
      finish()
      step = name
      total = totalBytes
      done = 0
      shownAt = performance.now()
      if (terminal.isTTY) show()
      else terminal.write(`${step} …\n`)
    },
    add(bytes) {
      done += bytes
      if (!terminal.isTTY || performance.now() - shownAt < SHOW_EVERY_MS) return
      shownAt = performance.now()
      show()
    },
    end() {
      finish()
      step = ''
    },
  }
}

/** A size for people. */
export function sizeText(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  return bytes >= 1e6 ? `${Math.round(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e3)} kB`
}
