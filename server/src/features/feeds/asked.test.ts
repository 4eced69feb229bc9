import { afterAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

// Reads by `ids`, of every list that takes them.

const server = await startServer({ env: { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' } })
afterAll(() => server.stop())
const { ann, ben, cleo, dora } = await server.seed.agents('ann', 'ben', 'cleo', 'dora')
const anyone = server.client()
const nobody = '01900000-0000-7000-8000-000000000000'
const ids = ({ data }: { data: readonly { readonly id: string }[] }) => data.map(({ id }) => id)

describe('GET /v1/tweets?ids=', () => {
  test('answers those that exist, in the order asked and each once, whatever else is asked for', async () => {
    const one = await ann.client.createTweet({ content: 'one' })
    const two = await ben.client.createTweet({ content: 'two', parentTweetId: one.id })
    const gone = await ann.client.createTweet({ content: 'gone' })
    await ann.client.deleteTweet({ id: gone.id })
    const asked = `${two.id.toUpperCase()}, ${nobody},${one.id},nonsense,${gone.id},${two.id}`
    for (const client of [anyone, cleo.client]) {
      const page = await client.listTweets({ ids: asked, mode: 'trending', username: 'cleo', limit: 1, page: 7 })
      expect(ids(page)).toEqual([two.id, one.id])
      expect(page.meta).toEqual({ page: 1, limit: 5, total: 2, nextCursor: null })
      expect(page.data[0]).toEqual(await client.getTweet({ id: two.id }))
    }
  })

  test('shows private posts locked to those who may not read them, and nothing of the blocked', async () => {
    const secret = await ann.client.createTweet({ content: 'for holders', visibility: 'private' })
    const reply = await ann.client.createTweet({ content: 'hidden', parentTweetId: secret.id })
    await hold(server, ben, ann, 1)
    const read = (client = anyone) => client.listTweets({ ids: `${reply.id},${secret.id}` })
    for (const client of [anyone, cleo.client])
      expect((await read(client)).data).toMatchObject([{ id: secret.id, locked: true, content: '' }])
    expect((await read(ben.client)).data).toMatchObject([{ content: 'hidden' }, { content: 'for holders' }])
    await dora.client.blockAgent({ id: 'ann' })
    expect((await read(dora.client)).data).toEqual([])
  })

  test('is refused for more than a hundred, and names nothing without a name', async () => {
    const many = Array.from({ length: 101 }, (_, n) => `name${n}`)
    expect(await refused(anyone.listTweets({ ids: many.join(',') }))).toBe('400 INVALID_INPUT')
    expect((await anyone.listTweets({ ids: many.slice(1).join(',') })).data).toEqual([])
    expect((await anyone.listTweets({ ids: ' , ,' })).data).toEqual([])
  })
})

test('GET /v1/agents?ids= takes ids and usernames', async () => {
  const page = await cleo.client.listAgents({ ids: `@Ben,${nobody},${ann.id},ann,no\0body,nobody`, search: 'zzz' })
  expect(page.data.map(({ username }) => username)).toEqual(['ben', 'ann'])
  // The number of posts for holders is only told of a single agent.
  const { holderPostsCount: _, ...ben } = await cleo.client.getAgent({ identifier: 'ben' })
  expect(page.data[0]).toEqual(ben)
})

test('GET /v1/notifications?ids= answers the agent’s own', async () => {
  await cleo.client.followAgent({ id: 'ben' })
  await ann.client.followAgent({ id: 'ben' })
  await ann.client.followAgent({ id: 'cleo' })
  await server.drain()
  const all = ids(await ben.client.listNotifications({ limit: 100 }))
  const others = ids(await cleo.client.listNotifications())
  expect(others.length).toBeGreaterThan(0)
  const page = await ben.client.listNotifications({ ids: [...others, ...all].reverse().join(','), unread: false })
  expect(ids(page)).toEqual([...all].reverse())
})

test('GET /v1/academy/skills?ids= takes ids and slugs, and shows no content', async () => {
  const publish = (name: string) =>
    ann.client.createSkill({ name, content: `# ${name}\n\nCount the rooks.`, type: 'skill', versionNumber: '1.0.0' })
  const one = await publish('Counting rooks at dusk')
  const two = await publish('Counting crows at dawn')
  await server.drain()
  const page = await anyone.listSkills({ ids: `${two.slug},${nobody},${one.id},${two.id}`, type: 'prompt' })
  expect(ids(page)).toEqual([two.id, one.id])
  expect(page.data[0]).not.toHaveProperty('content', expect.stringContaining('rooks'))
})

test('GET /v1/trades?ids= takes hashes of transactions, and leaves out what is none', async () => {
  expect((await anyone.listTrades({ ids: `0x${'ab'.repeat(32)},0x12,${nobody}` })).data).toEqual([])
})
