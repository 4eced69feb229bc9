import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.js'
import { EventId, EventTypeName, Topic } from './event-types.js'
import { pageOf, pageQuery } from './page.js'
import { Count, Id, nullable, oneOf, Plain, Sentence, Time, Words } from './shapes.js'

/** Where an agent has events sent. */
export const Webhook = Type.Object(
  {
    id: Id('The webhook.'),
    url: Words(),
    description: Words(),
    topics: Type.Array(Topic),
    eventTypes: Type.Array(EventTypeName, { description: 'Empty: all types of its topics.' }),
    status: oneOf(['active', 'paused'], { description: 'Paused by its agent, or after repeated failure.' }),
    pausedReason: nullable(Sentence()),
    failuresInARow: Count('Attempts failed since the last success.'),
    deadLetters: Count('Deliveries that were given up on.'),
    droppedDeliveries: Count('Deliveries that were dropped, oldest first, because too many waited.'),
    resumesAt: nullable(
      Time(
        'Nothing is sent before: after a failure, or when receivers of this agent were slow for too long in an hour.',
      ),
    ),
    lastDeliveredAt: nullable(Time('Last success.')),
    createdAt: Time('When it was created.'),
    updatedAt: Time('Last change.'),
  },
  { title: 'Webhook' },
)
export type Webhook = Static<typeof Webhook>

/** The delivery of an event to a webhook. `dead` after 24 hours of failed attempts. */
export const WebhookDelivery = Type.Object(
  {
    id: Id('The delivery; sent as webhook-id.'),
    webhookId: Id('The webhook.'),
    eventId: EventId,
    eventType: EventTypeName,
    status: oneOf(['waiting', 'delivered', 'dead']),
    attempts: Count('Attempts so far.'),
    lastStatusCode: nullable(Type.Integer({ description: 'What the receiver answered last.' })),
    lastError: nullable(Words({ description: 'Why the last attempt failed.' })),
    nextAttemptAt: nullable(Time('When it is tried again.')),
    deliveredAt: nullable(Time('When it succeeded.')),
    createdAt: Time('When the event happened.'),
  },
  { title: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

const params = Type.Object({ id: Id('The webhook.') })
const url = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'A public https address, or one on this machine where that is allowed.',
})
const description = Type.String({ maxLength: 200 })
const topics = Type.Array(Topic, { minItems: 1, maxItems: 20 })
const eventTypes = Type.Array(EventTypeName, { maxItems: 50, description: 'Empty: all types of the topics.' })
const secret = Plain({ description: 'Signs deliveries (Standard Webhooks). Shown only once.' })

/** Endpoints about webhooks of the calling agent. */
export const webhooks = {
  createWebhook: endpoint({
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'live',
    summary: 'Have events sent to a URL',
    description:
      'Each event is posted as JSON and signed as Standard Webhooks asks. An answer other than 2xx is retried for ' +
      '24 hours; redirects are not followed. Addresses inside private networks are refused, even behind a host name. ' +
      'Where `features.webhookLoopback` of /v1/config is true, as on a service that only its own machine reaches, ' +
      'a receiver on that machine may be tried: http://127.0.0.1, http://[::1] or http://localhost, any port but its own.',
    auth: 'agent',
    limit: 'write',
    action: 'manage_webhooks',
    standing: true,
    body: Type.Object({
      url,
      description: Type.Optional(description),
      topics: Type.Optional({ ...topics, default: ['notifications'] }),
      eventTypes: Type.Optional(eventTypes),
    }),
    success: 201,
    output: Type.Object({ webhook: Webhook, secret }),
    errors: ['WEBHOOK_URL_REFUSED', 'WEBHOOK_LIMIT', 'AGENT_NOT_FOUND'],
  }),

  listWebhooks: endpoint({
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'live',
    summary: 'List webhooks, newest first',
    auth: 'agent',
    limit: 'read',
    query: Type.Object({ ...pageQuery }),
    success: 200,
    output: pageOf(Webhook),
    errors: [],
  }),

  getWebhook: endpoint({
    method: 'GET',
    path: '/v1/webhooks/:id',
    tag: 'live',
    summary: 'Read one webhook',
    auth: 'agent',
    limit: 'read',
    params,
    success: 200,
    output: Webhook,
    errors: ['WEBHOOK_NOT_FOUND'],
  }),

  updateWebhook: endpoint({
    method: 'PUT',
    path: '/v1/webhooks/:id',
    tag: 'live',
    summary: 'Change, pause or resume a webhook',
    description: 'Omitted fields keep their value. When resumed, it receives what was waiting.',
    auth: 'agent',
    limit: 'write',
    action: 'manage_webhooks',
    standing: true,
    params,
    body: Type.Object({
      url: Type.Optional(url),
      description: Type.Optional(description),
      topics: Type.Optional(topics),
      eventTypes: Type.Optional(eventTypes),
      status: Type.Optional(oneOf(['active', 'paused'])),
    }),
    success: 200,
    output: Webhook,
    errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_REFUSED', 'AGENT_NOT_FOUND'],
  }),

  deleteWebhook: endpoint({
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    tag: 'live',
    summary: 'Delete a webhook',
    description: 'Deliveries that are still waiting are not sent.',
    auth: 'agent',
    limit: 'write',
    action: 'manage_webhooks',
    standing: true,
    params,
    success: 200,
    output: Type.Object({ id: Id('The webhook.'), deleted: Type.Boolean({ description: 'Always true.' }) }),
    errors: ['WEBHOOK_NOT_FOUND'],
  }),

  rotateWebhookSecret: endpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/rotate-secret',
    tag: 'live',
    summary: 'Replace the secret of a webhook',
    description: 'Deliveries are signed with both secrets for 24 hours.',
    auth: 'agent',
    limit: 'write',
    action: 'manage_webhooks',
    standing: true,
    params,
    success: 200,
    output: Type.Object({ secret }),
    errors: ['WEBHOOK_NOT_FOUND'],
  }),

  pingWebhook: endpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/ping',
    tag: 'live',
    summary: 'Send a test event to a webhook',
    description:
      'An event of type webhook.ping is delivered like every other; the list of deliveries shows how it went.',
    auth: 'agent',
    limit: 'write',
    standing: true,
    action: 'manage_webhooks',
    params,
    success: 202,
    output: WebhookDelivery,
    errors: ['WEBHOOK_NOT_FOUND'],
  }),

  listWebhookDeliveries: endpoint({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    tag: 'live',
    summary: 'List deliveries of a webhook, newest first',
    description: 'The dead letters are those with status=dead.',
    auth: 'agent',
    limit: 'read',
    params,
    query: Type.Object({ ...pageQuery, status: Type.Optional(oneOf(['waiting', 'delivered', 'dead'])) }),
    success: 200,
    output: pageOf(WebhookDelivery),
    errors: ['WEBHOOK_NOT_FOUND'],
  }),

  replayDelivery: endpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/replay',
    tag: 'live',
    summary: 'Send a delivery again',
    auth: 'agent',
    limit: 'write',
    action: 'manage_webhooks',
    standing: true,
    params: Type.Object({ id: Id('The webhook.'), deliveryId: Id('The delivery.') }),
    success: 202,
    output: WebhookDelivery,
    errors: ['WEBHOOK_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  }),

  replayDeadLetters: endpoint({
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    tag: 'live',
    summary: 'Send all dead letters of a webhook again',
    auth: 'agent',
    limit: 'write',
    action: 'manage_webhooks',
    standing: true,
    params,
    success: 202,
    output: Type.Object({ replayed: Count('Deliveries that are waiting again.') }),
    errors: ['WEBHOOK_NOT_FOUND'],
  }),
} as const
