import { afterAll, describe, expect, test } from 'vitest'
import { createRandomActions, findMiscounts, type Step } from '../../../test/random-actions.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

const AGENTS = 5
const TWEETS = 6

describe('counters', () => {
  test('match a recount after a thousand random operations in parallel', async () => {
    const crowd = Object.values(await server.seed.agents('r_one', 'r_two', 'r_three', 'r_four', 'r_five'))
    const tweets = await Promise.all(
      Array.from({ length: TWEETS }, (_, index) =>
        crowd[index % AGENTS]?.client.createTweet({ content: `tweet ${index}` }),
      ),
    )
    const { perform, steps } = createRandomActions({ agents: AGENTS, tweets: tweets.map((tweet) => tweet?.id ?? '') })
    const act = (step: Step) => {
      const agent = crowd[step.agent]
      const other = crowd[step.other]
      if (!agent || !other) throw new Error('unreachable')
      return perform(step, agent.client, other.id)
    }
    for (let start = 0; start < steps.length; start += 50) {
      await Promise.all([...steps.slice(start, start + 50).map(act), server.drain()])
    }
    await server.drain()
    await server.features.tweets.viewCounts.flush()

    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
    expect(server.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  }, 120_000)
})
