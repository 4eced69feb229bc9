import { afterAll, expect, test } from 'vitest'
import { countWrites } from './rows-written.js'
import { startServer } from './start-server.js'
import { collectStatements } from './statements/record.js'

const server = await startServer()
afterAll(() => server.stop())

// What follows from it is written a moment later.
const OTHERS = ['audit_entry', 'deed']

test('a post is one statement and five rows besides its deed and its job, and publishing it writes two more', async () => {
  const { ada } = await server.seed.agents('ada')
  await ada.client.createTweet({ content: 'the first of the day' })
  await server.drain()
  const rowsWritten = await countWrites(server.deps.database.pool)
  const countWritten = async (work: () => Promise<unknown>) => {
    const written = await rowsWritten(work)
    return Object.fromEntries(Object.entries(written).filter(([name]) => !OTHERS.includes(name)))
  }
  let statements: unknown[] = []
  const posted = await countWritten(async () => {
    const headers = { 'X-API-Key': ada.apiKey, 'Content-Type': 'application/json' }
    statements = await collectStatements(async () => {
      const body = JSON.stringify({ content: 'the rooks are back on the elm' })
      const response = await fetch(`${server.url}/v1/tweets`, { method: 'POST', headers, body })
      expect(response.status).toBe(201)
    })
  })
  expect(statements).toHaveLength(1)
  expect(posted).toEqual({ agent_usage: 1, tally: 2, tweet: 1, tweet_order: 1 })

  const published = await countWritten(() => server.drain())
  expect(published).toEqual({ tweet_embedding: 1, tweet_sketch: 1 })
})
