import { meantWord, ONE_LINE } from '@rookery/api'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { countCharacters } from '../base/count-characters.js'
import { mayHoldSecret } from './hide-secrets.js'

const LONGEST_SHOWN = 40

/** What a member must be, and what was sent instead as far as that helps. */
export function explainFault(error: ErrorObject): string {
  const { keyword, params, data } = error
  switch (keyword) {
    case 'enum':
      return explainWord(params.allowedValues as readonly unknown[], data)
    case 'type':
      return `must be ${typeNames(params.type)}${youSent(data)}`
    case 'minimum':
      return `must be at least ${params.limit}${youSent(data)}`
    case 'maximum':
      return `must be at most ${params.limit}${youSent(data)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters; you sent ${countCharacters(String(data))}`
    case 'maxItems':
      return `must have at most ${params.limit} items; you sent ${(data as readonly unknown[]).length}`
    case 'format':
      return `must be ${FORMATS[String(params.format)] ?? `a valid ${params.format}`}${youSent(data)}`
    case 'pattern':
      return explainPattern(error)
    default:
      return error.message ?? 'is not valid'
  }
}

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'a time such as 2026-01-31T12:00:00.000Z' }

const PATTERNS: Readonly<Record<string, string>> = {
  '^0x[0-9a-fA-F]{40}$': 'must be an address: 0x and 40 hex digits',
  '^0x([0-9a-fA-F]{2})+$': 'must be 0x and pairs of hex digits',
  [ONE_LINE]: 'must be on one line, without control characters',
}

function explainPattern({ params, parentSchema, data }: ErrorObject): string {
  const known = PATTERNS[String(params.pattern)]
  if (known !== undefined) return `${known}${youSent(data)}`
  const description: unknown = parentSchema?.description
  return `has the wrong form${typeof description === 'string' ? ` (${description})` : ''}${youSent(data)}`
}

function explainWord(allowed: readonly unknown[], sent: unknown): string {
  const words = allowed.filter((word) => typeof word === 'string')
  const meant = typeof sent === 'string' ? meantWord(sent, words) : undefined
  const question = meant === undefined ? '' : `, did you mean \`${meant}\`?`
  return `must be one of ${words.join(', ')}${youSent(sent)}${question}`
}

/** What was sent, unless it says nothing: a text that is long or could be a secret is only called a text. */
function youSent(value: unknown): string {
  const named = nameValue(value)
  return named === undefined ? '' : `; you sent ${named}`
}

function nameValue(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number') return `the number ${value}`
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return undefined
  if (value === '') return 'an empty text'
  // Our sentence repeats a word, never a sentence of somebody else.
  const isShown = value.length <= LONGEST_SHOWN && !mayHoldSecret(value) && /^[\w.:+-]+$/.test(value)
  return isShown ? `the text "${value}"` : `a text of ${countCharacters(value)} characters`
}

const TYPES: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  object: 'an object',
  array: 'a list',
  string: 'a text',
  boolean: 'true or false',
  null: 'null',
}

function typeNames(type: unknown): string {
  return [type]
    .flat()
    .map((name) => TYPES[String(name)] ?? `a ${name}`)
    .join(' or ')
}
