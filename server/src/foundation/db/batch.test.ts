import { describe, expect, test } from 'vitest'
import { createAgentBatch, createBatch, createLanes } from './batch.js'

/** Work that ends when it is told to, and remembers what it was given. */
function controlled<Ask, Answer>(answer: (ask: Ask) => Answer | Error) {
  const batches: (readonly Ask[])[] = []
  const gates: { open(): void; fail(error: Error): void }[] = []
  return {
    batches,
    gates,
    work: (asks: readonly Ask[]) =>
      new Promise<(Answer | Error)[]>((resolve, reject) => {
        batches.push(asks)
        gates.push({ open: () => resolve(asks.map(answer)), fail: reject })
      }),
  }
}

/** Enough turns of the event loop for whoever waits for nothing else. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}

const refusedByDatabase = (code: string) => Object.assign(new Error(`refused: ${code}`), { code })

describe('a batch', () => {
  test('starts at once with what is there, and does what comes meanwhile together', async () => {
    const { batches, gates, work } = controlled((ask: number) => ask * 10)
    const batch = createBatch(work)
    const first = batch(1)
    await turn()
    const rest = [batch(2), batch(3), batch(4)]
    expect(batches).toEqual([[1]])
    gates[0]?.open()
    expect(await first).toBe(10)
    await turn()
    expect(batches).toEqual([[1], [2, 3, 4]])
    gates[1]?.open()
    expect(await Promise.all(rest)).toEqual([20, 30, 40])
    const later = batch(5)
    await turn()
    gates[2]?.open()
    expect(await later).toBe(50)
  })

  test('begins without waiting for a turn for who was alone before, and gathers again when others come', async () => {
    const { batches, gates, work } = controlled((ask: number) => ask)
    const batch = createBatch(work)
    const alone = batch(1)
    await turn()
    gates[0]?.open()
    await alone
    const again = batch(2)
    expect(batches).toEqual([[1], [2]])
    const others = [batch(3), batch(4)]
    gates[1]?.open()
    await again
    await turn()
    gates[2]?.open()
    await Promise.all(others)
    const together = [batch(5), batch(6)]
    expect(batches).toEqual([[1], [2], [3, 4]])
    await turn()
    expect(batches).toEqual([[1], [2], [3, 4], [5, 6]])
    gates[3]?.open()
    await Promise.all(together)
  })

  test('does not wait for the one under way when it has enough; a third does', async () => {
    const { batches, gates, work } = controlled((ask: number) => ask)
    const batch = createBatch(work)
    const asked = [batch(0)]
    await turn()
    const ask = (from: number, to: number) => {
      for (let number = from; number <= to; number++) asked.push(batch(number))
    }
    ask(1, 7)
    await turn()
    expect(batches).toHaveLength(1)
    ask(8, 8)
    expect(batches).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8]])
    ask(9, 20)
    await turn()
    expect(batches).toHaveLength(2)
    gates[1]?.open()
    await turn()
    expect(batches.slice(2)).toEqual([[9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]])
    for (const gate of gates) gate.open()
    expect(await Promise.all(asked)).toHaveLength(21)
  })

  test('is no larger than it may be', async () => {
    const { batches, gates, work } = controlled((ask: number) => ask)
    const batch = createBatch(work, 2)
    const asked = [1, 2, 3].map(batch)
    await turn()
    gates[0]?.open()
    await turn()
    gates[1]?.open()
    await Promise.all(asked)
    expect(batches).toEqual([[1, 2], [3]])
  })

  test('refuses one ask without the others', async () => {
    const batch = createBatch(async (asks: readonly number[]) =>
      asks.map((ask) => (ask === 2 ? new Error('not two') : ask)),
    )
    const answers = await Promise.allSettled([1, 2, 3].map(batch))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('that the database refuses is done one by one, so that only the bad ask fails', async () => {
    const sizes: number[] = []
    const batch = createBatch(async (asks: readonly number[]) => {
      sizes.push(asks.length)
      if (asks.includes(2)) throw refusedByDatabase('22P02')
      return asks
    })
    const answers = await Promise.allSettled([1, 2, 3].map(batch))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(sizes).toEqual([3, 1, 1, 1])
  })

  test('that was given up in favour of another is done again as it was', async () => {
    let failures = 2
    const batch = createBatch(async (asks: readonly number[]) => {
      if (failures-- > 0) throw refusedByDatabase('40P01')
      return asks
    })
    expect(await Promise.all([1, 2].map(batch))).toEqual([1, 2])
  })

  test.each([
    ['a lost connection', new Error('Connection terminated')],
    ['a server that stops', refusedByDatabase('57P01')],
  ])('is not done twice after %s: it may have been done', async (_, error) => {
    let times = 0
    const batch = createBatch(async (): Promise<number[]> => {
      times++
      throw error
    })
    const answers = await Promise.allSettled([1, 2].map(batch))
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(times).toBe(1)
    const again = await Promise.allSettled([batch(3)])
    expect(again[0]?.status).toBe('rejected')
  })
})

describe('the writes of one agent', () => {
  const ask = (id: string, what: string) => ({ agent: { id }, what })

  test('keep their order across batches of different kinds, and wait for nobody else', async () => {
    const lanes = createLanes()
    const likes = controlled((it: ReturnType<typeof ask>) => it.what)
    const follows = controlled((it: ReturnType<typeof ask>) => it.what)
    const like = createAgentBatch(lanes, likes.work)
    const follow = createAgentBatch(lanes, follows.work)
    const asked = [
      like(ask('ada', 'one')),
      follow(ask('ada', 'two')),
      like(ask('ada', 'three')),
      follow(ask('bo', 'own')),
    ]
    await turn()
    expect([likes.batches.flat(), follows.batches.flat()].map((all) => all.map(({ what }) => what))).toEqual([
      ['one'],
      ['own'],
    ])
    follows.gates[0]?.open()
    likes.gates[0]?.open()
    await turn()
    expect(follows.batches.flat().map(({ what }) => what)).toEqual(['own', 'two'])
    expect(likes.batches).toHaveLength(1)
    follows.gates[1]?.open()
    await turn()
    likes.gates[1]?.open()
    expect(await Promise.all(asked)).toEqual(['one', 'two', 'three', 'own'])
  })

  test('go on after one of them failed', async () => {
    const lanes = createLanes()
    const failed = lanes.run('ada', () => Promise.reject(new Error('no')))
    const next = lanes.run('ada', async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
