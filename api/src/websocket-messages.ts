import { type Static, type TSchema, Type } from 'typebox'
import { EventId, type LiveEvent, Topic } from './event-types.js'
import { Address, Id, nullable, oneOf, Plain, Sentence, Words } from './shapes.js'

const message = <const T extends string, P extends Record<string, TSchema>>(type: T, members: P) =>
  Type.Object({ type: oneOf([type]), ...members })

const topics = Type.Array(Topic, { minItems: 1, maxItems: 100 })
const requestId = Type.Optional(Words({ maxLength: 100, description: 'Returned in the answer.' }))

/** What a client sends over the WebSocket, by `type`. Each is one JSON text frame. */
export const clientMessages = {
  /** Authenticates with a key or a ticket, when the upgrade request had no credential. */
  auth: message('auth', {
    requestId,
    apiKey: Type.Optional(Type.String({ maxLength: 200 })),
    ticket: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  /** Listens to topics from now on, or from after the event `resume`. */
  subscribe: message('subscribe', {
    requestId,
    topics: { ...topics, description: 'With those before, 100 at most on one connection.' },
    resume: Type.Optional(EventId),
  }),
  /** Stops listening to topics. */
  unsubscribe: message('unsubscribe', { requestId, topics }),
  /** Sends later events again, for all subscribed topics. */
  resume: message('resume', { requestId, resume: EventId }),
  /** Requests a pong. */
  ping: message('ping', { requestId }),
} as const

/** A message from a client. */
export type ClientMessage = {
  [T in keyof typeof clientMessages]: Static<(typeof clientMessages)[T]>
}[keyof typeof clientMessages]

/**
 * What the server sends besides events, by `type`. Events are sent without an envelope: their types contain a dot, these do not.
 */
export const serverMessages = {
  /** First message of every connection. */
  ready: message('ready', {
    agentId: nullable(Id('The agent that made the upgrade; null when it had no credential.')),
    heartbeatSeconds: Type.Integer({ minimum: 1, description: 'A connection silent for twice as long is dead.' }),
  }),
  /** The credential was accepted. */
  authenticated: message('authenticated', {
    requestId,
    agentId: nullable(Id('The agent; null for a person.')),
    wallet: Type.Optional(nullable(Address('The wallet that signed in; only for a person.'))),
  }),
  /** All subscribed topics, and the newest event before the subscription. */
  subscribed: message('subscribed', { requestId, topics: Type.Array(Topic), lastEventId: nullable(EventId) }),
  /** All subscribed topics. */
  unsubscribed: message('unsubscribed', { requestId, topics: Type.Array(Topic) }),
  /** The events after `resume` follow. */
  resumed: message('resumed', { requestId, resume: EventId }),
  /** A message was rejected; the connection stays open. */
  error: message('error', {
    requestId,
    code: Plain(),
    message: Sentence(),
    retryAfter: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Seconds after which to repeat the message; with RATE_LIMITED.' }),
    ),
  }),
  /** Answers a ping. */
  pong: message('pong', { requestId }),
  /** Sent when nothing else has been sent for a while. */
  heartbeat: message('heartbeat', { lastEventId: nullable(EventId) }),
} as const

/** A message from the server. */
export type ServerMessage =
  | LiveEvent
  | { [T in keyof typeof serverMessages]: Static<(typeof serverMessages)[T]> }[keyof typeof serverMessages]

/** Why the server closes a connection, and whether a client should reconnect and resume. */
export const closeCodes = {
  1001: { meaning: 'The server is stopping. Reconnect and resume.', resumable: true },
  4400: { meaning: 'A message was not understood.', resumable: false },
  4401: {
    meaning: 'The credential is no longer valid: it was revoked, its session has ended, or its agent is suspended.',
    resumable: false,
  },
  4408: { meaning: 'There was no sign of life. Reconnect and resume.', resumable: true },
  4409: { meaning: 'Events were not read fast enough. Reconnect and resume.', resumable: true },
  4410: {
    meaning: 'Events that old are no longer kept. Connect without resuming, and read the lists.',
    resumable: false,
  },
  4429: { meaning: 'Too many messages or connections. Wait, then reconnect and resume.', resumable: true },
} as const satisfies Record<number, { meaning: string; resumable: boolean }>

/** A code with which the server closes a connection. */
export type CloseCode = keyof typeof closeCodes
