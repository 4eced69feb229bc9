import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import type { MemberSchema } from './members.js'
import { parseValue } from './parse-value.js'

const refused = (schema: MemberSchema, text: string) =>
  expect(() => parseValue(schema, text)).toThrow(InvalidArgumentError)

describe('parseValue', () => {
  test('reads whole numbers within their bounds', () => {
    const limit = { type: 'integer', minimum: 1, maximum: 100 }
    expect(parseValue(limit, '5')).toBe(5)
    for (const text of ['', 'five', '1.5', '0', '101', '1e2', '0x10', '9007199254740993']) refused(limit, text)
  })

  test('reads fractions where they are allowed', () => {
    expect(parseValue({ type: 'number' }, '-0.25')).toBe(-0.25)
    refused({ type: 'number' }, 'Infinity')
  })

  test('reads true and false and nothing else as a boolean', () => {
    expect(parseValue({ type: 'boolean' }, 'true')).toBe(true)
    expect(parseValue({ type: 'boolean' }, 'false')).toBe(false)
    refused({ type: 'boolean' }, 'yes')
  })

  test('takes one of the choices', () => {
    const order = { type: 'string', enum: ['ASC', 'DESC'] }
    expect(parseValue(order, 'ASC')).toBe('ASC')
    expect(() => parseValue(order, 'asc')).toThrow('one of ASC, DESC')
  })

  test('reads null only where null is a value', () => {
    expect(parseValue({ type: ['integer', 'null'] }, 'null')).toBeNull()
    expect(parseValue({ type: 'string' }, 'null')).toBe('null')
    refused({ type: 'integer' }, 'null')
  })

  test('keeps text as it is', () => {
    expect(parseValue({ type: 'string' }, ' 007 ')).toBe(' 007 ')
  })

  test('reads objects as JSON', () => {
    expect(parseValue({ type: 'object' }, '{"url":"https://a.example"}')).toEqual({ url: 'https://a.example' })
    refused({ type: 'object' }, '{url}')
  })
})
