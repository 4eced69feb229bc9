import { createProgressLine, drawBar, type Terminal } from '@rookery/host'
import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.js'
import type { Progress } from './advance.js'

/** Shows the progress of reading old blocks: a bar in a terminal, an occasional log line elsewhere. */
export interface ProgressBar {
  show(progress: Progress): void
}

const LOG_EVERY_MS = 10_000

export function createProgressBar(log: Pick<Logger, 'info'>, clock: Clock, terminal?: Terminal): ProgressBar {
  const now = () => clock.now().getTime()
  const line = createProgressLine({ ...(terminal && { terminal }), plainEveryMs: LOG_EVERY_MS, now })
  let startedAt: number | undefined
  return {
    show({ from, at, to, events }) {
      startedAt ??= now()
      const seconds = Math.max((now() - startedAt) / 1000, 0.001)
      const part = (at - from + 1) / (to - from + 1)
      const perSecond = Math.round(events / seconds)
      const isLast = at === to
      if (isLast) startedAt = undefined
      const left = Math.ceil((seconds / part) * (1 - part))
      line.show({
        text: `Reading the chain ${drawBar(part)} ${Math.floor(part * 100)} %  block ${at}  ${perSecond} events/s  ${left} s left`,
        isLast,
        plain: () => log.info({ block: at, of: to, events, perSecond }, 'reading the chain'),
      })
    },
  }
}
