import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type RpcCall, RpcError, type RpcOutcome } from './rpc.js'
import { createSharedRpc } from './shared-rpc.js'

interface Sent {
  readonly methods: string[]
  answer(): void
  fail(error: Error): void
}

let sent: Sent[]
const shared = () =>
  createSharedRpc({
    batch: (calls: readonly RpcCall[]) =>
      new Promise<RpcOutcome[]>((resolve, reject) => {
        sent.push({
          methods: calls.map(({ method }) => method),
          answer: () => resolve(calls.map(({ method }) => ({ result: `${method} ${sent.length}` }))),
          fail: reject,
        })
      }),
  })
const methods = () => sent.map(({ methods }) => methods.join(' '))

beforeEach(() => {
  sent = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('what callers ask in the same moment is one request, and the same question is asked once', async () => {
  const { request } = shared()
  const answers = Promise.all([request('a', []), request('b', [1]), request('a', [])])
  await setImmediate()
  expect(methods()).toEqual(['a b'])
  sent[0]?.answer()
  expect(await answers).toEqual(['a 1', 'b 1', 'a 1'])
})

test('a call does not join a request that has been sent, whose answer may be older than the call', async () => {
  const { request } = shared()
  const before = request('a', [])
  await setImmediate()
  const after = request('a', [])
  await setImmediate()
  expect(methods()).toEqual(['a', 'a'])
  sent[0]?.answer()
  sent[1]?.answer()
  expect([await before, await after]).toEqual(['a 2', 'a 2'])
})

test('while two requests are under way, the next calls are collected', async () => {
  const { request } = shared()
  const calls = []
  for (const method of ['a', 'b', 'c', 'd']) {
    calls.push(request(method, []))
    await setImmediate()
  }
  expect(methods()).toEqual(['a', 'b'])
  sent[0]?.answer()
  await setImmediate()
  await setImmediate()
  expect(methods()).toEqual(['a', 'b', 'c d'])
  for (const { answer } of sent) answer()
  await Promise.all(calls)
})

test('a request without an answer holds up nobody for long, and its failure reaches its own callers alone', async () => {
  const { request } = shared()
  const [first, second] = [request('a', []), request('b', []).catch((error: Error) => error.message)]
  first.catch(() => {})
  await setImmediate()
  const more = request('c', [])
  more.catch(() => {})
  await setImmediate()
  const late = request('d', [])
  await setImmediate()
  expect(methods()).toEqual(['a b', 'c'])
  vi.advanceTimersByTime(1_000)
  await setImmediate()
  await setImmediate()
  expect(methods()).toEqual(['a b', 'c', 'd'])
  sent[2]?.answer()
  expect(await late).toBe('d 3')
  sent[0]?.fail(new RpcError('no answer', undefined, undefined, true))
  expect(await second).toBe('no answer')
  sent[1]?.fail(new RpcError('no answer', undefined, undefined, true))
  // Slow requests that end are not subtracted a second time: two at once are still the most.
  const next = []
  for (const method of ['e', 'f', 'g']) {
    next.push(request(method, []))
    await setImmediate()
  }
  expect(methods()).toEqual(['a b', 'c', 'd', 'e', 'f'])
  sent[3]?.answer()
  expect(await next[0]).toBe('e 5')
})
