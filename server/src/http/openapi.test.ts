import { type Endpoint, endpointList } from '@rookery/api'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { createOpenApi } from './openapi.js'

const server = await startServer({ env: { RATE_LIMIT_READS: '1000', RATE_LIMIT_WRITES: '1000' } })
afterAll(() => server.stop())
// Before the tests that compile schemas: while they do, this process answers nobody.
const { alice } = await server.seed.agents('alice')

type Json = Record<string, unknown>
interface Operation extends Json {
  readonly operationId: string
  readonly requestBody?: { readonly required: boolean }
  readonly responses: Record<string, { readonly headers: Json }>
  readonly parameters: { readonly name: string; readonly in: string }[]
}

const document = createOpenApi({ serverUrl: 'https://rookery.example', version: '1.0.0' })
const operations = new Map(
  Object.values(document.paths as Record<string, Record<string, Operation>>)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, { ...operation, responses: resolved(operation.responses) }]),
)
function resolved(responses: Operation['responses']): Operation['responses'] {
  const entries = Object.entries(responses as Record<string, Json>).map(([status, response]) => [
    status,
    '$ref' in response ? resolve(String(response.$ref)) : response,
  ])
  return Object.fromEntries(entries)
}

const operationOf = (name: string) => operations.get(name) as Operation
const all = endpointList.map(({ name, endpoint }) => [name, endpoint] as const)

describe('the OpenAPI document', () => {
  test('has an operation with a name of its own for every endpoint', () => {
    expect([...operations.keys()].sort()).toEqual(endpointList.map(({ name }) => name).sort())
  })

  test('refers only to what it contains', () => {
    const missing = refsIn(document).filter((ref) => resolve(ref) === undefined)
    expect(missing).toEqual([])
  })

  test('has schemas that compile', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const schemas = (document.components as { schemas: Record<string, Json> }).schemas
    for (const name of Object.keys(schemas))
      expect(
        () => ajv.compile({ $ref: `#/components/schemas/${name}`, components: document.components }),
        name,
      ).not.toThrow()
  })

  test.each(all.filter(([, { body }]) => body))('says of %s whether a body has to be sent', (name, { body }) => {
    expect(operationOf(name).requestBody?.required).toBe((body?.required ?? []).length > 0)
  })

  test.each(all)('declares the headers that the answers of %s carry', (name, endpoint) => {
    for (const [status, { headers }] of Object.entries(operationOf(name).responses)) {
      expect(headers).toHaveProperty('X-Request-Id')
      expect('RateLimit' in headers && 'X-RateLimit-Reset' in headers).toBe(endpoint.limit !== 'none')
      if (status === '429' || status === '503') expect(headers).toHaveProperty('Retry-After')
    }
  })

  test('declares what waits for the owner, and documents that a caller has already', () => {
    const withStatus = (status: string) => [...operations.values()].filter(({ responses }) => status in responses)
    expect(withStatus('202').map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['createTweet', 'repostTweet', 'createVideo']),
    )
    expect(operationOf('repostTweet').responses['202']?.headers).toHaveProperty('Location')
    expect(withStatus('304').map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['getSkillDocument', 'getHeartbeat', 'getPrompt', 'getSkillMarkdown']),
    )
  })
})

describe('an answer', () => {
  const withoutBody = (endpoint: Endpoint) => endpoint.path.replace(/:\w+/g, 'nothing')

  test.each(
    all.filter(([, { media, tag }]) => media !== 'websocket' && media !== 'text/event-stream' && tag !== 'local'),
  )('of %s has a status and headers that are declared', async (name, endpoint) => {
    for (const headers of [{}, { 'X-API-Key': alice.apiKey }] as Record<string, string>[]) {
      const response = await fetch(`${server.url}${withoutBody(endpoint)}`, {
        method: endpoint.method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        ...(endpoint.method !== 'GET' && { body: '{}' }),
      })
      const declared = operationOf(name).responses[response.status]
      expect(declared, `${response.status}`).toBeDefined()
      const carried = [...response.headers.keys()].filter((header) => known.has(header))
      const names = Object.keys(declared?.headers ?? {}).map((header) => header.toLowerCase())
      expect(carried.filter((header) => !names.includes(header))).toEqual([])
    }
  })

  const known = new Set(
    Object.keys((document.components as { headers: Json }).headers).map((header) => header.toLowerCase()),
  )
})

function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === '$ref' && typeof member === 'string' ? [member] : refsIn(member),
  )
}

function resolve(ref: string): unknown {
  return ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document)
}

test('what only OpenAPI 3.1 can say is null and constants, which the browsable reference translates', () => {
  const found = new Set<string>()
  JSON.stringify(document, (key, value) => {
    if (['prefixItems', 'exclusiveMinimum', 'exclusiveMaximum', 'if', 'not', 'contains', '$defs'].includes(key))
      found.add(key)
    if (Array.isArray(value?.type) && (value.type.length !== 2 || value.type[1] !== 'null'))
      found.add(value.type.join(' | '))
    return value
  })
  expect([...found]).toEqual([])
})
