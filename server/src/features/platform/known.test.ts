import { expect, test, vi } from 'vitest'
import { createKnown } from './known.js'

test('asks once for all who want to know at a time, and again after a while', async () => {
  const read = vi.fn(async () => 'answer')
  const known = createKnown(read, { keptMs: 20 })
  expect(await Promise.all([known(), known()])).toEqual([{ value: 'answer' }, { value: 'answer' }])
  expect(read).toHaveBeenCalledTimes(1)
  await vi.waitFor(async () => {
    await known()
    expect(read).toHaveBeenCalledTimes(2)
  })
})

test('keeps nobody waiting for an answer that does not come, and asks no second time meanwhile', async () => {
  let answer = (_: string) => {}
  const read = vi.fn(() => new Promise<string>((resolve) => (answer = resolve)))
  const known = createKnown(read, { keptMs: 20, withinMs: 5 })
  expect(await known()).toEqual({ value: undefined })
  expect(await known()).toEqual({ value: undefined })
  expect(read).toHaveBeenCalledTimes(1)
  answer('late')
  await vi.waitFor(async () => expect(await known()).toEqual({ value: 'late' }))
})

test('gives an older answer while the next is waited for, where that may be', async () => {
  let isSilent = false
  const read = () => (isSilent ? new Promise<string>(() => {}) : Promise.resolve('older'))
  const known = createKnown(read, { keptMs: 0, withinMs: 5, staleMs: 60_000 })
  expect(await known()).toEqual({ value: 'older' })
  isSilent = true
  expect(await known()).toEqual({ value: 'older' })
})

test('a failure is told to whoever listens, and is no answer', async () => {
  const onError = vi.fn()
  const known = createKnown(() => Promise.reject(new Error('gone')), { keptMs: 20, onError })
  expect(await known()).toEqual({ value: undefined })
  expect(onError).toHaveBeenCalledWith(new Error('gone'))
})
