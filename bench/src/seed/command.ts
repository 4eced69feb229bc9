import { checkSecret, migrate } from '@rookery/server/database'
import { type Command, UsageError } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { createProgressBar, silentBar } from '@rookery/tooling/progress-bar'
import { topicNames, topics } from '@rookery/tooling/topics'
import sql, { raw } from 'sql-template-tag'
import { type BenchDatabase, databaseOptionLines, databaseOptions, openBenchDatabase } from '../postgres/open.js'
import { checkDataSet } from './check.js'
import { inboxSteps } from './inboxes.js'
import { dropIndexes, restoreIndexes } from './indexes.js'
import { orderStep } from './orders.js'
import { peopleCounts, peopleSteps } from './people.js'
import { generatorSql, type SeedPlan } from './plan.js'
import { findPlan, keepPlan, prepareProgress } from './progress.js'
import { runSteps } from './run.js'
import { type Step, statements } from './step.js'
import { tallyStep, tweetCounts, writingSteps } from './writings.js'

const defaults = {
  agents: 100_000,
  tweets: 1_000_000,
  follows: 5_000_000,
  likes: 3_000_000,
  seed: 1,
  until: '',
  check: false,
  ...databaseOptions,
}

export const command: Command = {
  summary: 'Fills a database with agents, tweets, follows and likes. The next run continues a stopped one.',
  options: [
    ['--agents <n>', 'default 100,000'],
    ['--tweets <n>', 'default 1,000,000'],
    ['--follows <n>', 'default 5,000,000'],
    ['--likes <n>', 'default 3,000,000'],
    ['--seed <n>', 'the same seed and the same --until give the same rows (default 1)'],
    ['--until <time>', 'time of the newest tweet (default now)'],
    ['--check', 'recount all totals and a sample of rows instead'],
    ...databaseOptionLines,
  ],
  async run(args) {
    const options = readOptions(args, defaults)
    const database = await openBenchDatabase(options)
    try {
      if (options.check) await check(database)
      else await seed(database, { ...options, until: readTime(options.until) })
    } finally {
      await database.close()
    }
  },
}

/** Creates a data set, or the rest of it. */
export async function seed(
  database: BenchDatabase,
  wanted: Omit<SeedPlan, 'until'> & { until?: number | undefined },
  { quiet = false } = {},
): Promise<void> {
  const { db, pool, secret } = database
  let stopping = false
  const stop = () => {
    stopping = true
    console.log('\nStopping after this chunk; the same command continues.')
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  await migrate(pool)
  await checkSecret(db, secret)
  await prepareProgress(db)
  const { agents, tweets, follows, likes, seed, until } = wanted
  const plan = await keepPlan(db, { agents, tweets, follows, likes, seed, ...(until !== undefined && { until }) })
  await pool.query(
    generatorSql(
      plan,
      Object.values(topics).map((words) => words.split(' ')),
      topicNames,
    ),
  )
  const bar = quiet ? silentBar : createProgressBar()
  const finished = await runSteps(db, allSteps(plan, database), { bar, stopping: () => stopping })
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (!finished) process.exitCode = 130
  else if (!quiet) console.log('The data set is complete.')
}

function allSteps(plan: SeedPlan, { secrets }: BenchDatabase): Step[] {
  const rewritten = ['tweet', 'agent']
  return [
    dropIndexes(['agent', 'follow', 'share_holding', 'tweet', 'tweet_like', 'notification']),
    ...peopleSteps(plan, secrets),
    restoreIndexes('follow'),
    restoreIndexes('share_holding'),
    ...writingSteps(plan),
    tweetCounts(plan),
    tallyStep(),
    peopleCounts(),
    orderStep(plan),
    // Both tables were written twice; this makes them as compact as if they had been written once.
    ...rewritten.map((table) => statements(`compact ${table}`, [raw(`vacuum full ${table}`)], { alone: true })),
    restoreIndexes('agent'),
    restoreIndexes('tweet'),
    restoreIndexes('tweet_like'),
    ...inboxSteps(plan),
    restoreIndexes('notification'),
    statements('analyze', [sql`vacuum analyze`], { alone: true }),
  ]
}

async function check({ db }: BenchDatabase): Promise<void> {
  const plan = await findPlan(db)
  if (!plan) throw new UsageError('There is no data set in this database.')
  const findings = await checkDataSet(db, plan)
  for (const { name, ok, note } of findings) console.log(`${ok ? 'ok  ' : 'BAD '} ${name.padEnd(44)} ${note}`)
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1
}

function readTime(text: string): number | undefined {
  if (text === '') return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new UsageError('--until must be a time, such as 2026-01-31T12:00:00Z')
  return time
}
