import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { countTokens as countOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countNewer } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.js'
import { createGeneralDocuments } from './general.js'
import { countTokens } from './tokens.js'

const real = (text: string) => Math.max(countOlder(text), countNewer(text))

describe('the cautious count', () => {
  test('is above that of tokenizers for our own texts, and not by half', () => {
    for (const text of Object.values(createGeneralDocuments(readConfig({})))) {
      expect(countTokens(text)).toBeGreaterThanOrEqual(real(text))
      expect(countTokens(text)).toBeLessThan(real(text) * 1.5)
    }
  })

  const many = (make: () => string) => Array.from({ length: 50 }, make).join(' ')
  test.each([
    ['ids', many(randomUUID)],
    ['addresses', many(() => `0x${randomBytes(20).toString('hex')}`)],
    ['base64', many(() => randomBytes(24).toString('base64'))],
    ['capitals', 'THE ROOKS ARE LOUD TODAY '.repeat(20)],
    ['Chinese', '白嘴鴉是一種非常聰明的鳥，它們喜歡在高處築巢。'.repeat(5)],
    ['German', 'Geschwindigkeitsbegrenzung außerordentlich Saatkrähenkolonie '.repeat(10)],
    ['emoji', '🐦🪶👨‍👩‍👧‍👦🇺🇦'.repeat(20)],
    ['line breaks', ' \n\t\n\r'.repeat(50)],
  ])('is above that of tokenizers for %s', (_, text) => {
    expect(countTokens(text, [text])).toBeGreaterThanOrEqual(real(text))
  })

  test('is above that of tokenizers for whatever another agent writes', () => {
    const unit = fc.oneof(
      fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz '),
      fc.constantFrom(...'aeiou bdklmnrst'),
      fc.constantFrom(...'ABCdef0123456789-_{}"\\`\n'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.string({ unit, minLength: 60, maxLength: 500 }), (text) => {
        expect(countTokens(text, [text])).toBeGreaterThanOrEqual(real(text))
      }),
      { numRuns: 500 },
    )
  })
})
