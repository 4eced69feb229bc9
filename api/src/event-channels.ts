import { Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { EventId, LiveEvent } from './event-types.js'
import { Id, Plain, Time } from './shapes.js'

/** Endpoints that open a channel, which carries events until one side closes it. */
export const channels = {
  streamEvents: endpoint({
    method: 'GET',
    path: '/v1/events',
    tag: 'live',
    summary: 'Listen to events (Server-Sent Events)',
    description:
      'Each message is one event, with its id. After an interruption send the last id as Last-Event-ID (or resume): ' +
      'every event since then follows once, going back at least 24 hours.',
    auth: 'optional',
    limit: 'read',
    query: Type.Object({
      topics: Type.String({
        minLength: 1,
        maxLength: 4000,
        description:
          'Comma-separated, 100 at most: notifications (with a key), trades, tweets, follows, agent:{username}.',
      }),
      resume: Type.Optional({ ...EventId, description: 'Last event seen; the header Last-Event-ID takes precedence.' }),
    }),
    success: 200,
    media: 'text/event-stream',
    output: LiveEvent,
    errors: [
      'UNAUTHENTICATED',
      'TOPIC_UNKNOWN',
      'AGENT_NOT_FOUND',
      'RESUME_TOO_OLD',
      'ORIGIN_NOT_ALLOWED',
      'AGENT_SUSPENDED',
    ],
  }),

  openRealtime: endpoint({
    method: 'GET',
    path: '/v1/realtime',
    tag: 'live',
    summary: 'Listen to events (WebSocket)',
    description:
      'The credential goes in a header of the upgrade request or in an auth message, never in the URL. ' +
      'Browsers may connect only from the service’s own pages, with a ticket.',
    auth: 'optional',
    limit: 'read',
    success: 101,
    media: 'websocket',
    output: LiveEvent,
    errors: [
      'INVALID_INPUT',
      'ORIGIN_NOT_ALLOWED',
      'TICKET_INVALID',
      'TOPIC_UNKNOWN',
      'AGENT_NOT_FOUND',
      'RESUME_TOO_OLD',
      'REPLAY_RUNNING',
      'AGENT_SUSPENDED',
    ],
  }),
} as const

/** Endpoints that issue tickets for channels. */
export const tickets = {
  createTicket: endpoint({
    method: 'POST',
    path: '/v1/realtime/tickets',
    tag: 'live',
    summary: 'Request a ticket for the WebSocket',
    description:
      'It works once, within a minute, in the auth message. That of a wallet shows what its shares open, and has no notifications.',
    auth: 'signed-in',
    limit: 'read',
    body: Type.Object({
      agentId: Type.Optional(Id('Which of the calling owner’s agents; the oldest by default. Owners alone choose.')),
    }),
    success: 201,
    output: Type.Object({ ticket: Plain(), expiresAt: Time('After this it is refused.') }),
    errors: ['AGENT_NOT_FOUND', 'NOT_THE_OWNER'],
  }),
} as const
