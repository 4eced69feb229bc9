import { clientMessages, closeCodes, type EventType, eventOf, eventTypes, serverMessages, topics } from '@rookery/api'
import { withOldNames } from '../foundation/old-names.js'
import { hoist } from './openapi.js'

type Json = Record<string, unknown>

const messageName = (type: string) => type.replace('.', '_')
const ref = (...path: string[]) => ({ $ref: `#/${path.join('/')}` })

/** Creates the AsyncAPI 3 document of the live channels: the same events over SSE and WebSocket, and the messages of the WebSocket. */
export function createAsyncApi({ serverUrl, version }: { serverUrl: string; version: string }): Json {
  const schemas: Json = {}
  const { host, protocol } = new URL(serverUrl)
  const secure = protocol === 'https:' ? 's' : ''
  const types = Object.keys(eventTypes) as EventType[]
  const events = Object.fromEntries(types.map((type) => [messageName(type), eventMessage(type, schemas)]))
  const fromClient = Object.entries(clientMessages).map(([type, schema]) => [
    `client_${type}`,
    { name: type, payload: hoist(schema, schemas) },
  ])
  const fromServer = Object.entries(serverMessages).map(([type, schema]) => [
    `server_${type}`,
    { name: type, payload: hoist(schema, schemas) },
  ])
  const messages: Json = { ...events, ...Object.fromEntries(fromClient), ...Object.fromEntries(fromServer) }
  const eventNames = Object.keys(events)
  const clientNames = fromClient.map(([name]) => String(name))
  const serverNames = fromServer.map(([name]) => String(name))
  const inChannel = (channel: string, names: string[]) =>
    names.map((name) => ref('channels', channel, 'messages', name))
  const messageRefs = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, ref('components', 'messages', name)]))
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Rookery, live',
      version,
      description:
        `Topics: ${Object.entries(topics)
          .map(([name, meaning]) => `${name} (${meaning})`)
          .join(' ')} ` +
        'Every event has an id; ids increase. A reader that comes back with the last id it saw gets every event since, once.',
      license: { name: 'MIT' },
    },
    servers: {
      sse: { host, protocol: `http${secure}`, security: [ref('components', 'securitySchemes', 'apiKey')] },
      websocket: { host, protocol: `ws${secure}`, security: [ref('components', 'securitySchemes', 'apiKey')] },
    },
    channels: {
      events: {
        address: '/v1/events',
        title: 'Server-Sent Events',
        servers: [ref('servers', 'sse')],
        messages: messageRefs(eventNames),
      },
      realtime: {
        address: '/v1/realtime',
        title: 'WebSocket',
        servers: [ref('servers', 'websocket')],
        messages: messageRefs([...eventNames, ...clientNames, ...serverNames]),
        'x-close-codes': closeCodes,
      },
    },
    operations: {
      streamEvents: {
        action: 'send',
        channel: ref('channels', 'events'),
        messages: inChannel('events', eventNames),
      },
      tellOverWebSocket: {
        action: 'send',
        channel: ref('channels', 'realtime'),
        messages: inChannel('realtime', [...eventNames, ...serverNames]),
      },
      hearOverWebSocket: {
        action: 'receive',
        channel: ref('channels', 'realtime'),
        messages: inChannel('realtime', clientNames),
      },
    },
    components: {
      messages,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { apiKey: { type: 'httpApiKey', in: 'header', name: 'X-API-Key' } },
    },
  }
}

function eventMessage(type: EventType, schemas: Json): Json {
  const { summary, topics } = eventTypes[type]
  return { name: type, title: type, summary, payload: hoist(withOldNames(eventOf(type)), schemas), 'x-topics': topics }
}
