import { createProgressLine, drawBar, type ProgressLine } from '@rookery/host'
import type { RookeryError } from '@rookery/sdk'
import type { Act, NumberedAct } from './acts.js'
import { openingLength, type ScriptOptions } from './script.js'

const PLAIN_EVERY_MS = 2_000
const WEEK_MINUTES = 7 * 24 * 60

/** Reports progress on the terminal: a bar during the past and the opening, then a line per act. */
export function createReporter(script: ScriptOptions, out: NodeJS.WriteStream) {
  const line = createProgressLine({ terminal: out, plainEveryMs: PLAIN_EVERY_MS })
  const opening = openingLength(script)
  const { pastMinutes } = script
  return (act: NumberedAct, refusal?: RookeryError): void => {
    if (act.minute !== undefined) showPast(line, act.minute, pastMinutes)
    else if (act.number < opening) showOpening(line, act.number + 1, opening)
    else showAct(out, act, refusal)
  }
}

function showPast(line: ProgressLine, minute: number, minutes: number): void {
  const weeks = Math.max(1, Math.floor(minutes / WEEK_MINUTES))
  const week = Math.min(weeks, Math.floor(minute / WEEK_MINUTES) + 1)
  const text = `Telling ${weeks === 1 ? 'the last week' : `the last ${weeks} weeks`} ${bar(minute / minutes)}  week ${week} of ${weeks}`
  line.show({ text, isLast: false })
}

function showOpening(line: ProgressLine, done: number, total: number): void {
  line.show({ text: `Waking the rookery ${bar(done / total)}  ${done} / ${total}`, isLast: done === total })
}

function bar(part: number): string {
  return `${drawBar(part)} ${String(Math.floor(part * 100)).padStart(3)} %`
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
    case 'transfer':
      return `gives ${shares(act.amount)} of @${act.whom} to ${act.to}`
    case 'fund':
      return 'fills its wallet'
    case 'collect':
      return 'collects its fees'
    case 'freeze':
      return 'is frozen by its owner'
  }
}

function shares(amount: number): string {
  return amount === 1 ? 'a share' : `${amount} shares`
}
