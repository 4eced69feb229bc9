import type { Endpoint } from '@rookery/api'

/** The parts of a JSON Schema that the notation shows. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly enum?: readonly (string | null)[]
  readonly format?: string
  readonly pattern?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const PAGE = ['page', 'limit', 'cursor']
// Explained once, for all calls that take them.
const COMMON = ['fields', 'ids']

/** The query or body of a call on one line: names with types, `?` after optional ones, `=` before defaults. */
export function inputNotation({ query, body, multipart }: Endpoint): string {
  const parts = [query, body].filter((part) => part !== undefined).map((part) => members(part as Schema))
  return `${multipart ? 'form: ' : ''}${parts.filter((part) => part !== '').join(', ')}`
}

/** The answer of a call on one line: the name of a shape, its members, or the type of a document. */
export function outputNotation({ output, media }: Endpoint): string {
  if (media !== undefined && media !== 'application/json') return media
  const listed = listedIn(output as Schema)
  const { title } = listed ?? (output as Schema)
  const shape = title ?? names(listed ?? (output as Schema))
  return listed ? `[${shape}]` : shape
}

/** The named shape that an endpoint returns or lists, with its members. */
export function shapeOf({ output }: Endpoint): readonly [title: string, members: string] | undefined {
  const shape = listedIn(output as Schema) ?? (output as Schema)
  return shape.title === undefined || !shape.properties ? undefined : [shape.title, names(shape)]
}

function listedIn({ properties = {} }: Schema): Schema | undefined {
  return 'meta' in properties ? properties.data?.items : undefined
}

function names({ properties = {} }: Schema): string {
  return `{${Object.keys(properties).join(',')}}`
}

function members({ properties = {}, required = [] }: Schema): string {
  const isPaged = PAGE.every((name) => name in properties)
  const bounds = Object.keys(properties).flatMap((name) => {
    const what = name.match(/^min(?=[A-Z])(.+)$/)?.[1]
    return what !== undefined && `max${what}` in properties ? [what] : []
  })
  const isBound = (name: string) => /^(min|max)/.test(name) && bounds.includes(name.slice(3))
  const single = Object.entries(properties).filter(
    ([name]) => !isBound(name) && !(isPaged && PAGE.includes(name)) && !COMMON.includes(name),
  )
  return [
    ...single.map(([name, schema]) => member(name, schema, required.includes(name))),
    ...(bounds.length > 0 ? [`min…? and max…? of ${bounds.join(' ')}`] : []),
    ...(isPaged ? ['PAGE'] : []),
  ].join(', ')
}

function member(name: string, schema: Schema, isRequired: boolean): string {
  const type = typeNotation(schema)
  const colon = type === '' || type.startsWith('≤') ? '' : ':'
  const fallback = schema.default === undefined ? '' : `=${String(schema.default)}`
  return `${name}${isRequired ? '' : '?'}${colon}${type}${fallback}`
}

// Beyond this many choices the OpenAPI document has the whole list.
const MOST_CHOICES = 15

function choiceNotation(choices: readonly string[]): string {
  return choices.length <= MOST_CHOICES ? choices.join('/') : `${choices.slice(0, 3).join('/')}/…`
}

// Plain text has no notation, because most members are plain text.
function typeNotation(schema: Schema): string {
  if (schema.enum) return choiceNotation(schema.enum.map(String))
  const [type, orNull] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const base = baseNotation({ ...schema, type })
  return orNull === undefined ? base : `${base === '' ? 'text' : base}/null`
}

function baseNotation(schema: Schema): string {
  const most = (limit: number | undefined) => (limit === undefined ? '' : `≤${limit}`)
  switch (schema.type) {
    case 'integer':
      return 'int'
    case 'boolean':
      return 'bool'
    case 'array':
      return `[${(schema.items && typeNotation(schema.items)) || 'text'}]${most(schema.maxItems)}`
    case 'object':
      return `{${members(schema)}}`
    case 'string':
      return textNotation(schema)
    default:
      return schema.type === undefined ? 'any' : String(schema.type)
  }
}

function textNotation({ format, pattern, maxLength }: Schema): string {
  if (format === 'uuid') return 'id'
  if (format === 'date-time') return 'time'
  if (format === 'address' || pattern?.includes('{40}')) return '0x'
  return maxLength === undefined || maxLength < 200 ? '' : `≤${maxLength}`
}
