import type { Random } from '@rookery/tooling/random'
import type { Document, Schema } from './document.js'
import { hostileText, hostileValue } from './hostile.js'
import type { Pool } from './pool.js'

/** Makes values for the members of a request. */
export interface Values {
  /** A value that the schema accepts, as far as it can be known. */
  valid(random: Random, path: string, name: string, schema: Schema): unknown
  /** A value at, or just beyond, what the schema accepts. */
  nearly(random: Random, path: string, name: string, schema: Schema): unknown
}

// At least one of them fits every pattern of the document.
const CANDIDATES: readonly string[] = [
  'abc',
  'ada',
  'x',
  '1',
  '12.5',
  '1.0.0',
  '2.1.0-rc.1',
  '2026-01-01',
  `0x${'1'.repeat(40)}`,
  `0x${'ab'.repeat(20)}`,
  `0x${'1'.repeat(64)}`,
  `0x${'1'.repeat(130)}`,
  'a'.repeat(64),
]
const WORDS = ['rook', 'tide', 'market', 'hello', '#birds', '@ada', 'почта', '鳥', '🐦', 'the', 'of', 'share']

export function createValues({ resolve }: Pick<Document, 'resolve'>, pool: Pool): Values {
  function text(random: Random, { format, pattern, minLength = 0, maxLength = 200 }: Schema): string {
    if (format === 'uuid') return '01900000-0000-7000-8000-000000000000'
    if (format === 'date-time') return new Date(1_780_000_000_000 + random.below(1e9)).toISOString()
    if (pattern !== undefined) {
      const fitting = CANDIDATES.filter((it) => new RegExp(pattern).test(it))
      return fitting.length === 0 ? random.pick(CANDIDATES) : random.pick(fitting)
    }
    const words = Array.from({ length: random.between(1, 8) }, () => random.pick(WORDS)).join(' ')
    return words.padEnd(minLength, 'x').slice(0, maxLength)
  }

  function valid(random: Random, path: string, name: string, given: Schema): unknown {
    const schema = resolve(given)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return valid(random, path, name, random.pick(choices))
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return random.pick(schema.enum)
    const type = random.pick([schema.type ?? 'string'].flat())
    if (type === 'object') return object(random, path, schema)
    if (type === 'array') {
      const length = random.between(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3))
      return Array.from({ length }, () => valid(random, path, name, schema.items ?? {}))
    }
    if (type === 'boolean') return random.chance(0.5)
    if (type === 'null') return null
    if (type === 'integer' || type === 'number') {
      const { minimum = 0, maximum = 1_000 } = schema
      return random.between(Math.ceil(minimum), Math.min(maximum, minimum + 50))
    }
    const known = random.chance(0.8) ? pool.pick(random, path, name) : undefined
    return known ?? text(random, schema)
  }

  function object(random: Random, path: string, { properties = {}, required = [] }: Schema): object {
    const names = Object.keys(properties).filter((name) => required.includes(name) || random.chance(0.25))
    return Object.fromEntries(names.map((name) => [name, valid(random, path, name, properties[name] ?? {})]))
  }

  function nearly(random: Random, path: string, name: string, given: Schema): unknown {
    const schema = resolve(given)
    const { minimum = 0, maximum = 1_000, minLength = 0, maxLength = 500, maxItems } = schema
    const type = [schema.type ?? 'string'].flat()[0]
    if (random.chance(0.4)) return hostileValue(random)
    if (type === 'integer' || type === 'number')
      return random.pick([minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5, String(minimum), -0, 1e18])
    if (type === 'array')
      return Array.from({ length: (maxItems ?? 20) + random.below(2) }, () =>
        valid(random, path, name, schema.items ?? {}),
      )
    if (type === 'object') return { ...object(random, path, schema), [hostileText(random)]: hostileValue(random) }
    if (type === 'boolean') return random.pick(['true', 1, 'yes', null])
    if (schema.enum) return random.pick([`${schema.enum[0]} `, `${schema.enum[0]}`.toUpperCase(), ''])
    return random.pick([
      'x'.repeat(maxLength),
      'x'.repeat(maxLength + 1),
      '🐦'.repeat(maxLength),
      'x'.repeat(Math.max(0, minLength - 1)),
      `${valid(random, path, name, schema)}\0`,
      ` ${valid(random, path, name, schema)} `,
      `${valid(random, path, name, schema)}`.toUpperCase(),
      tamper(random, `${valid(random, path, name, schema)}`),
    ])
  }

  return { valid, nearly }
}

/** Changes one character, as somebody does who looks for what an id or a cursor means. */
export function tamper(random: Random, text: string): string {
  const at = random.below(text.length + 1)
  return text.slice(0, at) + random.pick(['A', '=', '0', '%', '_', '\u00e9', '']) + text.slice(at + 1)
}
