import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasRepeatedName } from '../base/repeated-names.js'
import { makeApiKey } from '../foundation/callers/api-key.js'
import { invalidJson } from './invalid-json.js'
import { findJsonFault } from './json-fault.js'

function parseError(text: string): string | undefined {
  try {
    return hasRepeatedName(text, JSON.parse(text)) ? 'a repeated name' : undefined
  } catch (error) {
    return (error as Error).message
  }
}

/** JSON with one piece of it removed, repeated or replaced: almost JSON, as people and models send it. */
const almostJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', ',', '"', "'", '}', ']', ':', '\\', '\n', '-', 'e', 'nul'),
  )
  .map(([json, where, removed, added]) => {
    const at = where % (json.length + 1)
    return json.slice(0, at) + added + json.slice(at + removed)
  })

describe('the fault of a text that is not JSON', () => {
  test('is found exactly where there is one', () => {
    fc.assert(
      fc.property(fc.oneof(almostJson, fc.string(), fc.json()), (text) => {
        const error = parseError(text)
        const fault = findJsonFault(text)
        expect(fault === undefined, text).toBe(error === undefined)
        if (!fault) return
        expect(fault.at).toBeGreaterThanOrEqual(0)
        expect(fault.at).toBeLessThanOrEqual(text.length)
        // What comes before it can be continued to JSON, or is too long by a comma alone.
        if (fault.at < text.length && !fault.problem.startsWith('no comma'))
          expect(findJsonFault(text.slice(0, fault.at))?.problem ?? ENDS, text).toBe(ENDS)
      }),
      { numRuns: 2_000 },
    )
  })

  test('is found in texts of any depth', () => {
    expect(findJsonFault('['.repeat(300_000))).toMatchObject({ at: 300_000 })
    expect(findJsonFault('{"a":'.repeat(100_000))).toMatchObject({ at: 500_000 })
  })

  test.each([
    ['{"content": "hi",}', 'line 1, column 17: no comma may stand before }'],
    ['{"content": \'hi\'}', 'line 1, column 13: texts need double quotes'],
    ['{content: "hi"}', 'line 1, column 2: a name in double quotes is expected'],
    ['{"a": 1\n "b": 2}', 'line 2, column 2: a comma or } is expected'],
    ['{"a" 1}', 'line 1, column 6: a colon is expected after the name'],
    ['{"a": [1, 2', 'line 1, column 12: the JSON ends before it is complete'],
    ['{"a": "one\ntwo"}', 'line 1, column 11: a line break or control character in a text must be escaped, as \\n'],
    ['{"a": "\\x"}', 'line 1, column 9: this character cannot follow a backslash'],
    ['{"a": NaN}', 'line 1, column 7: a value is expected'],
    ['{"a": 1, "b": {"a": 2, "\\u0061": 3}}', 'line 1, column 24: this name stands twice in one object'],
    ['{"a": 1} x', 'line 1, column 10: nothing may follow the value'],
    ['{"é😀": ?}', 'line 1, column 8: a value is expected'],
    ['\ufeff{"a": ?}', 'line 1, column 7: a value is expected'],
  ])('%j is told by line and column', (text, place) => {
    expect(invalidJson(text).message).toContain(`at ${place}`)
  })

  test('shows what is around it and never a secret, wherever the fault is', () => {
    expect(invalidJson('{"content": "good morning" "type": "POST"}').message).toContain(
      '`…nt": "good morning" "type": "POS…`',
    )
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom('', '"', ',', '\n', '?'), fc.boolean(), (where, added, isQuoted) => {
        const key = makeApiKey()
        const json = JSON.stringify({ key: isQuoted ? `my key is ${key}!` : key, next: 1 })
        const at = where % json.length
        const text = json.slice(0, at) + added + json.slice(at + 1)
        if (parseError(text) === undefined) return
        const { message } = invalidJson(text)
        for (let part = 3; part + 16 <= key.length; part++) expect(message).not.toContain(key.slice(part, part + 16))
      }),
      { numRuns: 500 },
    )
  })
})

const ENDS = 'the JSON ends before it is complete'
