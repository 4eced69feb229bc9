import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCheapEmbedder, embeddersOf } from '../../../test/cheap-embedder.js'
import { refusal } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from '../../adapters/embeddings/embedder.js'
import { createWorker } from '../../foundation/jobs/worker.js'
import { createJobHandlers } from '../../start/job-handlers.js'
import { beginRebuild, listModels } from './models.js'
import { openSearch } from './open.js'
import { countDone, countReembedded, countTexts, rebuild } from './rebuild.js'

/** A cheap embedder whose faults a test controls. */
function createFaultyEmbedder() {
  const cheap = createCheapEmbedder({ model: 'faulty' })
  const state = { isReady: false, fault: (_texts: readonly string[]): Error | undefined => undefined, embedded: [''] }
  const embedder: Embedder = {
    ...cheap,
    isReady: () => state.isReady,
    async embed(texts, kind) {
      state.embedded.push(...texts)
      const error = kind === 'document' ? state.fault(texts) : undefined
      if (error) throw error
      return cheap.embed(texts, kind)
    },
  }
  return { embedder, state }
}

const { embedder: faulty, state } = createFaultyEmbedder()
const server = await startServer({ replace: { embedders: embeddersOf(faulty) } })
afterAll(() => server.stop())
const { db, queue } = server.deps
const { clock } = server

let alice: SeededAgent
beforeAll(async () => {
  alice = (await server.seed.agents('alice')).alice
})

/** The search of another process with these embedders, on the same database. */
function startProcess(...[configured, ...others]: [Embedder, ...Embedder[]]) {
  const embedders = embeddersOf(configured, ...others)
  const deps = { ...server.deps, embedders }
  const search = openSearch(deps, server.features.tweets.jsonCache)
  const features = { ...server.features, search }
  const onError = (_kind: string, error: Error) => server.logged.push(error.message)
  const worker = createWorker({ db, clock, queue, handlers: createJobHandlers(deps, features), lanes: 1, onError })
  return {
    deps,
    adopt: () => search.models.adopt(),
    drain: () => worker.drain(),
    find: async (q: string) => (await search.tweets.search(undefined, { q })).rows,
  }
}

const post = async (...contents: string[]) => {
  for (const content of contents) await alice.client.createTweet({ content })
}
const numbered = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word} ${index}.`)
const listStates = async () => (await listModels(db)).map(({ name, state }) => `${name} ${state}`).reverse()
const listEmbedded = async (model: string) =>
  (
    await db.many<{ content: string }>(sql`
      select content from tweet_embedding join tweet on tweet.id = tweet_id
      join embedding_model on embedding_model.id = model_id where name = ${model} order by tweet.id`)
  ).map(({ content }) => content)
const countJobs = async () => (await db.many(sql`select from job where kind like 'embed%'`)).length

describe('while the model loads', () => {
  test('a search is refused with 503 and Retry-After, agents are found by name, and no text is lost', async () => {
    await post('patience is a virtue')
    await server.drain()
    const { status, code, retryAfterSeconds } = await refusal(server.client().searchTweets({ q: 'patience' }))
    expect({ status, code, retryAfterSeconds }).toEqual({ status: 503, code: 'NOT_READY', retryAfterSeconds: 2 })
    const { data } = await server.client().listAgents({ search: 'alic' })
    expect(data.map(({ username }) => username)).toEqual(['alice'])
    state.isReady = true
    clock.advance(2_000)
    await server.drain()
    const found = await server.client().searchTweets({ q: 'patience is a virtue' })
    expect(found.data).toMatchObject([{ content: 'patience is a virtue', matched: 'both' }])
  })
})

describe('embedding', () => {
  beforeEach(async () => {
    state.fault = () => undefined
    await server.drain()
  })

  test('processes many texts at a time', async () => {
    const batches: number[] = []
    state.fault = (texts) => void batches.push(texts.length) as undefined
    await post(...numbered('batch', 40))
    await server.drain()
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(40)
    expect(Math.max(...batches)).toBeGreaterThan(16)
    expect(await countJobs()).toBe(0)
  })

  test('waits indefinitely for an unavailable API, without failing', async () => {
    state.fault = () => new EmbeddingUnavailable('away', { retryAfterSeconds: 3 })
    await post('still waiting')
    for (let round = 0; round < 12; round++) {
      await server.drain()
      clock.advance(3_000)
    }
    const { data } = await server.client().searchTweets({ q: 'still waiting' })
    expect(data[0]).toMatchObject({ content: 'still waiting', matched: 'words' })
    expect(await db.many(sql`select from job where failed_at is not null`)).toEqual([])
    state.fault = () => undefined
    await server.drain()
    expect(await listEmbedded('faulty')).toContain('still waiting')
  })

  test('skips a refused text, which can still be found by its words, and embeds the others', async () => {
    state.fault = (texts) =>
      texts.some((text) => text.includes('unspeakable')) ? new EmbeddingRefused('no') : undefined
    await post('one', 'an unspeakable thing', 'three')
    await server.drain()
    expect((await listEmbedded('faulty')).slice(-2)).toEqual(['one', 'three'])
    const { data } = await server.client().searchTweets({ q: 'unspeakable' })
    expect(data[0]).toMatchObject({ content: 'an unspeakable thing', matched: 'words' })
  })

  test('continues in another worker after one was killed', async () => {
    state.isReady = false
    await post(...numbered('in progress', 5))
    await server.drain()
    const until = new Date(clock.now().getTime() + 10_000)
    await db.run(sql`
      update job set attempts = 1, lock_id = gen_random_uuid(), locked_until = ${until} where kind = 'embed_tweet'`)
    state.isReady = true
    clock.advance(5_000)
    await server.drain()
    expect(await countJobs()).toBe(5)
    clock.advance(5_000)
    await server.drain()
    expect((await listEmbedded('faulty')).slice(-5)).toEqual(numbered('in progress', 5))
    expect(await countJobs()).toBe(0)
  })

  test('is repeated for a changed bio', async () => {
    const vectors = () => db.many<{ vector: string }>(sql`select vector::text from agent_embedding`)
    const before = await vectors()
    await alice.client.updateBio({ bio: 'watches the tides' })
    await server.drain()
    expect(await vectors()).toHaveLength(1)
    expect(await vectors()).not.toEqual(before)
  })
})

describe('a change of the model', () => {
  const old = createCheapEmbedder({ model: 'old', dimensions: 48 })
  const next = createCheapEmbedder({ model: 'next', dimensions: 80 })

  beforeEach(async () => {
    await db.run(sql`delete from tweet`)
    await db.run(sql`delete from job`)
    await db.run(sql`update embedding_model set state = 'retired'`)
    const first = startProcess(old)
    await first.adopt()
    await first.drain()
    clock.advance(11 * 60_000)
    for (const { id } of (await listModels(db)).filter((model) => model.state === 'retired'))
      await queue.enqueue(db, 'drop_embeddings', { modelId: id })
    await first.drain()
    expect(await listStates()).toEqual(['old active'])
  })

  test('re-embeds all texts in the background while the old vectors answer', async () => {
    const first = startProcess(old)
    await post(...numbered('river', 50))
    await first.drain()

    const second = startProcess(next, old)
    await second.adopt()
    expect(await listStates()).toEqual(['old active', 'next building'])
    expect((await second.find('river'))[0]?.matched).toBe('both')
    await post('a river that is new')
    expect(await listEmbedded('next')).toEqual([])
    await second.drain()
    expect(await listStates()).toEqual(['old retired', 'next active'])
    expect(await listEmbedded('next')).toHaveLength(51)
    clock.advance(2_000)
    expect((await second.find('a river that is new'))[0]?.content).toBe('a river that is new')

    clock.advance(11 * 60_000)
    await second.drain()
    expect(await listStates()).toEqual(['next active'])
    expect(await db.many(sql`select from pg_class where relname like 'tweet_embedding\\__'`)).toHaveLength(1)
    expect((await second.find('river')).length).toBe(20)
  })

  test('embeds a new text with both models until the new one is active', async () => {
    const second = startProcess(next, old)
    await second.adopt()
    await db.run(sql`update job set run_at = run_at + interval '1 day' where kind = 'reembed'`)
    await post('between two models')
    await second.drain()
    expect([await listEmbedded('old'), await listEmbedded('next')]).toEqual([
      ['between two models'],
      ['between two models'],
    ])
    expect(await listStates()).toEqual(['old active', 'next building'])
  })

  test('continues where it was stopped', async () => {
    const first = startProcess(old)
    await post(...numbered('stone', 70))
    await first.drain()
    let left = 1
    const stopping: Embedder = {
      ...next,
      async embed(texts, kind) {
        if (texts[0]?.startsWith('stone') && left-- <= 0) throw new EmbeddingUnavailable('stopped')
        return next.embed(texts, kind)
      },
    }
    const second = startProcess(stopping, old)
    await second.adopt()
    await second.drain()
    expect(await listEmbedded('next')).toHaveLength(32)
    expect(await listStates()).toEqual(['old active', 'next building'])

    const embedded: string[] = []
    const watched: Embedder = {
      ...next,
      embed(texts, kind) {
        embedded.push(...texts)
        return next.embed(texts, kind)
      },
    }
    clock.advance(60_000)
    const third = startProcess(watched, old)
    await third.adopt()
    await third.drain()
    expect(embedded.filter((text) => text.startsWith('stone'))).toHaveLength(38)
    expect(await listEmbedded('next')).toHaveLength(70)
    expect(await listStates()).toEqual(['old retired', 'next active'])
  })

  test('back to the previous model cancels the rebuild', async () => {
    await startProcess(next, old).adopt()
    const third = startProcess(old, next)
    await third.adopt()
    expect(await listStates()).toEqual(['old active', 'next retired'])
    await third.drain()
    clock.advance(11 * 60_000)
    await third.drain()
    expect(await listStates()).toEqual(['old active'])
  })

  test('activates the new model at once if no embedder for the old one is left', async () => {
    await post('an island')
    await startProcess(old).drain()
    const second = startProcess(next)
    await second.adopt()
    expect(await listStates()).toEqual(['old retired', 'next active'])
    expect((await second.find('an island'))[0]).toMatchObject({ content: 'an island', matched: 'words' })
    await second.drain()
    expect((await second.find('an island'))[0]).toMatchObject({ content: 'an island', matched: 'both' })
  })

  test('is not required for a rebuild: the same model can be rebuilt, stopped and continued', async () => {
    const first = startProcess(old)
    await post(...numbered('cloud', 70))
    await first.drain()
    const rebuildFor = async (steps: number) => {
      const { deps } = startProcess(old)
      const model = await beginRebuild(deps, old)
      return rebuild(deps, { model, embedder: old }, { stopping: () => --steps <= 0 })
    }
    expect(await rebuildFor(1)).toBe(false)
    expect(await listStates()).toEqual(['old active', 'old building'])
    expect((await first.find('cloud')).length).toBe(20)
    const [building] = await listModels(db)
    expect(await countDone(db, building ?? { id: 0 })).toBe(32)
    expect(await countReembedded(db)).toBe(32)
    expect(await rebuildFor(100)).toBe(true)
    expect(await listStates()).toEqual(['old retired', 'old active'])
    expect((await listModels(db))[0]).toEqual({ ...building, state: 'active' })
    expect(await countTexts(db)).toBe(71)
  })

  test('includes texts that another process embedded before it noticed the new model', async () => {
    const first = startProcess(old)
    await post('before')
    await first.drain()
    const { deps } = startProcess(old)
    const model = await beginRebuild(deps, old)
    let isLate = true
    const stopping = () => false
    const onStep = async () => {
      if (!isLate) return
      isLate = false
      await post('written meanwhile')
      await db.run(sql`delete from job`)
    }
    expect(await rebuild(deps, { model, embedder: old }, { stopping, onStep })).toBe(true)
    clock.advance(2_000)
    expect((await first.find('written meanwhile'))[0]).toMatchObject({ content: 'written meanwhile', matched: 'both' })
  })

  test('by two processes that start at once creates one new model', async () => {
    await Promise.all([startProcess(next, old).adopt(), startProcess(next, old).adopt()])
    expect(await listStates()).toEqual(['old active', 'next building'])
  })

  test.each([2_500, 4_500])('supports a model of %i dimensions', async (dimensions) => {
    await post('many dimensions')
    const second = startProcess(createCheapEmbedder({ model: 'wide', dimensions }), old)
    await second.adopt()
    await second.drain()
    clock.advance(2_000)
    expect((await second.find('many dimensions'))[0]).toMatchObject({ matched: 'both' })
  })
})
