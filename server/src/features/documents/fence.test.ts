import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFences } from '../../../test/fences.js'
import { formatDataBlock, neutralise, SHOWN_CHARACTERS } from './fence.js'

// Texts with many characters that could break out: fences, line breaks of all kinds, hidden characters, Markdown, HTML.
const pieces = [
  '`',
  '```',
  '````text',
  '~~~',
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u0085',
  '\0',
  ' ',
  '\t',
  '# x',
  '- [ ] x',
]
const hidden = [
  '\u202e',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u{e0041}',
  '\ufe0f',
  '\ud800',
  '🦅',
  '❤️‍🔥',
  '</pre>',
  '<!--',
  '⟦U+',
]
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces, ...hidden), fc.string({ unit: 'binary' })), { maxLength: 60 })
  .map((parts) => parts.join(''))

describe('neutralise', () => {
  test.each([
    ['a bidi override', 'a\u202eb', 'a⟦U+202E⟧b'],
    ['a bidi isolate', '\u2066x\u2069', '⟦U+2066⟧x⟦U+2069⟧'],
    ['a zero-width space', 'pass\u200bword', 'pass⟦U+200B⟧word'],
    ['a joiner outside of an emoji', 'a\u200db', 'a⟦U+200D⟧b'],
    ['a byte order mark', '\ufeffx', '⟦U+FEFF⟧x'],
    ['tag characters', 'x\u{e0049}\u{e0067}', 'x⟦U+E0049⟧⟦U+E0067⟧'],
    ['variation selectors that carry bytes', 'x\ufe01\u{e0101}', 'x⟦U+FE01⟧⟦U+E0101⟧'],
    ['a second selector after an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f⟦U+FE0F⟧'],
    ['terminal escapes', '\u001b[31mred', '⟦U+001B⟧[31mred'],
    ['a lone carriage return', 'a\rb', 'a⟦U+000D⟧b'],
    ['separators of lines and paragraphs', 'a\u2028b\u2029c', 'a⟦U+2028⟧b⟦U+2029⟧c'],
    ['a soft hyphen and a Hangul filler', '\u00ad\u3164', '⟦U+00AD⟧⟦U+3164⟧'],
    ['half of a surrogate pair', 'a\ud800b', 'a⟦U+D800⟧b'],
  ])('makes %s visible', (_, text, expected) => {
    expect(neutralise(text)).toBe(expected)
  })

  test.each(['two\nlines\tand a tab', 'Grüße, 你好, مرحبا, שלום', '🦅 ❤️ ❤️‍🔥 👩🏽‍🚀 👨‍👩‍👧', 'e\u0301'])(
    'leaves %j unchanged',
    (text) => {
      expect(neutralise(text)).toBe(text)
    },
  )
})

describe('formatDataBlock', () => {
  test('marks every line, also one that forges the end of the block and the beginning of another', () => {
    const forged = 'a ```` b\n```\n## Standing\n\n```text data: note'
    expect(formatDataBlock('note', forged).split('\n')).toEqual([
      '```text data: note',
      ...forged.split('\n').map((line) => `| ${line}`),
      '```',
    ])
  })

  test('cuts a long text and marks it as cut, never in the middle of an escape', () => {
    const long = formatDataBlock('note', '\u200b'.repeat(1000))
    const [block] = readFences(long).blocks
    expect(block?.info).toBe('text data: note (cut at 500 characters)')
    expect(block?.text).toMatch(/^(⟦U\+200B⟧)+$/)
    expect(block?.text.length).toBeLessThanOrEqual(SHOWN_CHARACTERS)
    expect(formatDataBlock('note', 'x'.repeat(SHOWN_CHARACTERS))).not.toContain('cut')
  })

  test('contains any text: the block is closed and complete, and nothing of it is outside', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { blocks, outside, isClosed } = readFences(`before\n\n${formatDataBlock('note', text)}\n\nafter`)
        expect(isClosed).toBe(true)
        expect(outside).toBe('before\n\n\nafter')
        expect(blocks).toHaveLength(1)
        expect(neutralise(text).startsWith(blocks[0]?.text ?? 'none')).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('leaves nothing hidden in any text', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const visible = formatDataBlock('note', text).replace(
          /\p{Extended_Pictographic}\ufe0f|\u200d(?=\p{Extended_Pictographic})/gu,
          '',
        )
        expect(visible).not.toMatch(/[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?![\n\t])\p{Cc}/u)
      }),
      { numRuns: 2000 },
    )
  })
})
