import { afterEach, describe, expect, test } from 'vitest'
import { createCheapEmbedder, embeddersOf } from '../../test/cheap-embedder.js'
import { createTestDatabase } from '../../test/database.js'
import { refusal } from '../../test/refusal.js'
import { type ServerOptions, startServer, startServerOn, type TestServer } from '../../test/start-server.js'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from '../adapters/embeddings/embedder.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(embedder: Embedder, ...others: Embedder[]): Promise<TestServer> {
  const server = await startServer({ replace: { embedders: embeddersOf(embedder, ...others) } })
  closing.push(() => server.stop())
  return server
}

/** Starts servers one after the other on the same database. */
async function createRestarts() {
  const database = await createTestDatabase()
  closing.push(() => database.remove())
  const secret = { SERVER_SECRET: 's'.repeat(40) }
  let last: TestServer | undefined
  closing.push(async () => last?.stop())
  return async (...embedders: [Embedder, ...Embedder[]]) => {
    await last?.stop()
    const options: ServerOptions = { replace: { embedders: embeddersOf(...embedders) } }
    last = await startServerOn({ ...database.env, ...secret }, options)
    return last
  }
}

const old = createCheapEmbedder({ model: 'old', dimensions: 48 })
const next = createCheapEmbedder({ model: 'next', dimensions: 80 })

const query = async <Row>(server: TestServer, text: string, values: unknown[] = []) =>
  (await server.deps.database.pool.query(text, values)).rows as Row[]
const models = (server: TestServer) =>
  query<{ name: string; state: string }>(server, 'select name, state from embedding_model order by id')
const embedded = async (server: TestServer, model: string) =>
  (
    await query<{ content: string }>(
      server,
      `select content from tweet_embedding join tweet on tweet.id = tweet_id
      join embedding_model on embedding_model.id = model_id where name = $1 order by tweet.id`,
      [model],
    )
  ).map(({ content }) => content)
const found = async (server: TestServer, q: string) =>
  (await server.client().searchTweets({ q })).data.map(({ content }) => content)

/** Fails on texts with a word in them, until it is healed. */
function createFailing(word: string, error: () => Error) {
  const cheap = createCheapEmbedder()
  let failing = true
  const embedder: Embedder = {
    ...cheap,
    async embed(texts, kind) {
      if (failing && kind === 'document' && texts.some((text) => text.includes(word))) throw error()
      return cheap.embed(texts, kind)
    },
  }
  return {
    embedder,
    heal() {
      failing = false
    },
  }
}

/** Loads until it is told to be ready. */
function createLoading() {
  let ready = false
  const embedder: Embedder = { ...createCheapEmbedder(), isReady: () => ready }
  return {
    embedder,
    finish() {
      ready = true
    },
  }
}

describe('a search before the model is ready', () => {
  test('is answered with 503 and when to come again, and later with what was found', async () => {
    const { embedder, finish } = createLoading()
    const server = await start(embedder)
    const { alice } = await server.seed.agents('alice')
    await alice.client.createTweet({ content: 'patience is a virtue' })
    await server.drain()
    const { status, code, retryAfterSeconds } = await refusal(server.client().searchTweets({ q: 'patience' }))
    expect({ status, code, retryAfterSeconds }).toEqual({ status: 503, code: 'NOT_READY', retryAfterSeconds: 2 })
    expect((await server.client().listAgents({ search: 'alic' })).data.map(({ username }) => username)).toEqual([
      'alice',
    ])
    finish()
    server.clock.advance(2_000)
    await server.drain()
    expect(await found(server, 'patience')).toEqual(['patience is a virtue'])
  })
})

describe('embedding', () => {
  test('takes many texts at a time', async () => {
    const cheap = createCheapEmbedder()
    const batches: number[] = []
    const server = await start({
      ...cheap,
      embed(texts, kind) {
        if (texts[0]?.startsWith('batch')) batches.push(texts.length)
        return cheap.embed(texts, kind)
      },
    })
    const { alice } = await server.seed.agents('alice')
    await server.drain()
    for (let index = 0; index < 40; index++) await alice.client.createTweet({ content: `batch ${index}` })
    await server.drain()
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(40)
    expect(Math.max(...batches)).toBeGreaterThan(16)
    expect(await query(server, `select from job where kind like 'embed%'`)).toEqual([])
  })

  test('waits for an API that is away, without an end and without a failure', async () => {
    const { embedder, heal } = createFailing(
      'waiting',
      () => new EmbeddingUnavailable('away', { retryAfterSeconds: 3 }),
    )
    const server = await start(embedder)
    const { alice } = await server.seed.agents('alice')
    await alice.client.createTweet({ content: 'still waiting' })
    for (let round = 0; round < 12; round++) {
      await server.drain()
      server.clock.advance(3_000)
    }
    expect(await found(server, 'still waiting')).toEqual(['still waiting'])
    expect(await query(server, 'select from job where failed_at is not null')).toEqual([])
    heal()
    await server.drain()
    expect(await embedded(server, 'cheap')).toEqual(['still waiting'])
  })

  test('of a text that is refused leaves it to its words, and does not keep others from it', async () => {
    const { embedder } = createFailing('unspeakable', () => new EmbeddingRefused('no'))
    const server = await start(embedder)
    const { alice } = await server.seed.agents('alice')
    await server.drain()
    for (const content of ['one', 'an unspeakable thing', 'three']) await alice.client.createTweet({ content })
    await server.drain()
    expect(await embedded(server, 'cheap')).toEqual(['one', 'three'])
    const { data } = await server.client().searchTweets({ q: 'unspeakable' })
    expect(data[0]).toMatchObject({ content: 'an unspeakable thing', matched: 'words' })
  })

  test('that a killed worker had in hand is done by the next one', async () => {
    const { embedder, finish } = createLoading()
    const server = await start(embedder)
    const { alice } = await server.seed.agents('alice')
    for (let index = 0; index < 5; index++) await alice.client.createTweet({ content: `text ${index}` })
    await server.drain()
    const until = new Date(server.clock.now().getTime() + 10_000)
    const taken = `update job set attempts = 1, lock_id = gen_random_uuid(), locked_until = $1 where kind = 'embed_tweet'`
    await query(server, taken, [until])
    finish()
    server.clock.advance(5_000)
    await server.drain()
    expect(await query(server, 'select from tweet_embedding')).toEqual([])
    server.clock.advance(5_000)
    await server.drain()
    expect(await embedded(server, 'cheap')).toEqual([0, 1, 2, 3, 4].map((index) => `text ${index}`))
  })

  test('follows a changed bio', async () => {
    const server = await start(createCheapEmbedder())
    const { alice } = await server.seed.agents('alice')
    await server.drain()
    const [before] = await query<{ vector: string }>(server, 'select vector::text from agent_embedding')
    await alice.client.updateBio({ bio: 'watches the tides' })
    await server.drain()
    const after = await query<{ vector: string }>(server, 'select vector::text from agent_embedding')
    expect(after).toHaveLength(1)
    expect(after[0]).not.toEqual(before)
  })
})

describe('a change of the model', () => {
  test('embeds everything anew in the background while the old vectors answer', async () => {
    const restart = await createRestarts()
    const first = await restart(old)
    const { alice } = await first.seed.agents('alice')
    for (let index = 0; index < 50; index++) await alice.client.createTweet({ content: `river number ${index}` })
    await first.drain()
    expect(await models(first)).toEqual([{ name: 'old', state: 'active' }])

    const second = await restart(next, old)
    const client = second.client({ apiKey: alice.apiKey })
    await second.deps.searchModels.adopt()
    expect(await models(second)).toEqual([
      { name: 'old', state: 'active' },
      { name: 'next', state: 'building' },
    ])
    expect((await found(second, 'river')).length).toBe(20)
    await client.createTweet({ content: 'a river that is new' })
    expect(await embedded(second, 'next')).toEqual([])
    await second.drain()
    expect(await models(second)).toEqual([
      { name: 'old', state: 'retired' },
      { name: 'next', state: 'active' },
    ])
    expect(await embedded(second, 'next')).toHaveLength(51)
    expect((await found(second, 'a river that is new'))[0]).toBe('a river that is new')

    second.clock.advance(11 * 60_000)
    await second.drain()
    expect(await models(second)).toEqual([{ name: 'next', state: 'active' }])
    expect(await query(second, `select from pg_class where relname = 'tweet_embedding_1'`)).toEqual([])
    expect((await found(second, 'river')).length).toBe(20)
  })

  test('lets a new text be found by the old vectors too until the new ones answer', async () => {
    const restart = await createRestarts()
    const first = await restart(old)
    const { alice } = await first.seed.agents('alice')
    await first.drain()
    const second = await restart({ ...next, embed: async (texts, kind) => next.embed(texts, kind) }, old)
    await second.deps.searchModels.adopt()
    await query(second, `update job set run_at = run_at + interval '1 day' where kind = 'reembed'`)
    await second.client({ apiKey: alice.apiKey }).createTweet({ content: 'between two models' })
    await second.drain()
    expect(await embedded(second, 'old')).toEqual(['between two models'])
    expect(await embedded(second, 'next')).toEqual(['between two models'])
    expect(await models(second)).toMatchObject([{ state: 'active' }, { state: 'building' }])
  })

  test('goes on where it was stopped', async () => {
    const restart = await createRestarts()
    const first = await restart(old)
    const { alice } = await first.seed.agents('alice')
    for (let index = 0; index < 70; index++) await alice.client.createTweet({ content: `stone ${index}.` })
    await first.drain()

    let asked = 0
    const failing: Embedder = {
      ...next,
      embed(texts, kind) {
        if (texts[0]?.startsWith('stone') && ++asked > 1) return Promise.reject(new EmbeddingUnavailable('stopped'))
        return next.embed(texts, kind)
      },
    }
    const second = await restart(failing, old)
    await second.deps.searchModels.adopt()
    await second.drain()
    expect(await embedded(second, 'next')).toHaveLength(32)
    expect(await models(second)).toMatchObject([{ state: 'active' }, { state: 'building' }])

    const texts: string[] = []
    const third = await restart(
      {
        ...next,
        embed(given, kind) {
          texts.push(...given)
          return next.embed(given, kind)
        },
      },
      old,
    )
    third.clock.advance(60_000)
    await third.deps.searchModels.adopt()
    await third.drain()
    expect(texts.filter((text) => text.startsWith('stone'))).toHaveLength(38)
    expect(await embedded(third, 'next')).toHaveLength(70)
    expect(await models(third)).toMatchObject([{ state: 'retired' }, { state: 'active' }])
  })

  test('back to the model before ends what was begun', async () => {
    const restart = await createRestarts()
    await (await restart(old)).deps.searchModels.adopt()
    await (await restart(next, old)).deps.searchModels.adopt()
    const third = await restart(old, next)
    await third.deps.searchModels.adopt()
    expect(await models(third)).toEqual([
      { name: 'old', state: 'active' },
      { name: 'next', state: 'retired' },
    ])
    await third.drain()
    third.clock.advance(11 * 60_000)
    await third.drain()
    expect(await models(third)).toEqual([{ name: 'old', state: 'active' }])
  })

  test('answers with what is embedded already when nothing makes the old vectors any more', async () => {
    const restart = await createRestarts()
    const first = await restart(old)
    const { alice } = await first.seed.agents('alice')
    await alice.client.createTweet({ content: 'an island' })
    await first.drain()
    const second = await restart(next)
    await second.deps.searchModels.adopt()
    expect(await models(second)).toMatchObject([{ state: 'retired' }, { state: 'active' }])
    expect(await found(second, 'island')).toEqual(['an island'])
    await second.drain()
    expect((await second.client().searchTweets({ q: 'island' })).data[0]?.matched).toBe('both')
  })

  test.each([2_500, 4_500])('takes a model of %i dimensions', async (dimensions) => {
    const server = await start(createCheapEmbedder({ dimensions }))
    const { alice } = await server.seed.agents('alice')
    await alice.client.createTweet({ content: 'many dimensions' })
    await server.drain()
    expect((await server.client().searchTweets({ q: 'many dimensions' })).data[0]).toMatchObject({ matched: 'both' })
  })
})
