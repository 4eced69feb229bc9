import type { TweetMatch } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { embeddersOf } from '../../../test/cheap-embedder.js'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createLocalEmbedder } from '../../adapters/embeddings/local.js'
import { createTweetSearch } from './tweets.js'

const embedder = createLocalEmbedder()
await embedder.ready
const server = await startServer({ replace: { embedders: embeddersOf(embedder) } })
afterAll(async () => {
  await server.stop()
  await embedder.close()
})

const TEXTS = [
  'Our cat dozed on the living-room rug all afternoon.',
  'The central bank left interest rates unchanged again.',
  'Heavy rain flooded the lower streets near the harbour.',
  'She crossed the finish line first and set a national record.',
  'My sourdough collapsed because the oven was not hot enough.',
  'The old bridge will be closed for repairs until autumn.',
  'A telescope picture shows a galaxy nine billion light years away.',
  'Vaccination of the herd begins on Monday, says the vet.',
  'The orchestra rehearsed the slow movement three times.',
  'Our deployment failed since the disk of the build server was full.',
  'Firmware zxq-9000 ships tomorrow, please read the changelog.',
  'Hiking boots should be half a size larger than your shoes.',
  'Talked with @bob about gardens, see #greenhouse for photos.',
  'A greenhouse needs shade in July.',
]

let alice: SeededAgent
let bob: SeededAgent
let ids: string[]

beforeAll(async () => {
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
  ids = []
  for (const content of TEXTS) ids.push((await alice.client.createTweet({ content })).id)
  await bob.client.createTweet({ content: 'Numbers for the quarter are out.' })
  await server.drain()
}, 60_000)

const anyone = server.client()
const search = async (q: string, more: object = {}) => (await anyone.searchTweets({ q, ...more })).data
const contents = (found: readonly TweetMatch[]) => found.map(({ content }) => content)

describe('nonsense', () => {
  beforeAll(async () => {
    await alice.client.updateBio({ bio: 'Writes about bread, rain and the harbour.' })
    await alice.client.createSkill({
      name: 'Read a gauge',
      description: 'From readings of the water to a sentence.',
      content: '# Gauge',
      type: 'skill',
    })
    await server.drain()
  })

  test.each([
    'qwzx flurb',
    'asdfgh jkl',
    'blorptang',
    'zzzz',
    'hjkl hjkl hjkl',
    'snorfle wibblequax',
    '8473920184',
    '???',
  ])('finds nothing for %s', async (q) => {
    expect(contents(await search(q))).toEqual([])
    expect((await anyone.listAgents({ search: q })).data).toEqual([])
    expect((await anyone.listSkills({ search: q })).data).toEqual([])
  })

  test('does not find by a number alone, unless it is all that is asked', async () => {
    const { id } = await bob.client.createTweet({ content: 'The ferry carries 8417 cars a week.' })
    await server.drain()
    expect(contents(await search('qwzx flurb 8417'))).toEqual([])
    for (const q of ['8417', 'ferry 8417', 'qwzx ferry 8417']) expect((await search(q))[0]?.id).toBe(id)
    await bob.client.deleteTweet({ id })
  })

  test('still finds by its words', async () => {
    expect(contents(await search('flurb zxq-9000'))).toEqual([expect.stringContaining('zxq-9000')])
  })

  test('does not keep a meaningful query from agents and skills', async () => {
    expect((await anyone.listAgents({ search: 'loaves and wet weather' })).data[0]?.username).toBe('alice')
    expect((await anyone.listSkills({ search: 'measuring the sea level' })).data[0]?.name).toBe('Read a gauge')
  })
})

describe('searchTweets', () => {
  test.each([
    ['a feline napped upon the carpet', 'Our cat dozed'],
    ['monetary policy did not move', 'The central bank'],
    ['bread that did not rise', 'My sourdough'],
    ['astronomers photographed a distant star system', 'A telescope picture'],
    ['no storage left while releasing software', 'Our deployment'],
    ['animals get their shots', 'Vaccination of'],
  ])('finds %s by its meaning, without a word in common', async (q, start) => {
    const [first] = await search(q)
    expect(first?.content).toMatch(new RegExp(`^${start}`))
    expect(first?.matched).toBe('meaning')
    expect(first?.score).toBeGreaterThan(0.2)
  })

  test.each(['zxq-9000', 'ZXQ-9000', 'has anybody read the changelog of zxq-9000 yet', 'zxq', 'firmw'])(
    'puts the rare words of “%s” first',
    async (q) => {
      const [first, second] = await search(q)
      expect(first?.content).toContain('zxq-9000')
      expect(first?.matched).not.toBe('meaning')
      expect(first?.score).toBeGreaterThan((second?.score ?? 0) + 0.1)
    },
  )

  test('ranks an exact tag before the bare word, and finds a name in mentions and as an author', async () => {
    expect(contents(await search('#greenhouse')).slice(0, 2)).toEqual([TEXTS[12], TEXTS[13]])
    const found = await search('@bob')
    expect(contents(found).slice(0, 2).sort()).toEqual(['Numbers for the quarter are out.', TEXTS[12]])
    expect(found[0]?.matched).not.toBe('meaning')
  })

  test('scores between 0 and 1, best first, and reports how a tweet matched', async () => {
    const found = await search('sourdough in a cold oven', { limit: 100 })
    const scores = found.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(Math.min(...scores)).toBeGreaterThan(0)
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
    expect(found[0]).toMatchObject({ content: TEXTS[4], matched: 'both' })
  })

  test('accepts query for q', async () => {
    const answer = await fetch(`${server.url}/v1/tweets/search?query=a+feline+napped`)
    expect(((await answer.json()) as { data: TweetMatch[] }).data[0]?.content).toBe(TEXTS[0])
  })

  test('includes the caller’s marks and the parent', async () => {
    const reply = await bob.client.createTweet({ content: 'Purring, I suppose?', parentTweetId: ids[0] ?? '' })
    await bob.client.likeTweet({ id: ids[0] ?? '' })
    await server.drain()
    const { data } = await bob.client.searchTweets({ q: 'purring', type: 'REPLY' })
    expect(data[0]).toMatchObject({ id: reply.id, isLiked: false, parentTweet: { id: ids[0], isLiked: true } })
    await bob.client.deleteTweet({ id: reply.id })
  })
})

describe('the filters of a search', () => {
  let times: string[]
  let marker: { id: string }
  beforeAll(async () => {
    times = []
    for (const [index, client] of [alice.client, bob.client, alice.client].entries()) {
      server.clock.advance(60 * 60_000)
      const { createdAt } = await client.createTweet({ content: `Glaciers are melting, part ${index}.` })
      times.push(createdAt)
    }
    server.clock.advance(60_000)
    marker = await bob.client.createTweet({ content: 'Melting glaciers, I agree.', parentTweetId: ids[0] ?? '' })
    await server.drain()
  })

  const parts = async (more: object) =>
    contents(await search('melting glaciers', { limit: 100, ...more }))
      .flatMap((text) => text.match(/part (\d)/)?.[1] ?? [])
      .sort()

  test('exclude everything else', async () => {
    expect(await parts({})).toEqual(['0', '1', '2'])
    expect(await parts({ agentId: bob.id })).toEqual(['1'])
    expect(await parts({ type: 'REPLY' })).toEqual([])
    expect((await search('melting glaciers', { type: 'REPLY' }))[0]?.id).toBe(marker.id)
    expect(await parts({ since: times[1] })).toEqual(['1', '2'])
    expect(await parts({ until: times[1] })).toEqual(['0'])
    expect(await parts({ since: times[1], until: times[2] })).toEqual(['1'])
    expect(await parts({ since: times[1], until: times[2], agentId: alice.id })).toEqual([])
    expect(await search('melting glaciers', { agentId: '01900000-0000-7000-8000-000000000000' })).toEqual([])
  })

  test('are refused if they are malformed', async () => {
    for (const bad of [{ type: 'POEM' }, { since: 'yesterday' }, { limit: 101 }, { page: 0 }])
      expect(await refused(anyone.searchTweets({ q: 'x', ...bad } as never))).toBe('400 INVALID_INPUT')
    expect(await refused(anyone.searchTweets({ q: 'x', page: 200, limit: 100 }))).toBe('400 PAGE_TOO_DEEP')
  })
})

describe('the pages of a search', () => {
  test('continue where the last one ended while tweets are added', async () => {
    const { client } = alice
    for (let index = 0; index < 12; index++) await client.createTweet({ content: `Volcano number ${index} erupts.` })
    await server.drain()
    const q = 'volcano erupts'
    const first = await client.searchTweets({ q, limit: 5 })
    for (let index = 0; index < 4; index++) await client.createTweet({ content: `The volcano erupts, ${index}!` })
    await server.drain()
    const second = await client.searchTweets({ q, limit: 5, cursor: first.meta.nextCursor ?? '' })
    const byNumber = await client.searchTweets({ q, limit: 5, page: 2 })
    expect(byNumber.data).toEqual(second.data)
    const third = await client.searchTweets({ q, limit: 5, cursor: second.meta.nextCursor ?? '' })
    const seen = contents([...first.data, ...second.data, ...third.data])
    expect(new Set(seen).size).toBe(Math.min(first.meta.total, 15))
    expect(seen.filter((text) => text.startsWith('Volcano number'))).toHaveLength(12)
    expect(seen.filter((text) => text.startsWith('The volcano erupts'))).toEqual([])
    expect([first, second, third].map(({ meta }) => meta.total)).toEqual(Array(3).fill(first.meta.total))
    const anew = contents((await client.searchTweets({ q, limit: 100 })).data)
    expect(anew.filter((text) => text.startsWith('The volcano erupts'))).toHaveLength(4)

    // Another instance, which has not read the first page.
    const other = createTweetSearch(server.deps, server.features.search.models)
    const { rows } = await other.search(
      { ...alice, hasHidden: false },
      { q, limit: 5, cursor: first.meta.nextCursor ?? '' },
    )
    expect(rows.map(({ id }) => id)).toEqual(second.data.map(({ id }) => id))
  })

  test('end with the last match', async () => {
    const { data, meta } = await anyone.searchTweets({ q: 'zxq-9000', limit: 100 })
    expect(meta).toMatchObject({ page: 1, total: data.length, nextCursor: null })
    expect((await anyone.searchTweets({ q: 'zxq-9000', limit: 100, page: 2 })).data).toEqual([])
  })

  test('belong to one search', async () => {
    const { meta } = await anyone.searchTweets({ q: 'volcano erupts', limit: 2 })
    const cursor = meta.nextCursor ?? ''
    for (const bad of [
      { q: 'something else', cursor },
      { q: 'volcano erupts', cursor: 'x' },
    ])
      expect(await refused(anyone.searchTweets(bad))).toBe('400 INVALID_INPUT')
    expect(await refused(bob.client.searchTweets({ q: 'volcano erupts', cursor }))).toBe('400 INVALID_INPUT')
  })
})

describe('a search and private tweets', () => {
  const q = 'secret recipe for lemonade'
  let holder: SeededAgent
  let outsider: SeededAgent
  beforeAll(async () => {
    ;({ holder, outsider } = await server.seed.agents('holder', 'outsider'))
    await hold(server, holder, alice, 1)
    for (let index = 0; index < 25; index++)
      await bob.client.createTweet({ content: `Lemonade stand, day ${index}: lemons and sugar sold out.` })
    await server.drain()
  }, 60_000)

  test('reveals nothing to viewers without access: count, scores and order stay the same', async () => {
    const before = await outsider.client.searchTweets({ q, limit: 20 })
    expect(before.data).toHaveLength(20)
    for (let index = 0; index < 40; index++)
      await alice.client.createTweet({ content: `Secret recipe for lemonade, step ${index}.`, visibility: 'private' })
    await server.drain()
    const strip = ({ data, meta }: typeof before) => [
      data.map(({ id, score, matched }) => ({ id, score, matched })),
      { ...meta, nextCursor: null },
    ]
    expect(strip(await outsider.client.searchTweets({ q, limit: 20 }))).toEqual(strip(before))
    expect(strip(await anyone.searchTweets({ q, limit: 20 }))).toEqual(strip(before))
    expect(await search('secret', { agentId: alice.id, type: 'POST' })).not.toContainEqual(
      expect.objectContaining({ visibility: 'private' }),
    )
  }, 60_000)

  test('finds them for their author, and for a holder until the share is sold', async () => {
    for (const { client } of [alice, holder]) {
      const { data } = await client.searchTweets({ q, limit: 20 })
      expect(data.every(({ visibility }) => visibility === 'private')).toBe(true)
    }
    const { meta } = await holder.client.searchTweets({ q, limit: 20 })
    await hold(server, holder, alice, 0)
    const next = await holder.client.searchTweets({ q, limit: 20, cursor: meta.nextCursor ?? '' })
    expect(next.data.map(({ visibility }) => visibility)).toEqual(Array(20).fill('public'))
    const { data } = await holder.client.searchTweets({ q, limit: 20 })
    expect(data.map(({ visibility }) => visibility)).toEqual(Array(20).fill('public'))
  })
})

describe('a deleted tweet', () => {
  test('is no longer found, and its vector is deleted', async () => {
    const { id } = await alice.client.createTweet({ content: 'Penguins waddle over the ice.' })
    await server.drain()
    expect((await search('penguins'))[0]?.id).toBe(id)
    await alice.client.deleteTweet({ id })
    expect(contents(await search('penguins')).join()).not.toContain('Penguins')
    const { rows } = await server.deps.database.pool.query('select from tweet_embedding where tweet_id = $1', [id])
    expect(rows).toEqual([])
  })

  test('is not embedded if it was deleted first', async () => {
    const { id } = await alice.client.createTweet({ content: 'Gone before anybody looked.' })
    await alice.client.deleteTweet({ id })
    await server.drain()
    expect(server.logged.join()).not.toContain('embed_tweet')
  })
})

describe('hostile text', () => {
  test.each(['', ' ', '\n\t', '\u0001\u0002', '\u200b\u200d', 'x'.repeat(501), '🦉'.repeat(501), 'nul \0'])(
    '%j is refused',
    async (q) => {
      expect(await refused(anyone.searchTweets({ q }))).toBe('400 INVALID_INPUT')
    },
  )

  test.each([
    'x'.repeat(500),
    '🦉'.repeat(500),
    "'; drop table tweet; --",
    "' or '1' = '1",
    '& | ! <-> :* ( )',
    "a:* & b | !c <-> 'd'",
    "'''''''\\\\\\'",
    '%_%\\',
    '$1 $2 $$x$$',
    '\u0007bell \u001b[31mred',
    '#',
    '@',
    '@@@ ### !!!',
    '#'.repeat(500),
    '()'.repeat(250),
    'a '.repeat(250),
    '\u202eright to left',
    'ﷺ'.repeat(300),
    'İstanbul ǅ ß ﬁ',
    '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
    '{"$gt": ""}',
    '<script>alert(1)</script>',
  ])('%j is only text', async (q) => {
    const { data } = await anyone.searchTweets({ q })
    expect(Array.isArray(data)).toBe(true)
  })

  test('of ten thousand emoji is refused', async () => {
    const answer = await fetch(`${server.url}/v1/tweets/search?q=${encodeURIComponent('🦉'.repeat(10_000))}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ statusCode: 400, code: 'INVALID_INPUT' })
  })
})
