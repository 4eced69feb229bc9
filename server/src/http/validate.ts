import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type Detail, Problem } from '../problem.js'

const shared = { allErrors: true, useDefaults: true, strict: false, allowUnionTypes: true } as const
// Query and path members arrive as text, so numbers and booleans are read out of it. A JSON body says what it means.
const asText = formats.default(new Ajv2020({ ...shared, coerceTypes: true }))
const asJson = formats.default(new Ajv2020({ ...shared, coerceTypes: false }))

/** Compiles the validator of one part of a request. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' ? asJson : asText).compile(schema)
  return (data: unknown) => checked(validate, data, httpPart === 'body')
}

function checked(validate: ValidateFunction, data: unknown, isBody: boolean) {
  const value = data ?? {}
  if (isBody && (typeof value !== 'object' || Array.isArray(value)))
    return { error: Problem.at('body', 'must be a JSON object') }
  const unreadable = findControlText(value, '')
  if (unreadable !== undefined) return { error: Problem.at(unreadable, 'must not contain the character U+0000') }
  if (validate(value)) return { value }
  const details = unique((validate.errors ?? []).map(describe))
  const first = details[0]
  const message = first && { message: `${first.path} ${first.message}.` }
  return { error: new Problem('INVALID_INPUT', { details, ...message }) }
}

// PostgreSQL stores every character but this one.
function findControlText(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path || 'body' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const found = findControlText(member, path ? `${path}.${name}` : name)
    if (found !== undefined) return found
  }
  return undefined
}

function describe(error: ErrorObject): Detail {
  const inside = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty)
    return { path: inside ? `${inside}.${missing}` : missing, message: 'is required' }
  }
  return { path: inside || 'body', message: expectation(error) }
}

function expectation({ keyword, params, parentSchema, message }: ErrorObject): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
    case 'type':
      return `must be ${article(String(params.type))}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'format':
      return `must be a valid ${params.format}`
    case 'pattern': {
      const description: unknown = parentSchema?.description
      return `has the wrong form${typeof description === 'string' ? ` (${description})` : ''}`
    }
    default:
      return message ?? 'is not valid'
  }
}

function article(type: string): string {
  const names: Record<string, string> = { integer: 'a whole number', object: 'an object', array: 'a list' }
  return names[type] ?? `a ${type}`
}

function unique(details: Detail[]): Detail[] {
  return [...new Map(details.map((it) => [`${it.path} ${it.message}`, it])).values()]
}
