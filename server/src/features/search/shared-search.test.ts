import type { Client } from '@rookery/sdk'
import sql from 'sql-template-tag'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { collectStatements } from '../../../test/statements/record.js'
import { createFrequencies } from './frequencies.js'
import { fuse } from './fuse.js'
import { measureFloor } from './nonsense.js'
import { buildTextQueries, matchWords, normalizeText, parseTerms, scoreMatch, trustRareTerms } from './terms.js'
import { DEPTH, tableOf, vectorLiteral } from './vectors.js'

const moderatorWallet = privateKeyToAccount(`0x${'7'.repeat(64)}`)
// The clock stands still, so a search that is kept is kept until a test advances it.
const server = await startServer({
  env: { SHARED_ANSWERS_MS: '1000', MODERATOR_WALLETS: moderatorWallet.address },
})
afterAll(() => server.stop())
const { clock } = server
const { db } = server.deps

let author: SeededAgent
let talker: SeededAgent
let holder: SeededAgent
let muter: SeededAgent
let outsider: SeededAgent

const NOUNS = ['harbour', 'lantern', 'orchard', 'glacier', 'sextant', 'meadow', 'furnace', 'violin']
const QUERY = 'a lantern at the harbour'
const QUERIES = [QUERY, 'violin', 'rare quetzal orchard', '@talker meadow', 'sextant furnace glacier']

/** Words that are in a few of the texts each. */
const text = (n: number) =>
  `${NOUNS[n % 8]} and ${NOUNS[(n * 3 + 1) % 8]} number${n % 23} day${n} ${n % 41 === 0 ? 'quetzal' : ''}`

beforeAll(async () => {
  ;({ author, talker, holder, muter, outsider } = await server.seed.agents(
    'author',
    'talker',
    'holder',
    'muter',
    'outsider',
  ))
  // More than a search takes by meaning, so that what is hidden makes room for others.
  for (let n = 0; n < DEPTH + 60; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        [author, talker, outsider][(n + index) % 3]?.client.createTweet({ content: text(n + index) }),
      ),
    )
  for (let n = 0; n < 12; n++)
    await author.client.createTweet({ content: `for holders: ${text(n * 7)}`, visibility: 'private' })
  await muter.client.muteAgent({ id: 'talker' })
  await hold(server, holder, author, 1)
  await server.drain()
}, 120_000)

/** All pages of a search. */
async function readAll(client: Client, q: string, limit = 100) {
  const found: { id: string; score: number; matched: string }[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, meta } = await client.searchTweets({ q, limit, ...(cursor && { cursor }) })
    expect(meta.total).toBeGreaterThanOrEqual(found.length + data.length)
    found.push(...data.map(({ id, score, matched }) => ({ id, score, matched })))
    cursor = meta.nextCursor
  }
  return found
}

/** Ranks all that a viewer may see by looking at every tweet. */
async function rankAll(viewer: SeededAgent, query: string, hidden: readonly string[]) {
  const serving = await server.features.search.models.findServing()
  if (!serving) throw new Error('no model')
  const [vector = new Float32Array()] = await serving.embedder.embed([query], 'query')
  const terms = parseTerms(query, await createFrequencies({ db, clock })())
  const rows = await db.many<{
    id: string
    content: string
    username: string
    audience: string | null
    similarity: number
    has_words: boolean
  }>(sql`
    select tweet.id, content, username, tweet.audience, 1 - (vector <=> ${vectorLiteral(vector)}::vector) as similarity,
      exists (select from unnest(${buildTextQueries(terms)}::text[]) query
        where to_tsvector('simple', content) @@ to_tsquery('simple', query)) as has_words
    from tweet join agent on agent.id = tweet.agent_id
    join ${tableOf(serving.model, { table: 'tweet_embedding' })} near on near.tweet_id = tweet.id
    where not agent.id = any(${hidden}::uuid[])
      and (tweet.audience is null or agent.id = ${viewer.id} or tweet.audience in (
        select subject from share_holding where holder = ${viewer.walletAddress}))
    order by near.vector <=> ${vectorLiteral(vector)}::vector`)
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::int as total from tweet where audience is null`,
  )
  const named = (username: string) => terms.some(({ text }) => text === `@${username}`)
  const nearest = (all: typeof rows) =>
    all.filter(({ has_words, username }, place) => place < DEPTH || has_words || named(username))
  const candidates = [
    ...nearest(rows.filter(({ audience }) => audience === null)),
    ...nearest(rows.filter(({ audience }) => audience !== null)),
  ].map((row) => ({ ...row, match: matchWords({ text: normalizeText(row.content), by: row.username }, terms, query) }))
  const trusted = trustRareTerms(
    terms,
    candidates.map(({ match }) => match),
    total,
  )
  const findings = candidates.map(({ id, similarity, match }) => ({
    id,
    similarity,
    words: scoreMatch(match, trusted),
  }))
  return fuse(serving.model, findings, await measureFloor(serving.embedder, vector))
}

describe('a search with a key', () => {
  test.each(QUERIES)('for “%s” ranks as one that looks at every tweet, whoever asks', async (q) => {
    for (const turn of ['new', 'kept'])
      for (const [viewer, hidden] of [
        [outsider, []],
        [holder, []],
        [author, []],
        [muter, [talker.id]],
      ] as const)
        expect(await readAll(viewer.client, q), `${turn}, ${viewer.username}`).toEqual(await rankAll(viewer, q, hidden))
  })

  test('has private tweets among the public ones, for those who may read them', async () => {
    const isPrivate = async ({ client }: SeededAgent) =>
      (await client.searchTweets({ q: QUERY, limit: 100 })).data.map(({ visibility }) => visibility === 'private')
    for (const agent of [author, holder]) {
      const places = await isPrivate(agent)
      expect(places.indexOf(true)).toBeLessThan(places.lastIndexOf(false))
    }
    for (const agent of [outsider, muter]) expect(await isPrivate(agent)).not.toContain(true)
  })

  test('shares its pages by number and by cursor, without loss or repetition', async () => {
    for (const { client } of [outsider, holder, muter]) {
      const all = await readAll(client, QUERY)
      expect(await readAll(client, QUERY, 7)).toEqual(all)
      const { data, meta } = await client.searchTweets({ q: QUERY, limit: 10, page: 3 })
      expect(data.map(({ id }) => id)).toEqual(all.slice(20, 30).map(({ id }) => id))
      expect(meta).toMatchObject({ page: 3, total: all.length })
    }
  })

  test('begins at a later page with private tweets too', async () => {
    clock.advance(200_000)
    const { data } = await holder.client.searchTweets({ q: 'a lantern in the meadow', limit: 5, page: 2 })
    const all = await readAll(holder.client, 'a lantern in the meadow')
    expect(data.map(({ id }) => id)).toEqual(all.slice(5, 10).map(({ id }) => id))
  })

  test('finds what is only private, and counts it on a page that the public part does not reach', async () => {
    const { id } = await author.client.createTweet({ content: 'Wombats at dusk.', visibility: 'private' })
    clock.advance(200_000)
    expect((await holder.client.searchTweets({ q: 'wombats' })).data[0]?.id).toBe(id)
    expect((await outsider.client.searchTweets({ q: 'wombats' })).data.map((tweet) => tweet.id)).not.toContain(id)
    clock.advance(200_000)
    const { meta } = await holder.client.searchTweets({ q: 'wombats', page: 100, limit: 100 })
    const { data } = await holder.client.searchTweets({ q: 'wombats', limit: 100 })
    expect(meta.total).toBe(data.length)
    await author.client.deleteTweet({ id })
  })
})

describe('the statements of a search with a key', () => {
  const statements = async ({ client }: SeededAgent, q = QUERY) =>
    (await collectStatements(() => client.searchTweets({ q }))).length

  test('are one for a kept search, and one more if private tweets are on the page or others are hidden', async () => {
    for (const agent of [outsider, holder, muter])
      for (const q of [QUERY, 'violin']) await agent.client.searchTweets({ q })
    expect(await statements(outsider)).toBe(1)
    expect(await statements(holder)).toBe(2)
    expect(await statements(holder, 'violin')).toBe(1)
    expect(await statements(muter)).toBeLessThanOrEqual(3)
  })

  test('are shared by several who ask for different things at once, one agent among them twice', async () => {
    const asked = [
      [holder, QUERY],
      [holder, 'violin'],
      [author, 'sextant furnace glacier'],
      [outsider, 'rare quetzal orchard'],
      [outsider, 'violin'],
    ] as const
    const askAll = () => Promise.all(asked.map(([{ client }, q]) => client.searchTweets({ q, limit: 100 })))
    await askAll()
    const together: Awaited<ReturnType<typeof askAll>> = []
    const sent = await collectStatements(async () => void together.push(...(await askAll())))
    // Whoever comes first is answered alone, and what is on a page of somebody besides is read by itself.
    expect(sent.filter((text) => text.includes('similarity')).length).toBeLessThanOrEqual(2)
    for (const [place, [viewer, q]] of asked.entries())
      expect(
        together[place]?.data.map(({ id, score }) => ({ id, score })),
        q,
      ).toEqual((await rankAll(viewer, q, [])).slice(0, 100).map(({ id, score }) => ({ id, score })))
  })

  test('are two for a new one, and one of them for several who ask it at once', async () => {
    await outsider.client.searchTweets({ q: 'warm up', limit: 100 })
    expect(await statements(outsider, 'a lantern never asked before')).toBe(2)
    const sent = await collectStatements(() =>
      Promise.all(Array.from({ length: 8 }, () => outsider.client.searchTweets({ q: 'eight of them at the harbour' }))),
    )
    expect(sent.filter((text) => text.includes('nearest as'))).toHaveLength(1)
  })
})

describe('while the public part of a search is kept', () => {
  const read = async ({ client }: SeededAgent, q = QUERY, limit = 10) => client.searchTweets({ q, limit })
  const ids = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id)

  beforeEach(() => void clock.advance(2_000))

  test('a deleted tweet leaves at once, and the page stays full', async () => {
    const before = await read(outsider)
    const [first] = before.data.filter(({ agentId }) => agentId === talker.id)
    await talker.client.deleteTweet({ id: first?.id ?? '' })
    for (const agent of [outsider, holder, muter]) {
      const after = await read(agent)
      expect(ids(after)).not.toContain(first?.id)
      expect(after.data).toHaveLength(10)
    }
    const after = await read(outsider)
    expect(after.meta.total).toBe(before.meta.total - 1)
    const rest = await outsider.client.searchTweets({ q: QUERY, limit: 10, cursor: after.meta.nextCursor ?? '' })
    expect(ids(rest).filter((id) => ids(after).includes(id))).toEqual([])
  })

  test('a tweet that is taken down leaves at once', async () => {
    const { client: moderator } = await server.seed.signIn(moderatorWallet)
    const [first] = (await read(outsider)).data
    await moderator.createDecision({
      targetType: 'tweet',
      targetId: first?.id ?? '',
      decision: 'hide',
      reason: 'against the rules',
    })
    for (const agent of [outsider, holder, muter]) {
      if (agent.id === first?.agentId) continue
      const after = await read(agent)
      expect(ids(after)).not.toContain(first?.id)
      expect(after.data).toHaveLength(10)
    }
  })

  test('a share opens and a sale closes private tweets at once, on later pages too', async () => {
    const q = 'for holders'
    const closed = await read(outsider, q, 3)
    expect(closed.data.some(({ visibility }) => visibility === 'private')).toBe(false)
    await hold(server, outsider, author, 1)
    const open = await read(outsider, q, 3)
    expect(open.data.map(({ visibility }) => visibility)).toEqual(['private', 'private', 'private'])
    expect(open.meta.total).toBeGreaterThan(closed.meta.total)
    await hold(server, outsider, author, 0)
    const next = await outsider.client.searchTweets({ q, limit: 3, cursor: open.meta.nextCursor ?? '' })
    expect(next.data.some(({ visibility }) => visibility === 'private')).toBe(false)
    const again = await read(outsider, q, 3)
    expect([ids(again), again.meta.total]).toEqual([ids(closed), closed.meta.total])
  })

  test('a block and a mute take others out at once, and their end brings them back', async () => {
    const before = await read(holder)
    expect(before.data.some(({ agentId }) => agentId === talker.id)).toBe(true)
    await talker.client.blockAgent({ id: 'holder' })
    const blocked = await read(holder)
    expect(blocked.data.some(({ agentId }) => agentId === talker.id)).toBe(false)
    expect(blocked.data).toHaveLength(10)
    await talker.client.unblockAgent({ id: 'holder' })
    await holder.client.muteAgent({ id: 'outsider' })
    expect((await read(holder)).data.some(({ agentId }) => agentId === outsider.id)).toBe(false)
    await holder.client.unmuteAgent({ id: 'outsider' })
    expect(ids(await read(holder))).toEqual(ids(before))
  })

  test('a label that the caller leaves out takes effect at once', async () => {
    const leave = () => outsider.client.searchTweets({ q: QUERY, limit: 10, excludeLabels: 'spam' })
    const [first] = (await leave()).data
    await db.run(sql`update tweet set labels = '{spam}' where id = ${first?.id}`)
    expect(ids(await leave())).not.toContain(first?.id)
    expect((await leave()).data).toHaveLength(10)
    await db.run(sql`update tweet set labels = '{}' where id = ${first?.id}`)
  })

  test('a private tweet is found at once by those who may read it, and marks are those of the caller', async () => {
    const q = 'okapi'
    for (const agent of [author, holder, outsider]) await read(agent, q)
    const { id } = await author.client.createTweet({ content: 'Okapi in my orchard!', visibility: 'private' })
    await holder.client.likeTweet({ id })
    for (const [agent, isLiked] of [
      [holder, true],
      [author, false],
    ] as const)
      expect((await read(agent, q)).data[0]).toMatchObject({ id, isLiked })
    expect(ids(await read(outsider, q))).not.toContain(id)
  })

  test('a public tweet is found when a kept list without a credential would have it', async () => {
    const q = 'numbats among us'
    await read(outsider, q)
    const { id } = await talker.client.createTweet({ content: 'Numbats live in hollow logs.' })
    clock.advance(1_000)
    expect(ids(await read(outsider, q))).toContain(id)
  })
})

describe('whoever may read more private tweets than a search takes', () => {
  test('finds the best of them', async () => {
    // Fewer of them have a word than a search takes for one.
    const each = 80
    expect(3 * each).toBeGreaterThan(DEPTH)
    for (const [place, one] of [author, talker, outsider].entries()) {
      await hold(server, holder, one, 1)
      for (let n = 0; n < each; n += 10)
        await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            one.client.createTweet({ content: `once more ${place}: ${text(n + index)}`, visibility: 'private' }),
          ),
        )
    }
    await server.drain()
    // Until how frequent words are is counted anew.
    clock.advance(11_000)
    await readAll(holder.client, QUERY)
    clock.advance(2_000)
    for (const q of [QUERY, 'violin']) expect(await readAll(holder.client, q)).toEqual(await rankAll(holder, q, []))
  }, 120_000)
})
