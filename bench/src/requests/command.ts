import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deps } from '@rookery/server/deps'
import sql from 'sql-template-tag'
import { startPostgres } from '../../../scripts/postgres.mjs'
import { median } from '../output/statistics.js'
import { textTable } from '../output/table.js'
import { record, type Statement } from '../plans/record.js'
import { over } from '../plans/scenarios.js'
import { type BenchDatabase, openAt } from '../postgres/open.js'
import { findPgbench, runPgbench } from '../postgres/pgbench.js'
import { backendPids, cpuSeconds } from '../program/cpu-seconds.js'
import { openService } from '../program/open-service.js'
import { startProgram } from '../program/start-program.js'
import { seed } from '../seed/command.js'
import { seededApiKey } from '../seed/people.js'
import type { Command } from '../usage/command.js'
import { readOptions } from '../usage/options.js'
import { answerSize, type LoadOptions, load, startBareServer } from './measure.js'
import { readProfile } from './profile.js'
import { scriptOf } from './script.js'
import { type Sample, type Workload, workloads } from './workloads.js'

const SEED = 1
const AGENTS = 1_000
const SIZES = { agents: AGENTS, tweets: 12_000, follows: 20_000, likes: 30_000, seed: SEED }

export const command: Command = {
  summary: 'Requests per second of the built program, beside a bare HTTP server and pgbench with the same statements.',
  options: [
    ['--only <text>', 'only requests whose name contains this'],
    ['--seconds <n>', 'how long each is measured (default 4)'],
    ['--rounds <n>', 'how often; the median counts (default 3)'],
    ['--connections <n>', 'default 16'],
    ['--profile', 'instead, tell where the program spends its time'],
  ],
  async run(args) {
    const defaults = { only: '', seconds: 4, rounds: 3, connections: 16, profile: false }
    const { only, rounds, profile, ...options } = readOptions(args, defaults)
    const chosen = workloads.filter(({ name }) => name.includes(only))
    const server = await startPostgres({ shared_buffers: '512MB', max_connections: 120 })
    const database = openAt(server.url('postgres'))
    try {
      await seed(database, SIZES, { quiet: true })
      const sample = await takeSample(database)
      if (profile) for (const workload of chosen) await profileOne(database, workload, sample, options)
      else await compare(database, chosen, sample, rounds, options)
    } finally {
      await database.close()
      await server.stop()
    }
  },
}

const environment = ({ url, secret }: BenchDatabase) => ({ DATABASE_URL: url, SERVER_SECRET: secret })

async function takeSample({ db }: BenchDatabase): Promise<Sample> {
  const tweets = await db.many<{ id: string }>(
    sql`select id from tweet where audience is null and type <> 'REPOST' order by md5(id::text) limit 3001`,
  )
  const agents = await db.many<{ id: string }>(sql`select id from agent order by id`)
  return {
    keys: Array.from({ length: AGENTS }, (_, n) => seededApiKey(SEED, n)),
    agentIds: agents.map(({ id }) => id),
    tweetIds: tweets.map(({ id }) => id),
  }
}

interface Measured {
  readonly name: string
  readonly bytes: number
  readonly rate: number[]
  readonly p99: number[]
  readonly bare: number[]
  readonly pgbench: number[]
  /** CPU time for one request, in microseconds: of the program, of PostgreSQL, of the bare server. */
  readonly programCpu: number[]
  readonly databaseCpu: number[]
  readonly bareCpu: number[]
}

const nothing = () => ({ rate: [], p99: [], bare: [], pgbench: [], programCpu: [], databaseCpu: [], bareCpu: [] })

async function compare(
  database: BenchDatabase,
  chosen: readonly Workload[],
  sample: Sample,
  rounds: number,
  options: LoadOptions,
): Promise<void> {
  const deps = await openService(database)
  const program = await startProgram(environment(database))
  const bare = await startBareServer()
  const known = new Set([...sample.agentIds, ...sample.tweetIds])
  try {
    const results: Measured[] = []
    for (const workload of chosen) {
      const statements = await catchStatements(deps, workload, sample)
      const { script, variables } = scriptOf(statements, known)
      const scripts = statements.length === 0 ? [] : [script]
      const bytes = await answerSize(program.url, workload, sample)
      const measured: Measured = { name: workload.name, bytes, ...nothing() }
      await load(program.url, workload, sample, { ...options, seconds: 1 })
      // One after the other in each round, so that whatever else the machine does meets all of them.
      for (let round = 0; round < rounds; round++) {
        const backends = await backendPids(database.db)
        const [programBefore, databaseBefore] = [await cpuSeconds([program.pid]), await cpuSeconds(backends)]
        const { perSecond, p99, total } = await load(program.url, workload, sample, options)
        measured.rate.push(perSecond)
        measured.p99.push(p99)
        measured.programCpu.push((((await cpuSeconds([program.pid])) - programBefore) * 1e6) / total)
        measured.databaseCpu.push((((await cpuSeconds(backends)) - databaseBefore) * 1e6) / total)
        const bareBefore = await cpuSeconds([bare.pid])
        const ready = await bare.load(bytes, options)
        measured.bare.push(ready.perSecond)
        measured.bareCpu.push((((await cpuSeconds([bare.pid])) - bareBefore) * 1e6) / ready.total)
        const tps = await runPgbench(database.url, scripts, { mode: 'prepared', variables, ...options })
        if (tps !== undefined) measured.pgbench.push(tps)
      }
      results.push(measured)
      console.error(`${workload.name}: ${median(measured.rate).toFixed(0)} a second`)
    }
    print(results)
  } finally {
    await bare.stop()
    await program.stop()
    await deps.close()
  }
}

async function catchStatements(deps: Deps, { statements }: Workload, sample: Sample): Promise<Statement[]> {
  const viewer = await deps.identities.identify(sample.keys[100] ?? '')
  if (!statements || !viewer) return []
  return record(deps.db, (db) => statements(over(deps, db), viewer, sample))
}

function print(results: readonly Measured[]): void {
  const whole = (value: number) => Math.round(value).toLocaleString('en')
  const ratio = (a: readonly number[], b: readonly number[]) =>
    b.length === 0 ? '–' : `${median(a.map((value, index) => value / (b[index] ?? Number.NaN))).toFixed(2)}x`
  const rows = results.map(({ name, bytes, rate, p99, bare, pgbench, programCpu, databaseCpu, bareCpu }) => [
    name,
    whole(bytes),
    whole(median(rate)),
    whole(median(p99)),
    whole(median(bare)),
    ratio(rate, bare),
    pgbench.length === 0 ? '–' : whole(median(pgbench)),
    ratio(rate, pgbench),
    whole(median(programCpu)),
    whole(median(databaseCpu)),
    whole(median(bareCpu)),
  ])
  const rates = ['req/s', 'p99 ms', 'bare req/s', 'of bare', 'pgbench', 'of pgbench']
  const heading = ['request', 'bytes', ...rates, 'CPU us', 'database us', 'bare us']
  console.log(`\n${textTable(heading, rows)}`)
  console.log(`Load of the machine (${cpus().length} cores): ${loadavg()[0]?.toFixed(1)}`)
  if (!findPgbench()) console.log('pgbench is not installed, so its columns are empty.')
}

async function profileOne(
  database: BenchDatabase,
  workload: Workload,
  sample: Sample,
  options: LoadOptions,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-profile-'))
  try {
    const nodeFlags = ['--cpu-prof', `--cpu-prof-dir=${folder}`]
    const program = await startProgram(environment(database), { nodeFlags })
    await load(program.url, workload, sample, options)
    const startedAt = performance.now()
    const { perSecond } = await load(program.url, workload, sample, options)
    await program.stop()
    const { functions, packages } = await readProfile(folder, (performance.now() - startedAt) / 1000)
    const shown = (costs: typeof functions, most: number) =>
      costs.slice(0, most).map(({ what, part }) => [what, `${(part * 100).toFixed(1)}%`])
    console.log(`\n${workload.name}: ${perSecond.toFixed(0)} a second under the profiler\n`)
    console.log(textTable(['package', 'time'], shown(packages, 12)))
    console.log(`\n${textTable(['function', 'time'], shown(functions, 25))}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
