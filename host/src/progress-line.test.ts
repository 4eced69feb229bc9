import { describe, expect, test } from 'vitest'
import { createProgressLine, drawBar } from './progress-line.js'

function start(terminal: { isTTY: boolean; columns?: number }) {
  let time = 0
  const written: string[] = []
  const line = createProgressLine({
    terminal: { ...terminal, write: (text) => written.push(text) },
    plainEveryMs: 10_000,
    now: () => time,
  })
  const pass = (ms: number) => {
    time += ms
  }
  return { line, written, pass }
}

describe('a progress line', () => {
  test('redraws itself in a terminal, not too often, and stays at the end', () => {
    const { line, written, pass } = start({ isTTY: true, columns: 5 })
    line.show({ text: 'first' })
    line.show({ text: 'too soon' })
    pass(100)
    line.show({ text: 'two' })
    line.show({ text: 'end', isLast: true })
    expect(written).toEqual(['\r\x1b[2Kfirs', '\r\x1b[2Ktwo', '\r\x1b[2Kend\n'])
  })

  test('is an occasional plain line elsewhere, or a replacement', () => {
    const { line, written, pass } = start({ isTTY: false })
    line.show({ text: 'first' })
    pass(9_999)
    line.show({ text: 'too soon' })
    line.show({ text: 'drawn', isLast: true, plain: () => written.push('plain') })
    expect(written).toEqual(['first\n', 'plain'])
  })

  test('has a bar of constant width', () => {
    expect([0, 0.5, 1, 7].map((part) => drawBar(part).indexOf('░'))).toEqual([0, 15, -1, -1])
    expect(new Set([0, 0.33, 1, 7].map((part) => drawBar(part).length))).toEqual(new Set([30]))
  })
})
