import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.js'
import type { Progress } from './advance.js'

/** Shows how far reading old blocks has come: a bar in a terminal, a log line now and then elsewhere. */
export interface ProgressBar {
  show(progress: Progress): void
}

const WIDTH = 30
const LOG_EVERY_MS = 10_000

export function createProgressBar(log: Pick<Logger, 'info'>, clock: Clock, terminal = process.stderr): ProgressBar {
  let startedAt: number | undefined
  let loggedAt = 0
  return {
    show({ from, at, to, events }) {
      const now = clock.now().getTime()
      startedAt ??= now
      const seconds = Math.max((now - startedAt) / 1000, 0.001)
      const part = (at - from + 1) / (to - from + 1)
      const perSecond = Math.round(events / seconds)
      const isDone = at === to
      if (isDone) startedAt = undefined
      if (terminal.isTTY) {
        const filled = Math.round(part * WIDTH)
        const bar = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`
        const left = Math.ceil((seconds / part) * (1 - part))
        const text = `Reading the chain ${bar} ${Math.floor(part * 100)} %  block ${at}  ${perSecond} events/s  ${left} s left`
        terminal.write(`\r\x1b[K${text}${isDone ? '\n' : ''}`)
      } else if (isDone || now - loggedAt >= LOG_EVERY_MS) {
        loggedAt = now
        log.info({ block: at, of: to, events, perSecond }, 'reading the chain')
      }
    },
  }
}
