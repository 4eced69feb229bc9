import { expect, test } from 'vitest'
import { createFatalErrorReader } from './fatal-error.js'

function message(type: string, body: string): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + Buffer.byteLength(body), 1)
  return Buffer.concat([head, Buffer.from(body)])
}

const row = message('D', `a tweet about ${'VPANIC\0MNo!\0'.repeat(3)}`)
const refusal = message('E', 'SERROR\0VERROR\0C23505\0Mduplicate\0\0')
const panic = message('E', 'SPANIK\0VPANIC\0C58P01\0Mcould not create file\0\0')
const ready = message('Z', 'I')

test('finds a panic among other messages, and mistakes nothing else for one', () => {
  expect(createFatalErrorReader()(Buffer.concat([row, refusal, ready]))).toBeUndefined()
  expect(createFatalErrorReader()(Buffer.concat([row, panic, ready]))).toBe('PANIC: could not create file')
})

test('finds it wherever the data is split', () => {
  const all = Buffer.concat([row, ready, panic])
  for (let first = 1; first < all.length; first++)
    for (const second of [first + 1, first + 4, all.length - 1]) {
      const read = createFatalErrorReader()
      const cuts = [0, first, Math.max(first, Math.min(second, all.length)), all.length]
      const messages = cuts.slice(1).map((end, index) => read(all.subarray(cuts[index], end)))
      expect(messages.find((fatal) => fatal !== undefined)).toBe('PANIC: could not create file')
    }
})
