import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEmbedders, type Embedder } from '@rookery/server/adapters/embeddings/embedder'
import { createLocalEmbedder } from '@rookery/server/adapters/embeddings/local'
import { readConfig } from '@rookery/server/config'
import { type Deps, openDeps } from '@rookery/server/deps'
import { createTweetSearch } from '@rookery/server/search/tweets'
import { vectorLiteral } from '@rookery/server/search/vectors'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { startPostgres } from '../../../scripts/postgres.mjs'
import { createProgressBar } from '../output/progress-bar.js'
import { quantile } from '../output/statistics.js'
import { textTable } from '../output/table.js'
import { readCorpus } from '../search-quality/corpus.js'
import type { Command } from '../usage/command.js'
import { readOptions } from '../usage/options.js'
import { loadTweets } from './load.js'
import { type Filter, type Measured, measureFilter, measureLimit, measureRate } from './measure.js'
import { createSimulation } from './simulate.js'

const REAL_TEXTS = 1_000
const CONNECTIONS = 4

export const command: Command = {
  summary: 'The vector index: recall and speed with and without filters beside pgbench, its size, and embedding speed.',
  options: [
    ['--vectors <n>', 'how many tweets (default 100,000; a million takes an hour)'],
    ['--queries <n>', 'how many searches each number is taken over (default 100)'],
    ['--seconds <n>', 'how long each rate is measured (default 10)'],
  ],
  async run(args) {
    const options = readOptions(args, { vectors: 100_000, queries: 100, seconds: 10 })
    const folder = await mkdtemp(join(tmpdir(), 'rookery-search-index-'))
    const server = await startPostgres({ shared_buffers: '1GB', maintenance_work_mem: '2GB', max_wal_size: '8GB' })
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

/** Says that a query is where it is told, so that what is measured is the search and not the model. */
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

  await deps.searchModels.adopt()
  const model = await deps.searchModels.findActive()
  if (!model) throw new Error('There is no model')
  const next = createSimulation(vectors, 1)
  const { agents, buildSeconds } = await loadTweets(db, model, { count: options.vectors, texts, next }, bar)
  const query = createSimulation(vectors, 2)
  const queries = Array.from({ length: options.queries }, () => query())
  const literals = queries.map(vectorLiteral)

  const filters: Filter[] = [
    { name: 'none', where: [] },
    { name: '10 % of tweets', where: [sql`near.agent_id = ${agents.tenth}`] },
    { name: '0.5 % of tweets', where: [sql`near.agent_id = ${agents.few}`] },
  ]
  const rows: (string | number)[][] = []
  for (const filter of filters) {
    const measured = await measureFilter(db, model, filter, literals)
    const limit = await measureLimit(url, measured.statements, { seconds: options.seconds, connections: 1 })
    rows.push([filter.name, ...columns(measured), limit?.toFixed(0) ?? '–'])
  }
  console.log(`\nNearest 200 of ${options.vectors.toLocaleString('en')} (one caller, recall of the first ten):\n`)
  console.log(textTable(['filter', 'way', 'recall@10', 'rows', 'p50 ms', 'p99 ms', 'pgbench/s'], rows))

  queries.forEach((vector, index) => void places.set(questionOf(texts, index), vector))
  await measureWhole(deps, texts, options)
  await tellSizes(deps, model.id, buildSeconds)
}

const questionOf = (texts: readonly string[], index: number) => `${texts[index % texts.length]?.slice(0, 60)} ${index}`

function columns({ way, recall, rows, ms }: Measured): (string | number)[] {
  return [way, recall.toFixed(3), rows.toFixed(0), quantile(ms, 0.5).toFixed(1), quantile(ms, 0.99).toFixed(1)]
}

async function embedTexts(real: Embedder, texts: readonly string[]) {
  await real.ready
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const vectors = await real.embed(texts, 'document')
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - startedAt) / 1000
  return { vectors, perSecond: texts.length / seconds, perCpuSecond: (texts.length * 1e6) / (user + system) }
}

/** The whole of a search behind the endpoint: meaning, words, one order, the rows of a page. */
async function measureWhole(deps: Deps, texts: readonly string[], { queries, seconds }: Options): Promise<void> {
  const { search } = createTweetSearch(deps)
  const ask = (turn: number) => search(undefined, { q: questionOf(texts, turn % queries), limit: 20 })
  await ask(0)
  const ms: number[] = []
  for (let turn = 0; turn < queries; turn++) {
    const startedAt = performance.now()
    await ask(turn)
    ms.push(performance.now() - startedAt)
  }
  const rate = await measureRate(ask, { seconds, callers: CONNECTIONS })
  console.log('\nA whole search, without embedding the query:\n')
  const row = [quantile(ms, 0.5).toFixed(1), quantile(ms, 0.99).toFixed(1), rate.toFixed(0)]
  console.log(textTable(['p50 ms', 'p99 ms', `searches/s (${CONNECTIONS} callers)`], [row]))
}

async function tellSizes({ db }: Deps, modelId: number, buildSeconds: number): Promise<void> {
  const rows = await db.many<{ name: string; size: string }>(sql`
    select relname as name, pg_size_pretty(pg_relation_size(oid)) as size from pg_class
    where relname like ${`tweet_embedding_${modelId}%`} or relname in ('tweet', 'tweet_words', 'tweet_public_words')
    order by pg_relation_size(oid) desc`)
  console.log(`\nSizes (vector indexes built in ${buildSeconds.toFixed(0)} s):\n`)
  console.log(
    textTable(
      ['table or index', 'size'],
      rows.map(({ name, size }) => [name, size]),
    ),
  )
}
