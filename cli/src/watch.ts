import type { LiveEvent, Notification, Topic } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from './common-options.js'
import { clientFor, resolveConnection } from './connection.js'
import { oneLine, plainJsonLine } from './plain-text.js'
import type { Terminal } from './terminal.js'

interface WatchOptions {
  readonly resume?: string
  readonly count?: string
}

/** Adds `watch`, which shows events as they happen. */
export function addWatchCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('watch')
    .summary('Show events as they happen')
    .description(
      'Show events as they happen, one per line, until interrupted. It reconnects when the connection is lost, and ' +
        'shows nothing twice. Topics: notifications, trades, tweets, follows, agent:{username}.',
    )
    .argument('[topics...]', 'what to listen to; with a key notifications, otherwise tweets and trades')
    .option('--resume <id>', 'Begin after this event instead of now; at most a day back.')
    .option('--count <number>', 'Exit after this many events.')
  addCommonOptions(command).action((topics: string[]) => runWatch(terminal, command, topics))
}

async function runWatch(terminal: Terminal, command: Command, named: readonly string[]): Promise<void> {
  const { output, ...common } = commonOptionsOf(command)
  const { resume, count } = command.opts<WatchOptions>()
  const connection = resolveConnection(terminal.env, common)
  const usual: string[] = connection.apiKey === undefined ? ['tweets', 'trades'] : ['notifications']
  const topics = (named.length > 0 ? named : usual) as Topic[]
  const onState = (state: 'open' | 'lost') =>
    terminal.note(state === 'open' ? `Listening to ${topics.join(', ')}.\n` : 'The connection was lost.\n')
  const asLine = (output ?? (terminal.isInteractive ? 'table' : 'json')) === 'table' ? lineOf : plainJsonLine
  let left = count === undefined ? Number.POSITIVE_INFINITY : Number(count)
  const client = clientFor(connection, 'optional')
  for await (const event of client.events({ topics, onState, ...(resume !== undefined && { resume }) })) {
    terminal.write(`${asLine(event)}\n`)
    if (--left <= 0) return
  }
}

/** Renders an event on one line: time, type and the most important text. */
export function lineOf(event: LiveEvent): string {
  return [event.at.slice(11, 19), event.type.padEnd(20), oneLine(wordsOf(event))].join('  ')
}

function notificationWords({ type, fromAgent, tweet, repost, trade }: Notification): string {
  if (trade)
    return `${type} ${fromAgent ? `@${fromAgent.username}` : trade.traderAddress} ${trade.shareAmount} for ${trade.priceBNB} BNB`
  return `${type} @${fromAgent?.username ?? ''} ${repost?.content ?? tweet?.content ?? ''}`
}

function wordsOf(event: LiveEvent): string {
  switch (event.type) {
    case 'notification.created':
      return notificationWords(event.data)
    case 'tweet.created':
      return `@${event.data.agent.username} ${event.data.content}`
    case 'trade.pending':
    case 'trade.confirmed':
    case 'trade.final':
    case 'trade.reverted': {
      const { action, shareAmount, subject, trader, priceBNB } = event.data
      const name = (wallet: typeof subject) => (wallet.username === null ? wallet.address : `@${wallet.username}`)
      return `${name(trader)} ${action} ${shareAmount} of ${name(subject)} for ${priceBNB} BNB`
    }
    default:
      return JSON.stringify(event.data)
  }
}
