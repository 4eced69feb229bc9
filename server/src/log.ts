import { type Logger, pino } from 'pino'

const ENOUGH_BYTES = 8_192
const LATEST_MS = 250
/** What waits for a reader that stands still; lines beyond it are dropped. */
const MOST_BYTES = 16 * 1024 * 1024
const WARN = 40

/**
 * The program's log. Every request writes a line, so lines are written some at a time and at most a quarter of a second late:
 * a write for each line costs the program and whoever reads it a tenth of their time. Warnings go at once, with all before them.
 */
export function createLog(level: string): Logger {
  const destination = pino.destination({
    sync: false,
    minLength: ENOUGH_BYTES,
    maxLength: MOST_BYTES,
    periodicFlush: LATEST_MS,
  })
  return pino(
    {
      level,
      hooks: {
        logMethod(args, write, lineLevel) {
          write.apply(this, args)
          if (lineLevel >= WARN) destination.flush()
        },
      },
    },
    destination,
  )
}
