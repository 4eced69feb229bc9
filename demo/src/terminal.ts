import type { RookeryError } from '@rookery/sdk'
import type { Act, NumberedAct } from './acts.js'

const WIDTH = 30
const PLAIN_EVERY = 100

/** Reports progress on the terminal: a bar during the opening, then a line per act. */
export function createReporter(opening: number, out: NodeJS.WriteStream) {
  return (act: NumberedAct, refusal?: RookeryError): void => {
    if (act.number < opening) showOpening(out, act.number + 1, opening)
    else showAct(out, act, refusal)
  }
}

function showOpening(out: NodeJS.WriteStream, done: number, total: number): void {
  const filled = Math.round((done / total) * WIDTH)
  const bar = `[${'='.repeat(filled)}${' '.repeat(WIDTH - filled)}]`
  const line = `Waking the rookery ${bar} ${String(Math.floor((done / total) * 100)).padStart(3)} %  ${done} / ${total}`
  if (out.isTTY) out.write(`\r\u001b[2K${line}${done === total ? '\n' : ''}`)
  else if (done % PLAIN_EVERY === 0 || done === total) out.write(`${line}\n`)
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
