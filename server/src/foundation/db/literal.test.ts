import { describe, expect, test } from 'vitest'
import { literal } from './literal.js'

describe('literal', () => {
  test('writes exact values, and strings that need no quotes', () => {
    expect(literal([1, -2.5, null])).toBe('{1,-2.5,null}')
    expect(literal([10n ** 30n, true])).toBe(`{${10n ** 30n},true}`)
    expect(literal(['0xab', '0190a4c2-0000-7000-8000-000000000000'])).toBe(
      '{0xab,0190a4c2-0000-7000-8000-000000000000}',
    )
    expect(literal([])).toBe('{}')
  })

  test.each(['', 'two words', 'a,b', '{', '}', '"', '\\', 'new\nline', 'é', 'NULL'])('refuses %j', (value) => {
    expect(() => literal(['fine', value])).toThrow(TypeError)
  })
})
