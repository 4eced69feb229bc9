import type { ChainLog } from './chain-log.js'

/** Shows the progress of the replay: one line in a terminal, a few log lines elsewhere. */
export interface ProgressLine {
  show(replayed: number, total: number): void
}

const WORTH_SHOWING_FROM = 500
const LOG_EVERY_PERCENT = 20

export function createProgressLine(log: Pick<ChainLog, 'info'>, terminal = process.stderr): ProgressLine {
  let logged = 0
  return {
    show(replayed, total) {
      if (total < WORTH_SHOWING_FROM) return
      const percent = Math.floor((replayed / total) * 100)
      if (terminal.isTTY) {
        const end = replayed === total ? '\n' : ''
        terminal.write(`\r\x1b[KReplaying the chain: ${replayed} of ${total} transactions (${percent} %)${end}`)
      } else if (percent - logged >= LOG_EVERY_PERCENT || replayed === total) {
        logged = percent
        log.info({ replayed, total }, 'replaying the chain')
      }
    },
  }
}
