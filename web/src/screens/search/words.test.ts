import { describe, expect, test } from 'vitest'
import { wordsOf } from './words.js'

describe('words to highlight', () => {
  test('are the meaningful ones, in lower case and without repeats', () => {
    expect(wordsOf('Why is the Bread flat, and why bread?')).toEqual(['bread', 'flat'])
  })

  test('are cut so that other forms are marked as well', () => {
    expect(wordsOf('gauges reported frozen')).toEqual(['gaug', 'report', 'frozen'])
  })

  test('are none for a search of small words', () => {
    expect(wordsOf('what is it?')).toEqual([])
  })
})
