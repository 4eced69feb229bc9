import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { embedderContract } from './embedder.contract.js'
import { createEmbedders, normalise } from './embedder.js'
import { BACKLOG, BACKLOG_NICE, createLocalEmbedder, localPrecision, THREAD_NICE } from './local.js'

embedderContract('local', async () => createLocalEmbedder())

// A thread with the lowest priority gets little time on a busy machine.
const LONG = 30_000

const dot = (a: Float32Array | undefined, b: Float32Array | undefined) =>
  a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? 0

describe('embedders', () => {
  test('open no second embedder of the configured model, even while it loads', () => {
    const configured = createLocalEmbedder()
    const embedders = createEmbedders(configured, (model) => expect.fail(`opened ${model}`))
    expect(embedders.find('local/all-MiniLM-L6-v2-int8')).toBe(configured)
  })
})

/** The threads of this process, or those with one priority. */
function listThreads(nice?: number): string[] {
  const niceOf = (thread: string) => {
    // The name is in brackets and may contain spaces; the 19th field is the 17th after it.
    const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(fields.split(' ')[16])
  }
  return readdirSync('/proc/self/task').filter((thread) => nice === undefined || niceOf(thread) === nice)
}

describe('the local model', () => {
  const native = createLocalEmbedder()
  const wasm = createLocalEmbedder({ precision: 'fp16' })
  afterAll(async () => {
    await native.close()
    await wasm.close()
  })

  const TEXTS = ['The cat sat on the mat.', 'A kitten rested on the rug.', 'Interest rates rose again in March.']

  test('puts a paraphrase closer than another topic', async () => {
    const [cat, kitten, rates] = await native.embed(TEXTS, 'document')
    expect(dot(cat, kitten)).toBeGreaterThan(dot(cat, rates) + 0.3)
  })

  test('gives equivalent vectors in WebAssembly, under its own model name', async () => {
    const natives = await native.embed(TEXTS, 'document')
    const others = await wasm.embed(TEXTS, 'document')
    expect(Math.min(...natives.map((vector, index) => dot(vector, others[index])))).toBeGreaterThan(0.97)
    expect(wasm.model).not.toBe(native.model)
    expect([native.model, wasm.model].map(localPrecision)).toEqual(['int8', 'fp16'])
    expect(localPrecision('text-embedding-3-small')).toBeUndefined()
  })

  test('reads the layers of the native model, of which the last gives the vector', async () => {
    const vectors = await native.embed(TEXTS, 'document')
    const layers = (await native.readLayers?.(TEXTS)) ?? []
    expect(layers.map(({ length }) => length)).toEqual(TEXTS.map(() => 7 * 384))
    for (const [index, read] of layers.entries()) {
      const last = normalise(read.slice(-384))
      expect(dot(last, vectors[index])).toBeGreaterThan(0.99)
      for (let layer = 0; layer < 6; layer++)
        expect(Math.abs(dot(normalise(read.slice(layer * 384, (layer + 1) * 384)), last))).toBeLessThan(0.9)
    }
    expect(await wasm.readLayers?.(TEXTS)).toBeUndefined()
  })

  test(
    'can be closed at any moment of its loading',
    async () => {
      for (const afterMs of [0, 40, 80, 120, 160, 200, 250, 300, 400]) {
        const closed = createLocalEmbedder({ precision: 'int8' })
        const refused = closed.ready.catch((error: Error) => error.message)
        await new Promise((resolve) => setTimeout(resolve, afterMs))
        await closed.close()
        expect([undefined, 'The thread of the embedding model ended']).toContain(await refused)
      }
    },
    LONG,
  )

  test('runs a query before waiting documents', async () => {
    const order: string[] = []
    const documents = native.embed(
      Array(BACKLOG - 1).fill('a text of some length, so that it takes a moment'),
      'document',
    )
    const query = native.embed(['a question'], 'query')
    await Promise.all([documents.then(() => order.push('documents')), query.then(() => order.push('query'))])
    expect(order).toEqual(['query', 'documents'])
  })

  test(
    'does not block the main thread while it embeds',
    async () => {
      let turns = 0
      await native.ready
      const counting = setInterval(() => turns++, 1)
      await native.embed(
        Array.from({ length: 24 }, (_, index) => `${index} ${'one more word '.repeat(30)}`),
        'document',
      )
      clearInterval(counting)
      expect(turns).toBeGreaterThan(20)
    },
    4 * LONG,
  )

  test.runIf(process.platform === 'linux')('gives way to all other threads', async () => {
    await native.ready
    const [all, steppedBack] = [listThreads(), listThreads(THREAD_NICE)]
    const embedder = createLocalEmbedder()
    await embedder.ready
    const more = listThreads(THREAD_NICE).filter((thread) => !steppedBack.includes(thread))
    expect(more.length).toBeGreaterThan(0)
    expect(more.filter((thread) => all.includes(thread))).toEqual([])
    await embedder.close()
  })

  test.runIf(process.platform === 'linux')(
    'works off a backlog at the lowest priority while it lasts',
    async () => {
      const others = listThreads(BACKLOG_NICE)
      const listMine = () => listThreads(BACKLOG_NICE).filter((thread) => !others.includes(thread))
      const embedder = createLocalEmbedder({ keepBacklogThreadMs: 0 })
      const texts = Array.from({ length: BACKLOG }, (_, index) => `${index} ${TEXTS[index % 3]}`)
      await embedder.embed(texts.slice(1), 'document')
      expect(listMine()).toEqual([])
      const embedding = embedder.embed(texts, 'document')
      await vi.waitFor(() => expect(listMine()).not.toEqual([]), LONG)
      const vectors = await embedding
      await vi.waitFor(() => expect(listMine()).toEqual([]), LONG)
      const alone = await Promise.all(texts.slice(0, 12).map((text) => embedder.embed([text], 'document')))
      expect(Math.min(...alone.map(([vector], index) => dot(vector, vectors[index])))).toBeGreaterThan(0.97)
      expect(await embedder.embed(texts, 'document')).toEqual(vectors)
      await embedder.close()
    },
    4 * LONG,
  )

  test.runIf(process.platform === 'linux' && availableParallelism() > 1)(
    'works off two sets of a backlog in two threads, and any more in the same two',
    async () => {
      const others = listThreads(BACKLOG_NICE)
      const countMine = () => listThreads(BACKLOG_NICE).filter((thread) => !others.includes(thread)).length
      const embedder = createLocalEmbedder()
      const set = Array.from({ length: BACKLOG }, (_, index) => `${index} ${TEXTS[index % 3]}`)
      const alone = await embedder.embed(set, 'document')
      const ofOne = countMine()
      expect(ofOne).toBeGreaterThan(0)
      const together = await Promise.all([set, set, set].map((texts) => embedder.embed(texts, 'document')))
      expect(countMine()).toBe(2 * ofOne)
      expect(together).toEqual([alone, alone, alone])
      await embedder.close()
      expect(countMine()).toBe(0)
    },
    4 * LONG,
  )

  test('embeds a backlog in WebAssembly with its only model', async () => {
    const before = listThreads(BACKLOG_NICE)
    expect(await wasm.embed(Array(BACKLOG).fill('a'), 'document')).toHaveLength(BACKLOG)
    expect(listThreads(BACKLOG_NICE).filter((thread) => !before.includes(thread))).toEqual([])
  })

  test('refuses waiting requests when it is closed', async () => {
    for (const count of [BACKLOG - 1, 200]) {
      const embedder = createLocalEmbedder()
      await embedder.ready
      const waiting = embedder.embed(Array(count).fill('one of many'), 'document').catch((error: Error) => error.name)
      // Nothing loads until the first use.
      await Promise.resolve()
      await embedder.close()
      expect(await waiting).toBe('EmbeddingUnavailable')
    }
  })
})
