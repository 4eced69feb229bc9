import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCorpus } from '@rookery/evaluations/search-corpus'
import { privateFor, type Viewer } from '@rookery/server/database'
import {
  createEmbedders,
  createLocalEmbedder,
  createModels,
  createTweetSearch,
  type Embedder,
  type Models,
  vectorLiteral,
} from '@rookery/server/search'
import { type Deps, openDeps, readConfig } from '@rookery/server/service'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createProgressBar } from '@rookery/tooling/progress-bar'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { quantile } from '../output/statistics.js'
import { recordStatements, type Statement } from '../plans/record.js'
import { insertHolder, loadTweets } from './load.js'
import { type Filter, type Measured, measureFilter, measureLimit, measureRate, timeEach } from './measure.js'
import { createSimulation } from './simulate.js'

const REAL_TEXTS = 1_000
const CONNECTIONS = 4

export const command: Command = {
  summary:
    'The vector index: recall and speed with and without filters compared with pgbench, its size, and embedding speed.',
  options: [
    ['--vectors <n>', 'how many tweets (default 100,000; a million takes a quarter of an hour)'],
    ['--queries <n>', 'how many searches each figure is based on (default 100)'],
    ['--seconds <n>', 'how long each rate is measured (default 10)'],
  ],
  async run(args) {
    const options = readOptions(args, { vectors: 100_000, queries: 100, seconds: 10 })
    const folder = await mkdtemp(join(tmpdir(), 'rookery-search-index-'))
    const server = await startPostgres({ shared_buffers: '4GB', maintenance_work_mem: '4GB', max_wal_size: '16GB' })
    const url = server.url('postgres')
    const real = createLocalEmbedder()
    const simulated = createSimulated(real)
    const embedders = createEmbedders(simulated.embedder, () => undefined)
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: folder })
    const deps = await openDeps(config, pino({ level: 'warn' }), { embeddedChain: 'none', embedders })
    try {
      await measure(deps, real, simulated, url, options)
    } finally {
      await deps.close()
      await real.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** An embedder that returns prepared vectors, so that the search is measured without the model. */
function createSimulated(real: Embedder) {
  const places = new Map<string, Float32Array>()
  const embedder: Embedder = {
    model: 'simulated',
    dimensions: 384,
    ready: Promise.resolve(),
    isReady: () => true,
    async embed(texts, kind) {
      const [place] = texts.map((text) => places.get(text))
      return place ? [place] : real.embed(texts, kind)
    },
    close: async () => {},
  }
  return { embedder, places }
}

interface Options {
  readonly vectors: number
  readonly queries: number
  readonly seconds: number
}

async function measure(
  deps: Deps,
  real: Embedder,
  { places }: ReturnType<typeof createSimulated>,
  url: string,
  options: Options,
): Promise<void> {
  const { db } = deps
  const bar = createProgressBar()
  const texts = (await readCorpus()).tweets.map(({ text }) => text)
  const { vectors, perSecond, perCpuSecond } = await embedTexts(real, texts.slice(0, REAL_TEXTS))
  console.log(`Embedding: ${perSecond.toFixed(0)} tweets/s, ${perCpuSecond.toFixed(0)} per second of CPU time`)

  const models = createModels(deps)
  await models.adopt()
  const model = await models.findActive()
  if (!model) throw new Error('There is no model')
  const next = createSimulation(vectors, 1)
  const { agents, buildSeconds } = await loadTweets(db, model, { count: options.vectors, texts, next }, bar)
  const query = createSimulation(vectors, 2)
  const queries = Array.from({ length: options.queries }, () => query())
  const literals = queries.map(vectorLiteral)

  const someHeld = await insertHolder(db, 1)
  const manyHeld = await insertHolder(db, 5)
  const isPublic = sql`near.audience is null`
  const isPrivate = sql`near.audience is not null`
  const filters: Filter[] = [
    { name: 'all public', within: isPublic, where: [] },
    { name: 'by an author of 10 %', within: isPublic, where: [sql`near.agent_id = ${agents.tenth}`] },
    { name: 'by an author of 0.5 %', within: isPublic, where: [sql`near.agent_id = ${agents.few}`] },
    { name: 'private, half of them held', within: isPrivate, where: [(await privateFor(db, manyHeld))(sql`near`)] },
    { name: 'private, a tenth held', within: isPrivate, where: [(await privateFor(db, someHeld))(sql`near`)] },
  ]
  const rows: (string | number)[][] = []
  for (const filter of filters) {
    const measured = await measureFilter(db, model, filter, literals)
    const limit = await measureLimit(url, measured.statements, { seconds: options.seconds, connections: 1 })
    rows.push([filter.name, ...columns(measured), limit?.toFixed(0) ?? '–'])
  }
  console.log(`\nNearest 200 of ${options.vectors.toLocaleString('en')} (one caller, recall of the first ten):\n`)
  console.log(textTable(['among', 'way', 'recall@10', 'rows', 'p50 ms', 'p99 ms', 'pgbench/s'], rows))

  queries.forEach((vector, index) => void places.set(questionOf(texts, index), vector))
  const viewers = { 'without an account': undefined, 'with shares of five': manyHeld }
  await measureWhole(deps, models, viewers, url, texts, options)
  await printSizes(deps, model.id, buildSeconds)
}

const questionOf = (texts: readonly string[], index: number) => `${texts[index % texts.length]?.slice(0, 60)} ${index}`

function columns({ way, recall, rows, ms }: Measured): (string | number)[] {
  return [way, recall.toFixed(3), rows.toFixed(0), ...latency(ms)]
}

const latency = (ms: readonly number[]) => [quantile(ms, 0.5).toFixed(1), quantile(ms, 0.99).toFixed(1)]

async function embedTexts(real: Embedder, texts: readonly string[]) {
  await real.ready
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const vectors = await real.embed(texts, 'document')
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1000
  return { vectors, perSecond: texts.length / seconds, perCpuSecond: (texts.length * 1e6) / (user + system) }
}

/** Measures everything behind the endpoint: meaning, words, the merged order, the rows of a page. */
async function measureWhole(
  deps: Deps,
  models: Models,
  viewers: Record<string, Viewer | undefined>,
  url: string,
  texts: readonly string[],
  { queries, seconds }: Options,
): Promise<void> {
  const rows: string[][] = []
  for (const [name, viewer] of Object.entries(viewers)) {
    const sent: Statement[] = []
    const recorded = createTweetSearch({ ...deps, db: recordStatements(deps.db, sent) }, models)
    const request = (turn: number) => ({ q: questionOf(texts, turn % queries), limit: 20 })
    await recorded.search(viewer, request(0))
    sent.length = 0
    const searches: Statement[][] = []
    await timeEach(queries, async (turn) => {
      await recorded.search(viewer, request(turn))
      searches.push(sent.splice(0))
    })
    const { search } = createTweetSearch(deps, models)
    await search(viewer, request(0))
    const ms = await timeEach(queries, (turn) => search(viewer, request(turn)))
    const callers = { seconds, connections: CONNECTIONS }
    const rate = await measureRate((turn) => search(viewer, request(turn)), callers)
    const limit = await measureLimit(url, searches, callers)
    rows.push([
      name,
      ...latency(ms),
      rate.toFixed(0),
      limit?.toFixed(0) ?? '–',
      limit ? (rate / limit).toFixed(2) : '–',
    ])
  }
  console.log(`\nA whole search, without embedding the query (${CONNECTIONS} callers for the rates):\n`)
  console.log(textTable(['caller', 'p50 ms', 'p99 ms', 'searches/s', 'pgbench/s', 'ratio'], rows))
}

async function printSizes({ db }: Deps, modelId: number, buildSeconds: number): Promise<void> {
  const rows = await db.many<{ name: string; size: string }>(sql`
    select relname as name, pg_size_pretty(pg_relation_size(oid)) as size from pg_class
    where relname like ${`tweet_embedding_${modelId}%`} or relname in ('tweet', 'tweet_words_by_time')
    order by pg_relation_size(oid) desc`)
  console.log(`\nSizes (vector indexes built in ${buildSeconds.toFixed(0)} s):\n`)
  console.log(
    textTable(
      ['table or index', 'size'],
      rows.map(({ name, size }) => [name, size]),
    ),
  )
}
