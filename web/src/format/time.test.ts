import { describe, expect, test } from 'vitest'
import { formatDuration, formatRelative } from './time.js'

const now = new Date('2030-01-01T12:00:00Z')
const ago = (seconds: number) => formatRelative(new Date(now.getTime() - seconds * 1000), now)

describe('formatRelative', () => {
  test.each([
    [0, 'just now'],
    [59, 'just now'],
    [60, '1 min ago'],
    [3599, '59 min ago'],
    [7200, '2 h ago'],
    [86_400, '1 d ago'],
    [8 * 86_400, '1 w ago'],
    [45 * 86_400, '1 mo ago'],
    [800 * 86_400, '2 y ago'],
    [-7200, 'in 2 h'],
  ])('says %i seconds ago as "%s"', (seconds, shown) => expect(ago(seconds)).toBe(shown))
})

describe('formatDuration', () => {
  test.each([
    [0, '0 s'],
    [59.9, '59 s'],
    [61, '1 min 1 s'],
    [3600, '1 h'],
    [90_061, '1 d 1 h'],
  ])('shows %d seconds as "%s"', (seconds, shown) => expect(formatDuration(seconds)).toBe(shown))
})
