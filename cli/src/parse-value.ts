import { InvalidArgumentError } from 'commander'
import { isNullable, type MemberSchema, typeOf } from './members.js'

/** Parses a word of the command line by the schema of its member. */
export function parseValue(schema: MemberSchema, text: string): unknown {
  if (isNullable(schema) && text === 'null') return null
  if (schema.enum) return parseChoice(schema.enum, text)
  switch (typeOf(schema)) {
    case 'integer':
    case 'number':
      return parseNumber(schema, text)
    case 'boolean':
      return parseChoice(['true', 'false'], text) === 'true'
    case 'string':
      return text
    default:
      return parseJson(text)
  }
}

function parseChoice(choices: readonly (string | null)[], text: string): string {
  const words = choices.filter((word) => word !== null)
  if (!words.includes(text)) throw new InvalidArgumentError(`It must be one of ${words.join(', ')}.`)
  return text
}

function parseNumber(schema: MemberSchema, text: string): number {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema
  const value = /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number.')
  if (typeOf(schema) === 'integer' && !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.')
  if (value < minimum) throw new InvalidArgumentError(`It must be at least ${minimum}.`)
  if (value > maximum) throw new InvalidArgumentError(`It must be at most ${maximum}.`)
  return value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}
