import { expect, test } from 'vitest'
import { createPulse } from './pulse.js'

class Silence extends Error {}
class Refusal extends Error {}

function createWatched() {
  let now = 0
  const pulse = createPulse({
    silentAfterMs: 3_000,
    isSilence: (error) => error instanceof Silence,
    refusal: () => new Refusal(),
    now: () => now,
  })
  /** Makes a call that gets no answer until the caller gives up. */
  function callInVain() {
    let giveUp = () => {}
    const called = pulse
      .run(
        () =>
          new Promise((_, reject) => {
            giveUp = () => reject(new Silence())
          }),
      )
      .catch((error: Error) => error)
    return { called, giveUp: () => giveUp() }
  }
  const call = () => pulse.run(async () => 'answer').catch((error: Error) => error)
  return { pulse, call, callInVain, pass: (ms: number) => (now += ms) }
}

test('after a while without an answer callers are refused at once, and one a second is let through', async () => {
  const { call, callInVain, pass } = createWatched()
  callInVain()
  pass(3_000)
  callInVain()
  pass(500)
  expect(await call()).toBeInstanceOf(Refusal)
  pass(500)
  expect(await call()).toBe('answer')
  expect(await call()).toBe('answer')
})

test('one unanswered call among answered ones refuses nobody', async () => {
  const { call, callInVain, pass } = createWatched()
  callInVain()
  for (let second = 0; second < 20; second++) {
    pass(1_000)
    expect(await call()).toBe('answer')
  }
})

test('a failure that is an answer lets everyone through', async () => {
  const { pulse, call, callInVain, pass } = createWatched()
  callInVain()
  pass(5_000)
  await expect(pulse.run(() => Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
  expect(await call()).toBe('answer')
})

test('calls that arrive together with the trial call share its success', async () => {
  const { call, callInVain, pass } = createWatched()
  callInVain()
  pass(5_000)
  expect(await Promise.all([call(), call(), call()])).toEqual(['answer', 'answer', 'answer'])
})

test('a long call says nothing about the other side', async () => {
  const { pulse, call, callInVain, pass } = createWatched()
  void pulse.run(() => new Promise(() => {}), 'long')
  pass(5_000)
  callInVain()
  pass(100)
  expect(await call()).toBe('answer')
})

test('protects callers again after a quiet period', async () => {
  const { call, callInVain, pass } = createWatched()
  const { called, giveUp } = callInVain()
  pass(5_000)
  giveUp()
  await called
  pass(20_000)
  for (let calls = 0; calls < 5; calls++) {
    callInVain()
    pass(1_000)
  }
  callInVain()
  pass(500)
  expect(await call()).toBeInstanceOf(Refusal)
})

test('after a long quiet period everyone is let through', async () => {
  const { call, callInVain, pass } = createWatched()
  const { called, giveUp } = callInVain()
  pass(5_000)
  giveUp()
  expect(await called).toBeInstanceOf(Silence)
  pass(11_000)
  callInVain()
  expect(await call()).toBe('answer')
})
