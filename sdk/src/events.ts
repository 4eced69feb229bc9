import type { LiveEvent, Topic } from '@rookery/api'
import { createParser } from 'eventsource-parser'
import { RookeryError } from './errors.js'
import { streamEvents } from './generated/calls.js'
import { pause } from './pause.js'
import { requireNoRedirect } from './redirect.js'
import { type ClientOptions, headersOf, readRefusal, urlOf } from './request.js'

/** What to listen to, and where to start. */
export interface EventsOptions {
  readonly topics: readonly Topic[]
  /** The last event seen: the stream continues after it. Without it, the stream starts now. */
  readonly resume?: string
  /** Ends the iteration. */
  readonly signal?: AbortSignal
  /**
   * Asks again, with growing pauses, also when the service refuses: the reader may log in meanwhile, or the service
   * may change. `resume` is dropped after the second refusal in a row, since events that old may be gone. Without
   * this, a refusal is thrown.
   */
  readonly retryRefusals?: boolean
  /** Called when the stream opens, and when it is lost and about to reconnect. */
  readonly onState?: (state: 'open' | 'lost') => void
  /** Called with the place in the stream up to which everything was received, also when nothing has happened yet: a value for `resume`. */
  readonly onPosition?: (position: string) => void
  /** Called when `retryRefusals` has dropped the position, so that the stream starts from now. */
  readonly onRestart?: () => void
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000
const FIRST_WAIT_REFUSED_MS = 1_000
const LONGEST_WAIT_REFUSED_MS = 60_000
// The server sends a heartbeat every 15 seconds, so a connection that is silent for much longer is dead.
const SILENCE_MS = 40_000

/** Yields events; after an interruption it reconnects and resumes after the last event. */
export async function* events(
  options: ClientOptions,
  { topics, resume, signal, retryRefusals = false, onState, onPosition, onRestart }: EventsOptions,
): AsyncGenerator<LiveEvent, void, undefined> {
  let position = resume
  let failures = 0
  let refusals = 0
  while (!signal?.aborted) {
    const connection = new AbortController()
    const ending = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal
    let wait: number | undefined
    try {
      const body = await connect(options, { topics, position, signal: ending, abort: () => connection.abort() })
      refusals = 0
      onState?.('open')
      for await (const message of messages(body, () => connection.abort())) {
        failures = 0
        if (message.position !== undefined) position = message.position
        if (message.event) yield message.event
        if (message.position !== undefined) onPosition?.(message.position)
      }
    } catch (error) {
      if (signal?.aborted) return
      if (isFinal(error)) {
        if (!retryRefusals) throw error
        if (refusals > 0 && position !== undefined) {
          position = undefined
          onRestart?.()
        }
        wait = Math.min(FIRST_WAIT_REFUSED_MS * 2 ** refusals++, LONGEST_WAIT_REFUSED_MS)
      } else if (error instanceof RookeryError && error.retryAfterSeconds !== undefined)
        wait = error.retryAfterSeconds * 1000
    } finally {
      connection.abort()
    }
    if (signal?.aborted) return
    onState?.('lost')
    await pause(wait ?? waitAfter(failures++), signal)
  }
}

interface Connecting {
  readonly topics: readonly Topic[]
  readonly position: string | undefined
  readonly signal: AbortSignal
  abort(): void
}

async function connect(
  options: ClientOptions,
  { topics, position, signal, abort }: Connecting,
): Promise<ReadableStream<Uint8Array>> {
  const url = urlOf(options.baseUrl, streamEvents, { topics: topics.join(',') })
  const headers = {
    ...headersOf(options),
    Accept: 'text/event-stream',
    ...(position !== undefined && { 'Last-Event-ID': position }),
  }
  const late = setTimeout(abort, options.timeoutMs ?? 30_000)
  try {
    const response = await (options.fetch ?? fetch)(url, { headers, signal, cache: 'no-store', redirect: 'manual' })
    requireNoRedirect(response, url)
    if (!response.ok) throw await readRefusal(response)
    if (!response.body) throw new Error('The server sent no stream.')
    return response.body
  } finally {
    clearTimeout(late)
  }
}

/** An event, or the stream's position when there was nothing to send. */
interface Message {
  readonly position?: string
  readonly event?: LiveEvent
}

async function* messages(body: ReadableStream<Uint8Array>, abort: () => void): AsyncGenerator<Message> {
  const arrived: Message[] = []
  const parser = createParser({
    onEvent({ id, event, data }) {
      if (event === undefined) arrived.push({ event: JSON.parse(data) as LiveEvent, ...(id && { position: id }) })
    },
    onComment(comment) {
      const position = comment.match(/^at ([0-9]+)$/)?.[1]
      arrived.push(position === undefined ? {} : { position })
    },
  })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let silence: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      silence = setTimeout(abort, SILENCE_MS)
      const { done, value } = await reader.read()
      clearTimeout(silence)
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* arrived.splice(0)
    }
  } finally {
    clearTimeout(silence)
    await reader.cancel().catch(() => {})
  }
}

// Repeating the same request would be refused again.
function isFinal(error: unknown): boolean {
  return error instanceof RookeryError && error.status < 500 && error.status !== 429
}

function waitAfter(failures: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)
  // Jitter, so that clients that lost the same server do not reconnect at the same moment.
  return longest / 2 + Math.random() * (longest / 2)
}
