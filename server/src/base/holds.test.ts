import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createHolds, createPrimaryHolds, type Hold, serveHolds } from './holds.js'
import { type Channel, createLink } from './link.js'

/** Two processes at one that counts, and what that does when the first of them has ended. */
function startThree() {
  const counted = createHolds()
  const served = [0, 1].map(() => {
    const { port1, port2 } = new MessageChannel()
    onTestFinished(() => port1.close())
    const [near, far] = [port1, port2].map((port) => {
      const channel: Channel = {
        send: (message) => port.postMessage(JSON.parse(JSON.stringify(message))),
        onMessage: (listener) => void port.on('message', listener),
      }
      return createLink(channel)
    }) as [ReturnType<typeof createLink>, ReturnType<typeof createLink>]
    return { holds: createPrimaryHolds(near), giveBack: serveHolds(counted, far) }
  })
  const [one, two] = served as [(typeof served)[0], (typeof served)[0]]
  return { one: one.holds, two: two.holds, endOne: one.giveBack }
}

const PLACE: Hold[] = [
  { key: 'of ann', most: 3 },
  { key: 'at home', most: 100 },
]
const keys = PLACE.map(({ key }) => key)

test('what two processes hold together is at most the most, under parallel takes', async () => {
  const { one, two } = startThree()
  const taken = await Promise.all([one, two, one, two, one, two].map((holds) => holds.take(PLACE)))
  expect(taken.filter((full) => full === undefined)).toHaveLength(3)
  expect(taken.filter((full) => full?.key === 'of ann')).toHaveLength(3)
  two.give(keys)
  expect(await two.take(PLACE)).toBeUndefined()
  expect(await one.take(PLACE)).toMatchObject({ key: 'of ann' })
})

test('what a process held is given back when it ends', async () => {
  const { one, two, endOne } = startThree()
  await one.take(PLACE)
  one.add(keys)
  await one.take([{ key: 'of ben', most: 1 }])
  expect(await two.take([{ key: 'of ann', most: 2 }])).toMatchObject({ most: 2 })
  endOne()
  expect(
    await two.take([
      { key: 'of ann', most: 1 },
      { key: 'of ben', most: 1 },
    ]),
  ).toBeUndefined()
})
