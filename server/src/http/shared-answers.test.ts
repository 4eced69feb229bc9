import { afterAll, describe, expect, test } from 'vitest'
import { hold } from '../../test/holdings.js'
import { startServer } from '../../test/start-server.js'
import { createSharedAnswers } from './shared-answers.js'

const server = await startServer({ env: { SHARED_ANSWERS_MS: '1000' } })
afterAll(() => server.stop())

describe('answers that callers without a credential share', () => {
  test('are at most a second old', async () => {
    const { ann } = await server.seed.agents('ann')
    const seen = async () => (await server.client().listTweets({ mode: 'new' })).data.length
    expect(await seen()).toBe(0)
    await ann.client.createTweet({ content: 'hello' })
    expect(await seen()).toBe(0)
    server.clock.advance(1_000)
    expect(await seen()).toBe(1)
  })

  test('are not used for callers with a credential, and contain nothing private', async () => {
    const { ben, cat } = await server.seed.agents('ben', 'cat')
    await hold(server, cat, ben, 1)
    await ben.client.createTweet({ content: 'for holders', visibility: 'private' })
    const feed = { mode: 'new', username: 'ben' } as const
    for (const [client, content] of [
      [cat.client, 'for holders'],
      [server.client(), ''],
      [cat.client, 'for holders'],
    ] as const)
      expect((await client.listTweets(feed)).data).toMatchObject([{ content }])
  })

  test('are made once for many simultaneous callers, and a failure is not stored', async () => {
    const shared = createSharedAnswers(server.deps)
    let made = 0
    const make = async () => {
      made++
      if (made === 1) throw new Error('no')
      return Buffer.from(String(made))
    }
    const first = await Promise.allSettled([shared.read('/a', make), shared.read('/a', make)])
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(String(await shared.read('/a', make))).toBe('2')
    expect(String(await shared.read('/a', make))).toBe('2')
    expect(String(await shared.read('/b', make))).toBe('3')
  })
})
