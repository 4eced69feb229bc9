import { describe, expect, test } from 'vitest'
import { createGiveWay, createTraffic } from './give-way.js'

function openPace() {
  const traffic = createTraffic()
  let now = 0
  const rests: number[] = []
  const sleep = async (ms: number) => {
    rests.push(ms)
    now += ms
  }
  const newPace = createGiveWay({ traffic, now: () => now, sleep })
  const work = (ms: number) => {
    now += ms
  }
  return { traffic, rests, newPace, work }
}

describe('background work', () => {
  test('does not rest while no requests come in', async () => {
    const { newPace, rests, work } = openPace()
    const pace = newPace()
    for (let piece = 0; piece < 3; piece++) {
      await pace.begin()
      work(50)
      pace.end()
    }
    expect(rests).toEqual([])
  })

  test('takes a fifth of the time while requests come in, and all of it again afterwards', async () => {
    const { traffic, newPace, rests, work } = openPace()
    const pace = newPace()
    for (let piece = 0; piece < 5; piece++) {
      await pace.begin()
      work(50)
      for (let request = 0; piece < 3 && request < 10; request++) traffic.count()
      pace.end()
    }
    await pace.begin()
    expect(rests).toEqual([200, 200, 200])
  })

  test('continues after at most a second, however long it took and however many requests come', async () => {
    const { traffic, newPace, rests, work } = openPace()
    const pace = newPace()
    await pace.begin()
    work(60_000)
    for (let request = 0; request < 60_000; request++) traffic.count()
    pace.end()
    traffic.count()
    await pace.begin()
    expect(rests).toEqual([1_000])
  })

  test('of one lane makes all lanes rest', async () => {
    const { traffic, newPace, rests, work } = openPace()
    const [one, other] = [newPace(), newPace()]
    await one.begin()
    await other.begin()
    traffic.count()
    work(10)
    one.end()
    other.end()
    await one.begin()
    expect(rests).toEqual([80])
  })

  test('rests only briefly for a few requests, however long it took', async () => {
    const { traffic, newPace, rests, work } = openPace()
    const pace = newPace()
    await pace.begin()
    work(1_000)
    for (let request = 0; request < 5; request++) traffic.count()
    pace.end()
    await pace.begin()
    expect(rests).toEqual([200])
  })

  test('does not rest for time spent waiting', async () => {
    const { traffic, newPace, rests, work } = openPace()
    const pace = newPace()
    await pace.begin()
    const waiting = Promise.resolve().then(() => {
      work(5_000)
      for (let request = 0; request < 100; request++) traffic.count()
      return 'vectors'
    })
    expect(await pace.aside(waiting)).toBe('vectors')
    pace.end()
    await pace.begin()
    expect(rests).toEqual([])
    await pace.aside(Promise.resolve().then(() => work(5_000)))
    work(10)
    traffic.count()
    pace.end()
    await pace.begin()
    expect(rests).toEqual([40])
  })
})
