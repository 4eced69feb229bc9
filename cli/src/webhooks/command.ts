import { type Client, type EventType, RookeryError, type Topic } from '@rookery/sdk'
import type { Command } from 'commander'
import { addCommonOptions, commonOptionsOf } from '../common-options.js'
import { checkUrl, clientFor, resolveConnection } from '../connection.js'
import { UsageError } from '../failures.js'
import { oneLine, plainJsonLine } from '../plain-text.js'
import type { Terminal } from '../terminal.js'
import { lineOf } from '../watch.js'
import { type Delivery, type Receiver, startReceiver } from './receiver.js'

interface ListenOptions {
  readonly type?: string[]
  readonly forward?: string
  readonly port: string
  readonly publicUrl?: string
  readonly count?: string
  readonly ping?: boolean
}

/** Adds `webhooks listen`, which shows what a webhook would receive, on this machine. */
export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhooks = program.command('webhooks').description('Try webhooks on this machine')
  const listen = webhooks
    .command('listen')
    .summary('Show deliveries as they come')
    .description(
      'Register a temporary webhook that leads to this machine, check and show each delivery, and remove the webhook ' +
        'at the end. The service must be able to reach this machine: it runs here and allows loopback addresses, or ' +
        '--public-url names a tunnel that leads to --port.',
    )
    .argument('[topics...]', 'notifications (the default), trades, tweets, follows or agent:{username}')
    .option('--type <type...>', 'Only these types of events.')
    .option('--forward <url>', 'Pass each delivery on, signed as it is; the answer decides whether it is repeated.')
    .option('--port <port>', 'Port to listen on; 0 takes a free one.', '0')
    .option('--public-url <url>', 'Public https address of a tunnel to this port.')
    .option('--ping', 'Have a test event delivered first.')
    .option('--count <number>', 'Exit after this many deliveries.')
  addCommonOptions(listen).action((topics: string[]) => runListen(terminal, listen, topics))
}

async function runListen(terminal: Terminal, command: Command, topics: readonly string[]): Promise<void> {
  const options = command.opts<ListenOptions>()
  const { output, ...common } = commonOptionsOf(command)
  const client = clientFor(resolveConnection(terminal.env, common), 'agent')
  const asTable = (output ?? (terminal.isInteractive ? 'table' : 'json')) === 'table'
  const ended = waiting()
  let left = options.count === undefined ? Number.POSITIVE_INFINITY : wholeNumber(options.count)
  const receiver = await startReceiver({
    port: wholeNumber(options.port),
    onRefused: (reason) => terminal.note(`A delivery was refused: ${oneLine(reason)}\n`),
    onDelivery: async (delivery) => {
      const forwarded = options.forward === undefined ? undefined : await forward(checkUrl(options.forward), delivery)
      terminal.write(
        `${asTable ? lineOf(delivery.event) : plainJsonLine({ ...delivery.event, deliveryId: delivery.id })}\n`,
      )
      if (forwarded !== undefined) terminal.note(`  forwarded: ${forwarded.text}\n`)
      if (--left <= 0) setImmediate(ended.resolve)
      return forwarded?.status ?? 200
    },
  })
  try {
    await listenUntil(terminal, client, { ...options, topics, receiver, ended })
  } finally {
    await receiver.close()
  }
}

interface Listening extends ListenOptions {
  readonly topics: readonly string[]
  readonly receiver: Receiver
  readonly ended: ReturnType<typeof waiting>
}

async function listenUntil(terminal: Terminal, client: Client, listening: Listening): Promise<void> {
  const { receiver, ended, topics, type, publicUrl } = listening
  const url = publicUrl ?? `http://127.0.0.1:${receiver.port}/`
  // Before the webhook exists, so that Ctrl-C leaves none behind.
  const release = terminal.onInterrupt(ended.resolve)
  const { webhook, secret } = await register(client, {
    url,
    description: 'rookery webhooks listen',
    topics: (topics.length > 0 ? topics : ['notifications']) as Topic[],
    ...(type !== undefined && { eventTypes: type as EventType[] }),
  })
  try {
    receiver.trust(secret)
    terminal.note(`Listening at ${url} to ${webhook.topics.join(', ')}. Ctrl-C ends it and removes the webhook.\n`)
    if (listening.ping) await client.pingWebhook({ id: webhook.id })
    await ended.promise
  } finally {
    release()
    await client.deleteWebhook({ id: webhook.id })
    terminal.note('The webhook is removed.\n')
  }
}

async function register(client: Client, wanted: Parameters<Client['createWebhook']>[0]) {
  try {
    return await client.createWebhook(wanted)
  } catch (error) {
    if (error instanceof RookeryError && error.code === 'WEBHOOK_URL_REFUSED')
      throw new UsageError(
        `The service does not post to ${wanted.url}: ${reasonOf(error)} A service of your own allows it with ` +
          'WEBHOOKS_ALLOW_PRIVATE=yes. For any other, start a tunnel and pass its address as --public-url.',
      )
    if (error instanceof RookeryError && error.code === 'WEBHOOK_LIMIT')
      throw new UsageError(
        `${oneLine(error.message)} See "rookery list-webhooks": one called "rookery webhooks listen" is left over ` +
          'from a listener that was killed.',
      )
    throw error
  }
}

function reasonOf({ message, details }: RookeryError): string {
  return oneLine([message, ...details.map(({ message: text }) => text)].join(' '))
}

async function forward(url: string, { body, headers }: Delivery): Promise<{ status: number; text: string }> {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(9_000),
    })
    return { status, text: `${status} from ${url}` }
  } catch (error) {
    return { status: 502, text: `${url} does not answer (${error instanceof Error ? error.message : String(error)})` }
  }
}

function waiting(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new UsageError(`${text} is not a whole number.`)
  return Number(text)
}
