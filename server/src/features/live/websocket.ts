import { type ClientMessage, type CloseCode, clientMessages, closeCodes, type ServerMessage } from '@rookery/api'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { WebSocket } from 'ws'
import { dropNulls } from '../../base/drop-nulls.js'
import { Problem } from '../../base/problem.js'
import { hasRepeatedName } from '../../base/repeated-names.js'
import { explainUnknownMembers } from '../../base/unknown-members.js'
import { callerName } from '../../foundation/callers/caller.js'
import { isAgentViewer, viewingAgentId } from '../../foundation/db/visibility.js'
import { refuseTooManyTopics } from '../../foundation/events/topics.js'
import { HEARTBEAT_SECONDS, type Hub } from './hub.js'
import type { Listener } from './reader.js'
import type { Sink } from './sink.js'
import type { Credential } from './tickets.js'

const STALLED_MS = 30_000
const LAST_WORDS_MS = 5_000
const MOST_MESSAGES = 100
const MESSAGES_PER_MS = 10_000
/** A client that goes on after this many refusals is disconnected. */
const MOST_REFUSALS = 10

/** Sends events as text frames. Ends the connection when more than `mostBytes` are buffered. */
function createWebSocketSink(socket: WebSocket, mostBytes: number): Sink {
  let isOver = false
  let isAlive = true
  let flushed: Promise<void> = Promise.resolve()
  socket.on('pong', () => {
    isAlive = true
  })

  function end(code: CloseCode): void {
    if (isOver) return
    isOver = true
    socket.close(code, closeCodes[code].meaning)
    setTimeout(() => socket.terminate(), LAST_WORDS_MS).unref()
  }

  return {
    end,
    send(events) {
      if (isOver) return
      const last = events.length - 1
      events.forEach(({ json }, index) => {
        if (index < last) socket.send(json)
        else
          flushed = new Promise((resolve) => {
            socket.send(json, () => resolve())
          })
      })
      if (socket.bufferedAmount > mostBytes) end(4409)
    },
    drained() {
      if (isOver || socket.bufferedAmount === 0) return Promise.resolve()
      const stalled = setTimeout(() => end(4409), STALLED_MS)
      return flushed.finally(() => clearTimeout(stalled))
    },
    beat(position) {
      if (!isAlive) return end(4408)
      isAlive = false
      socket.ping()
      const heartbeat: ServerMessage = {
        type: 'heartbeat',
        lastEventId: position === undefined ? null : String(position),
      }
      if (isOver) return
      socket.send(JSON.stringify(heartbeat))
      if (socket.bufferedAmount > mostBytes) end(4409)
    },
  }
}

let validators: ReadonlyMap<string, ValidateFunction> | undefined

// Compiled with the first message, because compiling at startup would delay it by a tenth of a second.
function compileValidators(): ReadonlyMap<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: false, allErrors: false })
  return new Map(Object.entries(clientMessages).map(([type, schema]) => [type, ajv.compile(schema)]))
}

function readMessage(text: string): ClientMessage | undefined {
  validators ??= compileValidators()
  try {
    const message: { type?: unknown } = JSON.parse(text)
    const type = String(message?.type)
    const validate = validators.get(type)
    if (!validate || hasRepeatedName(text, message)) return undefined
    dropNulls(clientMessages[type as ClientMessage['type']], message)
    return validate(message) ? (message as ClientMessage) : undefined
  } catch {
    return undefined
  }
}

function refuseUnknown(message: ClientMessage): void {
  const [unknown] = explainUnknownMembers(clientMessages[message.type], message)
  if (unknown) throw Problem.at(unknown.path, unknown.message)
}

interface ConnectionOptions {
  readonly hub: Hub
  readonly socket: WebSocket
  readonly caller: string
  readonly address: string
  readonly credential: Credential | undefined
  readonly mostBytes: number
  /** Counts a message against an allowance, or throws. */
  charge(who: string): Promise<void>
  /** Checks the credential of an auth message. */
  authenticate(message: { apiKey?: string; ticket?: string }): Promise<Credential>
  onError(error: Error): void
}

/** Serves one connection until it ends. */
export function serveWebSocket(options: ConnectionOptions): void {
  const { hub, socket, caller, address, credential, mostBytes, authenticate, charge, onError } = options
  const sink = createWebSocketSink(socket, mostBytes)
  const listener: Listener = {
    caller,
    address,
    charged: credential ? callerName(credential.caller, address) : caller,
    sink,
    viewer: credential?.viewer,
    sessionId: credential?.sessionId,
    identify: credential?.identify ?? (async () => undefined),
  }
  const subscription = hub.open(listener)
  const topics = new Set<string>()
  let working = Promise.resolve()
  let received = 0
  let unanswered = 0
  let refusals = 0
  const refill = setInterval(() => {
    received = 0
  }, MESSAGES_PER_MS).unref()

  const send = (message: ServerMessage) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(message))
    // A client may ask without ever reading the answers.
    if (socket.bufferedAmount > mostBytes) sink.end(4409)
  }

  async function handle(message: ClientMessage): Promise<void> {
    const requestId = message.requestId === undefined ? {} : { requestId: message.requestId }
    switch (message.type) {
      case 'auth': {
        const { viewer, identify, caller, sessionId } = await authenticate(message)
        const agentId = viewingAgentId(viewer)
        // The subscription was for the notifications of the previous agent.
        if (viewingAgentId(listener.viewer) !== agentId && topics.delete('notifications'))
          subscription.remove(['notifications'])
        Object.assign(listener, { viewer, identify, sessionId, charged: callerName(caller, address) })
        // It may have ended after it was checked and before the connection was known by it.
        await subscription.recheck()
        const person = isAgentViewer(viewer) ? {} : { wallet: viewer.wallet }
        return send({ type: 'authenticated', ...requestId, agentId: agentId ?? null, ...person })
      }
      case 'subscribe': {
        const isReplay = message.resume !== undefined
        // One more may wait, for a client that subscribes topic by topic after a reconnect.
        if (isReplay && subscription.replays > 1) throw new Problem('REPLAY_RUNNING')
        const { interests, since } = await hub.prepare(listener.viewer, message.topics, message.resume)
        const wanted = new Set([...topics, ...interests.map(({ topic }) => topic)])
        refuseTooManyTopics(wanted.size)
        for (const topic of wanted) topics.add(topic)
        send({ type: 'subscribed', ...requestId, topics: listTopics(), lastEventId: String(since) })
        return subscription.add(interests, { isReplay })
      }
      case 'unsubscribe': {
        for (const topic of message.topics) topics.delete(topic.toLowerCase())
        subscription.remove(message.topics)
        return send({ type: 'unsubscribed', ...requestId, topics: listTopics() })
      }
      case 'resume': {
        if (subscription.replays > 0) throw new Problem('REPLAY_RUNNING')
        const { since } = await hub.prepare(listener.viewer, [...topics], message.resume)
        send({ type: 'resumed', ...requestId, resume: message.resume })
        return subscription.rewind(since)
      }
      case 'ping':
        return send({ type: 'pong', ...requestId })
    }
  }

  const listTopics = () => [...topics] as Extract<ServerMessage, { type: 'subscribed' }>['topics']

  async function receive(text: string): Promise<void> {
    const message = readMessage(text)
    if (!message) return sink.end(4400)
    try {
      await count(message)
      refuseUnknown(message)
      await handle(message)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const { code, retryAfterSeconds: retryAfter } = error
      const requestId = message.requestId === undefined ? {} : { requestId: message.requestId }
      send({ type: 'error', ...requestId, code, message: error.message, ...(retryAfter && { retryAfter }) })
      if (refusals > MOST_REFUSALS) sink.end(4429)
    }
  }

  // A ping costs nothing, and a client that only keeps its connection alive must not use up its reads.
  async function count({ type }: ClientMessage): Promise<void> {
    if (type === 'ping') return
    refusals++
    await charge(listener.charged)
    refusals = 0
  }

  socket.on('message', (data, isBinary) => {
    if (isBinary) return sink.end(4400)
    if (++received > MOST_MESSAGES || ++unanswered > MOST_MESSAGES) return sink.end(4429)
    const text = data.toString()
    // Handles messages one after the other. A failure here is the server's; the client reconnects and resumes.
    working = working
      .then(() => receive(text))
      .catch((error: Error) => {
        onError(error)
        sink.end(1001)
      })
      .finally(() => unanswered--)
  })
  socket.on('error', () => socket.terminate())
  socket.once('close', () => {
    clearInterval(refill)
    subscription.close()
  })
  send({ type: 'ready', agentId: viewingAgentId(credential?.viewer) ?? null, heartbeatSeconds: HEARTBEAT_SECONDS })
}
