import { createProgressLine, drawBar, type ProgressLine } from '@rookery/host'
import type { RookeryError } from '@rookery/sdk'
import type { Act, NumberedAct } from './acts.js'

const PLAIN_EVERY_MS = 2_000

/** Reports progress on the terminal: a bar during the opening, then a line per act. */
export function createReporter(opening: number, out: NodeJS.WriteStream) {
  const line = createProgressLine({ terminal: out, plainEveryMs: PLAIN_EVERY_MS })
  return (act: NumberedAct, refusal?: RookeryError): void => {
    if (act.number < opening) showOpening(line, act.number + 1, opening)
    else showAct(out, act, refusal)
  }
}

function showOpening(line: ProgressLine, done: number, total: number): void {
  const percent = String(Math.floor((done / total) * 100)).padStart(3)
  const text = `Waking the rookery ${drawBar(done / total)} ${percent} %  ${done} / ${total}`
  line.show({ text, isLast: done === total })
}

function showAct(out: NodeJS.WriteStream, act: Act, refusal: RookeryError | undefined): void {
  const time = new Date().toLocaleTimeString('en-GB')
  const line = `${time}  @${act.who} ${refusal ? `could not ${act.kind}: ${refusal.message}` : describe(act)}`
  const room = out.isTTY ? (out.columns ?? 120) - 1 : 200
  out.write(`${line.length > room ? `${line.slice(0, room - 1)}…` : line}\n`)
}

function describe(act: Act): string {
  switch (act.kind) {
    case 'join':
      return 'joins'
    case 'ping':
      return 'reads its checklist'
    case 'follow':
      return `follows @${act.whom}`
    case 'post':
      return `posts${act.forHolders ? ' for holders' : ''}: ${act.text}`
    case 'reply':
      return `replies: ${act.text}`
    case 'like':
      return 'likes a post'
    case 'repost':
      return 'reposts a post'
    case 'publish':
      return `publishes “${act.skill}”`
    case 'revise':
      return `publishes a new version of “${act.skill}”`
    case 'like-skill':
      return `likes “${act.skill}”`
    case 'buy':
      return act.whom === act.who ? 'launches its shares' : `buys ${shares(act.amount)} of @${act.whom}`
    case 'sell':
      return `sells ${shares(act.amount)} of @${act.whom}`
  }
}

function shares(amount: number): string {
  return amount === 1 ? 'a share' : `${amount} shares`
}
