import { writeFile } from 'node:fs/promises'
import type { Deps } from '@rookery/server/service'
import { openService } from '@rookery/server/test/open-service'
import { type Command, UsageError } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { textTable } from '@rookery/tooling/table'
import sql from 'sql-template-tag'
import { type BenchDatabase, databaseOptionLines, databaseOptions, openBenchDatabase } from '../postgres/open.js'
import { seededApiKey } from '../seed/people.js'
import { findPlan } from '../seed/progress.js'
import { explain } from './explain.js'
import { plansPage, type Row } from './page.js'
import { recordWork } from './record.js'
import { type Subjects, scenarios, withDb } from './scenarios.js'

export const command: Command = {
  summary: 'Explains the hottest queries, as the service sends them, on a seeded data set.',
  options: [
    ['--page <file>', 'also write the table and the full plans of the hottest to this Markdown file'],
    ['--only <text>', 'only scenarios whose name contains this'],
    ['--show', 'print all plans'],
    ...databaseOptionLines,
  ],
  async run(args) {
    const options = readOptions(args, { page: '', only: '', show: false, ...databaseOptions })
    const database = await openBenchDatabase(options)
    try {
      const rows = await explainAll(database, options.only)
      if (options.show) for (const row of rows) console.log(`\n## ${row.name}: ${row.statement}\n\n${row.busy.plan}`)
      console.log(
        textTable(
          ['query', 'statement', 'busy ms', 'busiest ms', 'pages', 'plan', 'seq scans'],
          rows.map(({ name, statement, busy, busiest }) => [
            name,
            statement,
            busy.executionMs.toFixed(2),
            busiest.executionMs.toFixed(2),
            busy.buffers,
            busy.isGeneric ? 'generic' : 'custom',
            [...new Set([...busy.seqScans, ...busiest.seqScans])].join(' '),
          ]),
        ),
      )
      if (options.page) await writeFile(options.page, await plansPage(database.db, rows))
    } finally {
      await database.close()
    }
  },
}

async function explainAll(database: BenchDatabase, only: string): Promise<Row[]> {
  const deps = await openService(database)
  const client = await database.pool.connect()
  try {
    // Two agents: one that follows about two hundred others, and the one that follows and is followed most.
    const subjects = [await findSubjects(deps, database, 100), await findSubjects(deps, database, 0)] as const
    const rows: Row[] = []
    for (const scenario of scenarios.filter(({ name }) => name.includes(only))) {
      const explained = await Promise.all(
        subjects.map((subject) => recordWork(deps.db, (db) => scenario.run(withDb(deps, db), subject))),
      )
      const [busy = [], busiest = []] = explained
      if (busy.length !== scenario.statements.length)
        throw new Error(
          `${scenario.name} takes ${busy.length} statements, and ${scenario.statements.length} have a name.`,
        )
      const main = scenario.statements.find((name) => name.startsWith('rows')) ?? scenario.statements[0]
      for (const [index, statement] of busy.entries()) {
        const name = scenario.statements[index] ?? ''
        rows.push({
          name: scenario.name,
          statement: name,
          isHot: scenario.isHot === true && name === main,
          text: statement.text,
          busy: await explain(client, statement),
          busiest: await explain(client, busiest[index] ?? statement),
        })
      }
    }
    return rows
  } finally {
    client.release()
    await deps.close()
  }
}

/** Finds the agent at a part of the popularity scale, and what it would look at. */
async function findSubjects(deps: Deps, { db }: BenchDatabase, part: number): Promise<Subjects> {
  const plan = await findPlan(db).catch(() => undefined)
  if (!plan) throw new UsageError('There is no data set in this database. Make one with: npm run bench -- seed')
  const n = part === 0 ? 0 : Math.floor(plan.agents / part)
  const apiKey = seededApiKey(plan.seed, n)
  const viewer = await deps.identities.identify(apiKey)
  if (!viewer) throw new UsageError('The data set was made with another SERVER_SECRET.')
  const popular = await db.one<{ id: string; username: string }>(
    sql`select id, username from agent order by followers_count desc, id limit 1 offset ${part}`,
  )
  const { tweetId } = await db.one<{ tweetId: string }>(
    sql`select id as "tweetId" from tweet order by replies_count desc, id limit 1 offset ${part}`,
  )
  const { untoldTweetId } = await db.one<{ untoldTweetId: string }>(sql`
    select id as "untoldTweetId" from tweet
    where agent_id = ${popular.id} and type = 'POST' and audience is null order by id limit 1`)
  return { viewer, apiKey, tweetId, untoldTweetId, popular }
}
