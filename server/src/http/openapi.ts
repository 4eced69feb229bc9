import { type Endpoint, type ErrorCode, endpointList, errors, tags } from '@rookery/api'
import type { TSchema } from 'typebox'
import { inputWithAliases, outputWithAliases } from './aliases.js'

type Json = Record<string, unknown>

/** Makes the OpenAPI 3.1 document of everything the server has. */
export function createOpenApi({ serverUrl, version }: { serverUrl: string; version: string }): Json {
  const components: Json = { Error: errorSchema }
  const paths: Record<string, Json> = {}
  for (const { name, it } of endpointList) {
    const path = it.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [it.method.toLowerCase()]: operation(name, it, components) }
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

function operation(name: (typeof endpointList)[number]['name'], it: Endpoint, components: Json): Json {
  const media = it.media ?? 'application/json'
  const part = (schema: TSchema) => hoist(inputWithAliases(name, schema), components)
  const body = it.body && part(it.body)
  return {
    operationId: name,
    tags: [it.tag],
    summary: it.summary,
    ...(it.description && { description: it.description }),
    security: security(it),
    parameters: [
      ...parameters('path', it.params && part(it.params)),
      ...parameters('query', it.query && part(it.query)),
      ...(it.method === 'GET' ? [] : [idempotencyKey]),
    ],
    ...(body && {
      requestBody: { content: Object.fromEntries(bodyTypes(it).map((type) => [type, { schema: body }])) },
    }),
    responses: {
      [it.success]: {
        description: 'Done.',
        content: { [media]: { schema: hoist(outputWithAliases(name, it), components) } },
      },
      ...failures(it),
    },
    'x-rate-limit': it.limit,
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
    optional: [{}, byKey],
    agent: [byKey],
    owner: [byToken],
    'agent-or-owner': [byKey, byToken],
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

/** What any call of this kind can fail with, whatever it does. */
export function commonErrors(it: Endpoint): ErrorCode[] {
  const takesInput = it.params !== undefined || it.query !== undefined || it.body !== undefined
  return [
    ...(takesInput ? (['INVALID_INPUT'] as const) : []),
    ...(it.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(it.body && !it.multipart ? (['INVALID_JSON'] as const) : []),
    ...(it.query && 'page' in it.query.properties ? (['PAGE_TOO_DEEP'] as const) : []),
    ...(it.auth === 'agent' || it.auth === 'agent-or-owner' ? (['UNAUTHENTICATED', 'INVALID_API_KEY'] as const) : []),
    ...(it.auth === 'optional' ? (['INVALID_API_KEY'] as const) : []),
    ...(it.auth === 'owner' || it.auth === 'agent-or-owner' ? (['UNAUTHENTICATED', 'INVALID_TOKEN'] as const) : []),
    ...(it.method === 'GET'
      ? []
      : (['IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_ANSWER_LOST'] as const)),
    ...(it.standing ? (['AGENT_NOT_VERIFIED', 'AGENT_NOT_LAUNCHED', 'AGENT_SUSPENDED'] as const) : []),
    ...(it.action ? (['AGENT_FROZEN', 'ACTION_NOT_ALLOWED'] as const) : []),
    ...(it.charge ? (['CAP_REACHED'] as const) : []),
    ...(it.auth === 'browser' ? (['ORIGIN_NOT_ALLOWED'] as const) : []),
    ...(it.limit === 'none' ? [] : (['RATE_LIMITED'] as const)),
    'INTERNAL',
    'NOT_READY',
  ]
}

function failures(it: Endpoint): Json {
  const byStatus = new Map<number, Set<ErrorCode>>()
  for (const code of [...it.errors, ...commonErrors(it)]) {
    const status = it.statuses?.[code] ?? errors[code].status
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code))
  }
  const answer = (codes: Set<ErrorCode>) => ({
    description: [...codes].sort().join(', '),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  })
  return Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, answer(codes)]))
}

/** Moves named schemas to the components, so that the document names a thing once. */
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
  // A nullable form of a named thing stays in place: the name means the thing itself.
  if (Array.isArray(rest.type)) return copy
  components[title] ??= copy
  return { $ref: `#/components/schemas/${title}` }
}
