import { type Logger, pino } from 'pino'

const ENOUGH_BYTES = 8_192
const LATEST_MS = 250
/** What waits for a reader that stands still; lines beyond it are dropped. */
const MOST_BYTES = 16 * 1024 * 1024
const WARN = 40

/**
 * The program's log. Lines are written in the background, some at a time and at most a quarter of a second late, so that the
 * service does not stand still with whoever reads its log. Warnings go at once, with all lines before them.
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
