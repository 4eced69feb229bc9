import { expect, test, vi } from 'vitest'
import { createProbe } from './probe.js'

test('reads once for parallel callers, and again after a while', async () => {
  const read = vi.fn(async () => 'answer')
  const probe = createProbe(read, { keptMs: 20 })
  expect(await Promise.all([probe(), probe()])).toEqual([{ value: 'answer' }, { value: 'answer' }])
  expect(read).toHaveBeenCalledTimes(1)
  await vi.waitFor(async () => {
    await probe()
    expect(read).toHaveBeenCalledTimes(2)
  })
})

test('keeps nobody waiting for a late answer, and starts no second read meanwhile', async () => {
  let answer = (_: string) => {}
  const read = vi.fn(() => new Promise<string>((resolve) => (answer = resolve)))
  const probe = createProbe(read, { keptMs: 20, withinMs: 5 })
  expect(await probe()).toEqual({ value: undefined })
  expect(await probe()).toEqual({ value: undefined })
  expect(read).toHaveBeenCalledTimes(1)
  answer('late')
  await vi.waitFor(async () => expect(await probe()).toEqual({ value: 'late' }))
})

test('waits longer for the first answer, where that is allowed', async () => {
  let isSilent = false
  const read = () =>
    isSilent ? new Promise<string>(() => {}) : new Promise<string>((resolve) => setTimeout(resolve, 50, 'first'))
  const probe = createProbe(read, { keptMs: 0, withinMs: 5, firstWithinMs: 10_000 })
  expect(await probe()).toEqual({ value: 'first' })
  isSilent = true
  expect(await probe()).toEqual({ value: undefined })
})

test('returns an older answer while the next is late, where that is allowed', async () => {
  let isSilent = false
  const read = () => (isSilent ? new Promise<string>(() => {}) : Promise.resolve('older'))
  const probe = createProbe(read, { keptMs: 0, withinMs: 5, staleMs: 60_000 })
  expect(await probe()).toEqual({ value: 'older' })
  isSilent = true
  expect(await probe()).toEqual({ value: 'older' })
})

test('reports a failure to onError, and returns no value', async () => {
  const onError = vi.fn()
  const probe = createProbe(() => Promise.reject(new Error('gone')), { keptMs: 20, onError })
  expect(await probe()).toEqual({ value: undefined })
  expect(onError).toHaveBeenCalledWith(new Error('gone'))
})

test('remembers a failure like an answer', async () => {
  const read = vi.fn(() => Promise.reject(new Error('gone')))
  const probe = createProbe(read, { keptMs: 60_000 })
  for (let call = 0; call < 5; call++) expect(await probe()).toEqual({ value: undefined })
  expect(read).toHaveBeenCalledTimes(1)
})
