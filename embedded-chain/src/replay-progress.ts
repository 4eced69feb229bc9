import { createProgressLine } from '@rookery/host'
import type { ChainLog } from './chain-log.js'

const WORTH_SHOWING_FROM = 500
const LOG_EVERY_PERCENT = 20

/** Shows the progress of the replay: one line in a terminal, a few log lines elsewhere. */
export function createReplayProgress(log: Pick<ChainLog, 'info'>): { show(replayed: number, total: number): void } {
  const line = createProgressLine({ plainEveryMs: 0 })
  let logged = 0
  return {
    show(replayed, total) {
      if (total < WORTH_SHOWING_FROM) return
      const percent = Math.floor((replayed / total) * 100)
      const isLast = replayed === total
      const plain = () => {
        if (percent - logged < LOG_EVERY_PERCENT && !isLast) return
        logged = percent
        log.info({ replayed, total }, 'replaying the chain')
      }
      line.show({ text: `Replaying the chain: ${replayed} of ${total} transactions (${percent} %)`, isLast, plain })
    },
  }
}
