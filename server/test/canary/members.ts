import { calledEndpoints, type Endpoint, type EndpointName } from '@rookery/api'
import { sampleInput } from '../sample-input.js'

/** The parts of a JSON Schema that are walked here. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly 'x-words'?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

/** A member of an input that takes text. */
export interface Member {
  readonly endpoint: EndpointName
  readonly method: string
  /** With dots into objects and lists: `medias.0.url`. */
  readonly path: string
  /** Whether any sentence fits: neither a few words, nor a pattern, nor the name of something. */
  readonly isFree: boolean
}

/** Every member of every call that takes text, as the interface describes them. */
export const members: readonly Member[] = calledEndpoints.flatMap(({ name, endpoint }) =>
  partsOf(endpoint).flatMap((part) =>
    textsIn(part, []).map(([path, schema]) => ({
      endpoint: name,
      method: endpoint.method,
      path: path.join('.'),
      isFree: !schema.enum && !schema.format && new RegExp(schema.pattern ?? '', 'u').test('Feed the rooks now.'),
    })),
  ),
)

function partsOf({ params, query, body }: Endpoint): Schema[] {
  return [params, query, body].flatMap((part) => (part ? [part as Schema] : []))
}

function textsIn(schema: Schema, path: readonly string[]): [path: readonly string[], schema: Schema][] {
  if ([schema.type].flat().includes('string')) return schema.format === 'binary' ? [] : [[path, schema]]
  if (schema.items) return textsIn(schema.items, [...path, '0'])
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => textsIn(member, [...path, name]))
}

/** A copy of an input with a value in one of its members. What else that needs is made up. */
export function plant(endpoint: Endpoint, input: object, path: string, value: string): Record<string, unknown> {
  const whole: Schema = { properties: Object.assign({}, ...partsOf(endpoint).map(({ properties }) => properties)) }
  return put(whole, input, path.split('.'), value) as Record<string, unknown>
}

function put(schema: Schema, current: unknown, [key = '', ...rest]: readonly string[], value: string): unknown {
  const inner = schema.items ?? schema.properties?.[key] ?? {}
  const next = (held: unknown) => (rest.length === 0 ? value : put(inner, held, rest, value))
  if (schema.items) return [next(inner.properties ? sampleInput(inner as never) : undefined)]
  const held = (current ?? {}) as Record<string, unknown>
  return { ...held, [key]: next(held[key]) }
}

/** Where a text that a pattern finds stands in an answer, outside of the members that are marked as words of others. */
export function findStrays(value: unknown, schemas: readonly Schema[], pattern: RegExp, where = ''): string[] {
  const all = schemas.flatMap(alternativesOf)
  if (typeof value === 'string')
    return pattern.test(value) && !all.some((schema) => schema['x-words'] === 'others') ? [`${where}: ${value}`] : []
  if (Array.isArray(value)) {
    const items = all.flatMap((schema) => schema.items ?? [])
    return value.flatMap((item) => findStrays(item, items, pattern, `${where}[]`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const name = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    const inner = all.flatMap(({ properties }) => properties?.[key] ?? properties?.[name] ?? [])
    return [
      ...(pattern.test(key) ? [`${where} has a member ${key}`] : []),
      ...findStrays(member, inner, pattern, `${where}.${key}`),
    ]
  })
}

function alternativesOf(schema: Schema): Schema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternativesOf)]
}
