import { shownName } from '@rookery/api'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { dropNulls } from '../base/drop-nulls.js'
import { type Detail, Problem } from '../base/problem.js'
import { explainFault } from './explain-fault.js'
import { namingMembers, replaceNuls } from './names.js'

// Query and path members arrive as text, so they are converted to numbers and booleans. A JSON body is not converted.
const textValidators = createValidators({ coerceTypes: true })
const jsonValidators = createValidators({ coerceTypes: false })

/** One validator stops at the first fault, the other finds all. */
interface Validators {
  readonly first: Ajv2020
  readonly all: Ajv2020
}

function createValidators({ coerceTypes }: { coerceTypes: boolean }): Validators {
  const options = { useDefaults: true, strict: false, allowUnionTypes: true, coerceTypes } as const
  const make = (allErrors: boolean) => {
    const ajv = formats.default(new Ajv2020({ ...options, allErrors, verbose: true }))
    // Text by which a caller names something may have any form: what it names is not found.
    for (const format of ['uuid', 'name', 'address']) ajv.addFormat(format, true)
    return ajv.addFormat('date-time', isTime)
  }
  return { first: make(false), all: make(true) }
}

// The standard allows leap seconds, the year 0 and distant zones; JavaScript or PostgreSQL does not.
function isTime(text: string): boolean {
  if (!(fullFormats['date-time'] as { validate: (text: string) => boolean }).validate(text)) return false
  return !Number.isNaN(Date.parse(text)) && !text.startsWith('0000') && !/[+-](1[5-9]|2\d):?\d\d$/.test(text)
}

/** More faults than this help nobody; an input with more members than this is not searched for all faults. */
const MOST_FAULTS = 20
const MOST_MEMBERS = 1_000
const DEEPEST = 32

/** Creates the validator of one part of a request. It is compiled on first use: compiling all would delay the start. */
export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const isBody = httpPart === 'body'
  const { first, all } = isBody ? jsonValidators : textValidators
  const naming = namingMembers(schema as TSchema)
  let validate: ValidateFunction | undefined
  let findAll: ValidateFunction | undefined
  return (data: unknown) => {
    const value = data ?? {}
    if (isBody && (typeof value !== 'object' || Array.isArray(value)))
      return { error: Problem.at('body', 'must be a JSON object') }
    replaceNuls(value as Record<string, unknown>, naming)
    if (isBody) dropNulls(schema, value)
    const { members, fault } = inspectMembers(value)
    if (fault) return { error: Problem.at(fault.path, fault.message) }
    validate ??= first.compile(schema)
    if (validate(value)) return { value }
    if (members > MOST_MEMBERS) return { error: problemOf(validate) }
    findAll ??= all.compile(schema)
    findAll(value)
    return { error: problemOf(findAll) }
  }
}

function problemOf({ errors }: ValidateFunction): Problem {
  const details = unique((errors ?? []).slice(0, MOST_FAULTS).map(describe))
  const first = details[0]
  return new Problem('INVALID_INPUT', {
    details,
    ...(first && { message: `${first.path} ${first.message}`.replace(/[^?]$/, '$&.') }),
  })
}

/** Counts all members, and finds the first one that every schema accepts but that cannot be stored. */
function inspectMembers(whole: unknown): { members: number; fault?: Detail } {
  const rest = [{ value: whole, path: '', depth: 0 }]
  let members = 0
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, path, depth } = next
    members++
    if (typeof value === 'string') {
      // PostgreSQL stores every character but this one, and no half of one.
      if (value.includes('\0')) return { members, fault: faultAt(path, 'must not contain the character U+0000') }
      if (!value.isWellFormed()) return { members, fault: faultAt(path, 'must not contain half of a surrogate pair') }
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth > DEEPEST) return { members, fault: faultAt(path.split('.', 1)[0] ?? '', 'is nested too deeply') }
    for (const [name, member] of Object.entries(value))
      rest.push({ value: member, path: path ? `${path}.${name}` : name, depth: depth + 1 })
  }
  return { members }
}

function faultAt(path: string, message: string): Detail {
  const names = path.split('.').map((name) => (/^\d{1,6}$/.test(name) ? name : shownName(name)))
  return { path: path === '' ? 'body' : names.join('.'), message }
}

function describe(error: ErrorObject): Detail {
  const inside = error.instancePath.slice(1).replaceAll('/', '.')
  if (error.keyword === 'required') {
    const missing = String(error.params.missingProperty)
    return { path: inside ? `${inside}.${missing}` : missing, message: 'is required' }
  }
  return { path: inside || 'body', message: explainFault(error) }
}

function unique(details: Detail[]): Detail[] {
  return [...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values()]
}
