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
  /** Asks for something that nobody answers until the deadline of the one who asks. */
  function askInVain() {
    let giveUp = () => {}
    const asked = pulse
      .ask(
        () =>
          new Promise((_, reject) => {
            giveUp = () => reject(new Silence())
          }),
      )
      .catch((error: Error) => error)
    return { asked, giveUp: () => giveUp() }
  }
  const ask = () => pulse.ask(async () => 'answer').catch((error: Error) => error)
  return { pulse, ask, askInVain, pass: (ms: number) => (now += ms) }
}

test('without an answer, callers are refused at once after a while, and one a second is let through', async () => {
  const { ask, askInVain, pass } = createWatched()
  askInVain()
  pass(3_000)
  askInVain()
  pass(500)
  expect(await ask()).toBeInstanceOf(Refusal)
  pass(500)
  expect(await ask()).toBe('answer')
  expect(await ask()).toBe('answer')
})

test('one long question among others that are answered refuses nobody', async () => {
  const { ask, askInVain, pass } = createWatched()
  askInVain()
  for (let second = 0; second < 20; second++) {
    pass(1_000)
    expect(await ask()).toBe('answer')
  }
})

test('a failure that is an answer lets everyone through', async () => {
  const { pulse, ask, askInVain, pass } = createWatched()
  askInVain()
  pass(5_000)
  await expect(pulse.ask(() => Promise.reject(new Error('no such table')))).rejects.toThrow('no such table')
  expect(await ask()).toBe('answer')
})

test('those that come together with the one that goes through get its luck', async () => {
  const { ask, askInVain, pass } = createWatched()
  askInVain()
  pass(5_000)
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(['answer', 'answer', 'answer'])
})

test('what may take long says nothing', async () => {
  const { pulse, ask, askInVain, pass } = createWatched()
  void pulse.ask(() => new Promise(() => {}), 'long')
  pass(5_000)
  askInVain()
  pass(100)
  expect(await ask()).toBe('answer')
})

test('protects callers again after a quiet time', async () => {
  const { ask, askInVain, pass } = createWatched()
  const { asked, giveUp } = askInVain()
  pass(5_000)
  giveUp()
  await asked
  pass(20_000)
  for (let asks = 0; asks < 5; asks++) {
    askInVain()
    pass(1_000)
  }
  askInVain()
  pass(500)
  expect(await ask()).toBeInstanceOf(Refusal)
})

test('what nobody has tried for long is tried by all', async () => {
  const { ask, askInVain, pass } = createWatched()
  const { asked, giveUp } = askInVain()
  pass(5_000)
  giveUp()
  expect(await asked).toBeInstanceOf(Silence)
  pass(11_000)
  askInVain()
  expect(await ask()).toBe('answer')
})
