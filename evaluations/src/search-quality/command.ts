import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createProgressBar } from '@rookery/tooling/progress-bar'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import { checkCorpus, countCorpus } from './check.js'
import { type Corpus, type CorpusQuery, type ExactQuery, readCorpus } from './corpus.js'
import { openService, postTweets } from './load.js'
import { type Outcome, recall, type Scores, scoresOf } from './scores.js'
import { createWays, type Way } from './ways.js'

const GOAL = { kind: 'paraphrase', recallAt5: 0.8, fullTextBelow: 0.2, exactRecallAt1: 1 } as const
const SHOWN = 3

export const command: Command = {
  summary: 'How well search finds what is meant: recall and nDCG on a labelled corpus, compared with full text alone.',
  options: [
    ['--postgres', 'on a private PostgreSQL server instead of the embedded database'],
    ['--check', 'only check the corpus'],
    ['--failures', 'list the queries whose answers are not among the first five'],
  ],
  async run(args) {
    const options = readOptions(args, { postgres: false, check: false, failures: false })
    const corpus = await readCorpus()
    const folder = await mkdtemp(join(tmpdir(), 'rookery-search-quality-'))
    const server = options.postgres ? await startPostgres() : undefined
    try {
      await measure(corpus, { DATA_DIR: folder, ...(server && { DATABASE_URL: server.url('postgres') }) }, options)
    } finally {
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

interface Options {
  readonly check: boolean
  readonly failures: boolean
}

async function measure(corpus: Corpus, env: Readonly<Record<string, string>>, options: Options): Promise<void> {
  const service = await openService(env)
  try {
    const faults = await checkCorpus(service.deps.db, corpus)
    for (const fault of faults) console.error(fault)
    if (faults.length > 0) throw new Error(`The corpus has ${faults.length} faults`)
    const counts = Object.entries(countCorpus(corpus)).map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    console.log(`The corpus is sound: ${counts.join(', ')}`)
    if (options.check) return
    const bar = createProgressBar()
    const names = await postTweets(service, corpus.tweets, bar)
    const found: Found[] = []
    for (const way of createWays({ ...service, names }, bar)) found.push(await searchAll(way, corpus))
    report(corpus, found)
    if (options.failures) listFailures(corpus, found)
  } finally {
    await service.close()
  }
}

/** The results of one way to search, for each labelled query and each rare term. */
interface Found {
  readonly way: string
  readonly rankings: ReadonlyMap<string, readonly string[]>
}

async function searchAll(way: Way, { queries, exact, nonsense }: Corpus): Promise<Found> {
  const all = [...queries, ...exact, ...nonsense]
  const rankings = await way.search(all.map(({ text }) => text))
  return { way: way.name, rankings: new Map(all.map(({ id }, index) => [id, rankings[index] ?? []])) }
}

function outcomesOf({ rankings }: Found, queries: readonly ExactQuery[], without = new Set<string>()) {
  return queries.map(({ id, relevant }): Outcome => {
    const ranking = (rankings.get(id) ?? []).filter((name) => !without.has(name))
    return { ranking, relevant }
  })
}

const HEADING = ['search', 'queries', 'n', 'recall@1', 'recall@5', 'recall@10', 'nDCG@10', 'recall@5 without traps']

function report(corpus: Corpus, found: readonly Found[]): void {
  const { queries, exact } = corpus
  const traps = new Set(queries.flatMap(({ traps = [] }) => traps))
  const table = (groups: readonly (readonly [name: string, queries: readonly CorpusQuery[]])[]) => {
    const rows = groups.flatMap(([name, group]) =>
      found.map((one) => {
        const without = scoresOf(outcomesOf(one, group, traps))
        return [one.way, name, ...numbers(scoresOf(outcomesOf(one, group))), without.recallAt5.toFixed(2)]
      }),
    )
    return `\n${textTable(HEADING, rows)}`
  }
  const by = (member: 'kind' | 'lang') =>
    [...new Set(queries.map((query) => query[member]))].map(
      (value) => [value, queries.filter((query) => query[member] === value)] as const,
    )
  console.log(table([...by('kind'), ['all', queries]]))
  console.log(table(by('lang')))
  const terms = found.map((one) => [one.way, 'rare terms', ...numbers(scoresOf(outcomesOf(one, exact)))])
  console.log(`\n${textTable(HEADING.slice(0, -1), terms)}`)
  judge(corpus, found)
  judgeFloor(corpus, found)
}

function numbers({ queries, recallAt1, recallAt5, recallAt10, ndcgAt10 }: Scores): (string | number)[] {
  return [queries, ...[recallAt1, recallAt5, recallAt10, ndcgAt10].map((value) => value.toFixed(2))]
}

function judge({ queries, exact }: Corpus, found: readonly Found[]): void {
  const goal = queries.filter(({ kind }) => kind === GOAL.kind)
  const service = found.at(-1)
  if (!service) return
  const { recallAt5 } = scoresOf(outcomesOf(service, goal))
  const fullText = Math.max(...found.slice(0, 2).map((one) => scoresOf(outcomesOf(one, goal)).recallAt5))
  const { recallAt1 } = scoresOf(outcomesOf(service, exact))
  const isMet = recallAt5 >= GOAL.recallAt5 && fullText < GOAL.fullTextBelow
  const isFirst = recallAt1 >= GOAL.exactRecallAt1
  console.log(
    `\nGoal (${GOAL.kind}): recall@5 of the service at least ${GOAL.recallAt5} where full text has under ` +
      `${GOAL.fullTextBelow}: ${recallAt5.toFixed(3)} against ${fullText.toFixed(3)}, ${isMet ? 'met' : 'MISSED'}`,
  )
  console.log(`Goal: every rare term finds its tweet first: ${recallAt1.toFixed(3)}, ${isFirst ? 'met' : 'MISSED'}`)
  if (!isMet || !isFirst) process.exitCode = 1
}

const FLOOR_DEPTH = 10

/** Judges the similarity under which meaning does not count: nonsense finds nothing, and no answer near the top is cut. */
function judgeFloor({ queries, nonsense }: Corpus, found: readonly Found[]): void {
  const [meaning, service] = found.slice(-2)
  if (!meaning || !service) return
  const rankingOf = ({ rankings }: Found, id: string) => rankings.get(id) ?? []
  const answered = nonsense.filter(({ id }) => rankingOf(service, id).length > 0)
  const cut = queries.flatMap(({ id, text, relevant }) =>
    rankingOf(meaning, id)
      .slice(0, FLOOR_DEPTH)
      .filter((name) => relevant.includes(name) && !rankingOf(service, id).includes(name))
      .map((name) => `${text}: ${name}`),
  )
  console.log(
    `Goal: nonsense finds nothing: ${answered.length} of ${nonsense.length} find something, ` +
      `${answered.length === 0 ? 'met' : 'MISSED'}`,
  )
  console.log(
    `Goal: no answer among the first ${FLOOR_DEPTH} by meaning is cut for being as far as nonsense: ${cut.length}, ` +
      `${cut.length === 0 ? 'met' : 'MISSED'}`,
  )
  for (const line of [...answered.map(({ text }) => `found something: ${text}`), ...cut]) console.log(`  ${line}`)
  if (answered.length > 0 || cut.length > 0) process.exitCode = 1
}

function listFailures({ tweets, queries, exact }: Corpus, found: readonly Found[]): void {
  const texts = new Map(tweets.map(({ id, text }) => [id, text]))
  const service = found.at(-1)
  const missed = (k: number, { id, relevant }: ExactQuery) =>
    recall({ ranking: service?.rankings.get(id) ?? [], relevant }, k) < 1
  for (const query of [...queries.filter((query) => missed(5, query)), ...exact.filter((query) => missed(1, query))]) {
    const ranking = service?.rankings.get(query.id) ?? []
    const places = query.relevant.map((name) => ranking.indexOf(name) + 1 || `after ${ranking.length}`)
    console.log(`\n${query.id} (${query.lang}): ${query.text}\n  place ${places.join(', ')}`)
    for (const name of query.relevant) console.log(`  wanted: ${texts.get(name)}`)
    for (const name of ranking.slice(0, SHOWN))
      console.log(`  ${query.traps?.includes(name) ? 'trap' : 'found'}:   ${texts.get(name)}`)
  }
}
