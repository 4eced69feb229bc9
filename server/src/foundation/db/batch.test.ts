import { describe, expect, test } from 'vitest'
import { createAgentBatch, createBatch, createLanes } from './batch.js'

/** Work that ends when its gate opens, and records its batches. */
function controlled<Request, Answer>(answer: (request: Request) => Answer | Error) {
  const batches: (readonly Request[])[] = []
  const gates: { open(): void; fail(error: Error): void }[] = []
  return {
    batches,
    gates,
    work: (requests: readonly Request[]) =>
      new Promise<(Answer | Error)[]>((resolve, reject) => {
        batches.push(requests)
        gates.push({ open: () => resolve(requests.map(answer)), fail: reject })
      }),
  }
}

/** Waits a few turns of the event loop. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}

const refusedByDatabase = (code: string) => Object.assign(new Error(`refused: ${code}`), { code })

describe('a batch', () => {
  test('starts at once with the requests present, and handles those that arrive meanwhile together', async () => {
    const { batches, gates, work } = controlled((request: number) => request * 10)
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

  test('starts a lone caller without waiting for a turn, and collects again when others come', async () => {
    const { batches, gates, work } = controlled((request: number) => request)
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

  test('runs beside the one under way when it is large enough; a third waits', async () => {
    const { batches, gates, work } = controlled((request: number) => request)
    const batch = createBatch(work)
    const answers = [batch(0)]
    await turn()
    const send = (from: number, to: number) => {
      for (let number = from; number <= to; number++) answers.push(batch(number))
    }
    send(1, 7)
    await turn()
    expect(batches).toHaveLength(1)
    send(8, 8)
    expect(batches).toEqual([[0], [1, 2, 3, 4, 5, 6, 7, 8]])
    send(9, 20)
    await turn()
    expect(batches).toHaveLength(2)
    gates[1]?.open()
    await turn()
    expect(batches.slice(2)).toEqual([[9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]])
    for (const gate of gates) gate.open()
    expect(await Promise.all(answers)).toHaveLength(21)
  })

  test('is never larger than the maximum', async () => {
    const { batches, gates, work } = controlled((request: number) => request)
    const batch = createBatch(work, 2)
    const answers = [1, 2, 3].map(batch)
    await turn()
    gates[0]?.open()
    await turn()
    gates[1]?.open()
    await Promise.all(answers)
    expect(batches).toEqual([[1, 2], [3]])
  })

  test('can refuse one request without the others', async () => {
    const batch = createBatch(async (requests: readonly number[]) =>
      requests.map((request) => (request === 2 ? new Error('not two') : request)),
    )
    const answers = await Promise.allSettled([1, 2, 3].map(batch))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  test('that the database refuses is repeated request by request, so that only the bad one fails', async () => {
    const sizes: number[] = []
    const batch = createBatch(async (requests: readonly number[]) => {
      sizes.push(requests.length)
      if (requests.includes(2)) throw refusedByDatabase('22P02')
      return requests
    })
    const answers = await Promise.allSettled([1, 2, 3].map(batch))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(sizes).toEqual([3, 1, 1, 1])
  })

  test('that lost a deadlock is repeated as a whole', async () => {
    let failures = 2
    const batch = createBatch(async (requests: readonly number[]) => {
      if (failures-- > 0) throw refusedByDatabase('40P01')
      return requests
    })
    expect(await Promise.all([1, 2].map(batch))).toEqual([1, 2])
  })

  test.each([
    ['a lost connection', new Error('Connection terminated')],
    ['a server that stops', refusedByDatabase('57P01')],
  ])('is not repeated after %s, because it may have taken effect', async (_, error) => {
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
  const request = (id: string, what: string) => ({ agent: { id }, what })

  test('keep their order across batches of different kinds, and wait for no other agent', async () => {
    const lanes = createLanes()
    const likes = controlled(({ what }: ReturnType<typeof request>) => what)
    const follows = controlled(({ what }: ReturnType<typeof request>) => what)
    const like = createAgentBatch(lanes, likes.work)
    const follow = createAgentBatch(lanes, follows.work)
    const answers = [
      like(request('ada', 'one')),
      follow(request('ada', 'two')),
      like(request('ada', 'three')),
      follow(request('bo', 'own')),
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
    expect(await Promise.all(answers)).toEqual(['one', 'two', 'three', 'own'])
  })

  test('continue after one of them fails', async () => {
    const lanes = createLanes()
    const failed = lanes.run('ada', () => Promise.reject(new Error('no')))
    const next = lanes.run('ada', async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
