import { expect, test } from 'vitest'
import { createProgress, sizeText } from './progress.js'

function record(isTTY: boolean): string {
  let written = ''
  const progress = createProgress({ isTTY, write: (text) => (written += text) })
  progress.begin('Copying', 2_000_000)
  progress.add(1_000_000)
  progress.add(1_000_000)
  progress.begin('Opening')
  progress.end()
  return written
}

test('progress is one line per step, which grows in a terminal and is written once elsewhere', () => {
  expect(record(false)).toBe('Copying …\nOpening …\n')
  const lines = record(true).split('\n')
  expect(lines.map((line) => line.split('\r\x1b[2K').at(-1))).toEqual([
    `Copying … ${'█'.repeat(30)} 2 MB of 2 MB`,
    'Opening …',
    '',
  ])
})

test('sizes are written for people', () => {
  expect([1, 999_999, 1_500_000, 2_340_000_000].map(sizeText)).toEqual(['1 kB', '1000 kB', '2 MB', '2.3 GB'])
})
