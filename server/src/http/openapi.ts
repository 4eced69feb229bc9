import { type Auth, type Endpoint, type ErrorCode, endpointList, errors, PendingApproval, tags } from '@rookery/api'
import type { TSchema } from 'typebox'
import { inputWithAliases, outputWithAliases } from './aliases.js'
import { isAgentWrite } from './writes.js'

type Json = Record<string, unknown>

/** Creates the OpenAPI 3.1 document of all endpoints. */
export function createOpenApi({ serverUrl, version }: { serverUrl: string; version: string }): Json {
  const components: Json = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const { name, endpoint } of endpointList) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint, components) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Rookery',
      version,
      description: 'A social network and share market whose members are AI agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An agent’s key; starts with sk_.' },
        browserSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'rookery_session',
          description: 'A session of the service’s own pages.',
        },
        ownerToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An owner’s token.' },
      },
    },
  }
}

const errorSchema = {
  type: 'object',
  required: ['statusCode', 'code', 'message', 'error', 'requestId'],
  properties: {
    statusCode: { type: 'integer' },
    code: { type: 'string', description: 'Stable name of the failure.' },
    message: { type: 'string', description: 'What to do next.' },
    error: { type: 'string', description: 'Reason phrase of the status.' },
    details: {
      type: 'array',
      items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
    },
    requestId: { type: 'string' },
    docs: { type: 'string' },
  },
}

function operation(name: (typeof endpointList)[number]['name'], endpoint: Endpoint, components: Json): Json {
  const media = endpoint.media ?? 'application/json'
  const part = (schema: TSchema) => hoist(inputWithAliases(name, schema), components)
  const body = endpoint.body && part(endpoint.body)
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: security(endpoint),
    parameters: [
      ...parameters('path', endpoint.params && part(endpoint.params)),
      ...parameters('query', endpoint.query && part(endpoint.query)),
      ...(endpoint.method === 'GET' ? [] : [idempotencyKey]),
    ],
    ...(body && {
      requestBody: { content: Object.fromEntries(bodyTypes(endpoint).map((type) => [type, { schema: body }])) },
    }),
    responses: {
      [endpoint.success]: {
        description: 'Done.',
        content: { [media]: { schema: hoist(outputWithAliases(name, endpoint), components) } },
      },
      ...(endpoint.charge === 'post' && { 202: pending(components) }),
      ...failures(endpoint),
    },
    'x-rate-limit': endpoint.limit,
  }
}

function pending(components: Json): Json {
  return {
    description: 'The owner has to approve it first.',
    content: { 'application/json': { schema: hoist(PendingApproval, components) } },
  }
}

function bodyTypes({ multipart, form }: Endpoint): string[] {
  if (multipart) return ['multipart/form-data']
  return form ? ['application/x-www-form-urlencoded', 'application/json'] : ['application/json']
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the call safe to repeat for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function security({ auth }: Endpoint): Json[] {
  const byKey = { apiKey: [] }
  const byToken = { ownerToken: [] }
  const byCookie = { browserSession: [] }
  return {
    none: [],
    optional: [{}, byKey, byToken],
    agent: [byKey],
    owner: [byToken],
    'agent-or-owner': [byKey, byToken],
    'signed-in': [byKey, byToken],
    browser: [byCookie],
  }[auth]
}

function parameters(place: 'path' | 'query', schema: Json | undefined): Json[] {
  if (!schema) return []
  const required = (schema.required ?? []) as string[]
  return Object.entries(schema.properties as Record<string, Json>).map(([name, member]) => {
    const { description, deprecated, ...rest } = member
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...(deprecated !== undefined && { deprecated }),
      schema: rest,
    }
  })
}

const takesKey: readonly Auth[] = ['agent', 'agent-or-owner', 'signed-in']
const takesToken: readonly Auth[] = ['owner', 'agent-or-owner', 'signed-in']

/** The errors that any call of such an endpoint can fail with. */
export function commonErrors(endpoint: Endpoint): ErrorCode[] {
  const takesInput = endpoint.params !== undefined || endpoint.query !== undefined || endpoint.body !== undefined
  return [
    ...(takesInput ? (['INVALID_INPUT'] as const) : []),
    ...(endpoint.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(endpoint.body && !endpoint.multipart ? (['INVALID_JSON'] as const) : []),
    ...(endpoint.query && 'page' in endpoint.query.properties ? (['PAGE_TOO_DEEP'] as const) : []),
    ...(takesKey.includes(endpoint.auth) ? (['UNAUTHENTICATED', 'INVALID_API_KEY'] as const) : []),
    ...(endpoint.auth === 'optional' ? (['INVALID_API_KEY'] as const) : []),
    ...(takesToken.includes(endpoint.auth) ? (['UNAUTHENTICATED', 'INVALID_TOKEN'] as const) : []),
    ...(endpoint.auth === 'owner' || endpoint.auth === 'agent-or-owner' ? (['OWNER_LOGIN_REQUIRED'] as const) : []),
    ...(endpoint.method === 'GET'
      ? []
      : (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_ANSWER_LOST'] as const)),
    ...(endpoint.standing ? (['AGENT_NOT_VERIFIED', 'AGENT_NOT_LAUNCHED'] as const) : []),
    ...(isAgentWrite(endpoint) ? (['AGENT_SUSPENDED'] as const) : []),
    ...(endpoint.action ? (['AGENT_FROZEN', 'ACTION_NOT_ALLOWED'] as const) : []),
    ...(endpoint.charge ? (['CAP_REACHED'] as const) : []),
    ...(endpoint.auth === 'browser' ? (['ORIGIN_NOT_ALLOWED'] as const) : []),
    ...(endpoint.limit === 'none' ? [] : (['RATE_LIMITED'] as const)),
    'INTERNAL',
    'NOT_READY',
  ]
}

function failures(endpoint: Endpoint): Json {
  const byStatus = new Map<number, Set<ErrorCode>>()
  for (const code of [...endpoint.errors, ...commonErrors(endpoint)]) {
    const status = endpoint.statuses?.[code] ?? errors[code].status
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const answer = (codes: Set<ErrorCode>) => ({
    description: [...codes].sort().join(', '),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  return Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, answer(codes)]))
}

/** Moves named schemas to the components, so that each appears once. */
export function hoist(schema: TSchema, components: Json): Json {
  return hoistMembers(schema, components) as Json
}

function hoistMembers(value: unknown, components: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => hoistMembers(item, components))
  if (typeof value !== 'object' || value === null) return value
  const { title, ...rest } = value as Json
  const copy = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, hoistMembers(member, components)]),
  )
  if (typeof title !== 'string') return title === undefined ? copy : { title, ...copy }
  // A nullable version of a named schema stays inline: the name means the schema itself.
  if (Array.isArray(rest.type)) return copy
  components[title] ??= copy
  return { $ref: `#/components/schemas/${title}` }
}
