import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { findPostgres, runPostgresProgram, startPostgres } from '@rookery/tooling/postgres'
import { makeProduction, sizeOf } from '@rookery/tooling/production'
import { requirePostgres } from '@rookery/tooling/require-postgres'
import { markdownTable, textTable } from '@rookery/tooling/table'
import pg from 'pg'
import { openAt } from '../postgres/open.js'
import { timed } from '../program/call.js'
import { requireBuilt, startProgram } from '../program/start-program.js'
import { seed } from '../seed/command.js'
import { seededApiKey } from '../seed/people.js'
import { endOnSignal } from '../usage/end-on-signal.js'
import { makeSecret, PATIENCE_MS, startCluster } from './cluster.js'
import { measureGrowth } from './growth.js'
import { startWriters } from './writers.js'

const OPERATE = fileURLToPath(new URL('../../../server/dist/operate.js', import.meta.url))
const SEED = 1
const WRITERS = 4
const defaults = { agents: 1_000, tweets: 5_000, follows: 20_000, likes: 20_000, writes: 500, markdown: false }

export const command: Command = {
  summary:
    "How long an operator's steps take on a seeded PostgreSQL, how long nobody could write, and what a write adds.",
  options: [
    ['--agents <n>', 'seeded agents (default 1,000)'],
    ['--tweets <n>', 'seeded tweets (default 5,000)'],
    ['--follows <n>', 'seeded follows (default 20,000)'],
    ['--likes <n>', 'seeded likes (default 20,000)'],
    ['--writes <n>', 'tweets and likes by which growth is measured (default 500)'],
    ['--markdown', 'print the tables for a page'],
  ],
  async run(args) {
    const { markdown, ...sizes } = readOptions(args, defaults)
    requireBuilt()
    requirePostgres()
    endOnSignal()
    const table = markdown ? markdownTable : textTable
    const folder = await mkdtemp(join(tmpdir(), 'rookery-steps-'))
    try {
      const { took, figures } = await takeSteps(folder, sizes)
      console.log(table(['step', 'seconds', 'without a write', 'and'], took))
      console.log(`\n${table(['figure', 'value'], figures)}`)
      console.log(`\n${cpus().length} cores, a load of ${loadavg()[0]?.toFixed(1)} at the end.`)
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    }
  },
}

type Took = readonly [step: string, seconds: string, withoutWrite: string, remark: string]

async function takeSteps(folder: string, { writes, ...plan }: Omit<typeof defaults, 'markdown'>) {
  const took: Took[] = []
  const note = (step: string, ms: number, remark = '', withoutWrites = '') => {
    took.push([step, (ms / 1000).toFixed(1), withoutWrites, remark])
    console.error(
      [step, `${(ms / 1000).toFixed(1)} s`, withoutWrites && `without a write ${withoutWrites}`, remark]
        .filter(Boolean)
        .join(', '),
    )
  }
  const at = (name: string) => join(folder, name)
  const mb = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`

  const production = at('production')
  note('make a folder for production', await timed(() => makeProduction(production)), mb(sizeOf(production)))
  for (const step of ['first start, embedded, on nothing', 'start it again'])
    note(
      step,
      await timed(async () => (await startProgram({}, { dataDir: at('embedded'), readyWithinMs: PATIENCE_MS })).stop()),
      'until it has stopped again',
    )

  const primary = await startPostgres({ wal_level: 'replica', wal_keep_size: '1GB' })
  const url = primary.url('postgres')
  const database = openAt(url)
  let stopping: (() => Promise<unknown>)[] = [() => primary.stop(), () => database.close()]
  try {
    const env = { DATABASE_URL: url, SERVER_SECRET: database.secret, DATA_DIR: at('data') }
    const operate = (...words: string[]) => timed(() => run(process.execPath, [OPERATE, ...words], env))
    note('preflight', await operate('preflight'))
    note('migrate, from nothing', await operate('migrate'))
    await seed(database, { ...plan, seed: SEED }, { quiet: true })
    await database.pool.query('vacuum analyze')
    const size = async () =>
      Number((await database.pool.query('select pg_database_size(current_database()) as n')).rows[0].n)
    const seeded = await size()
    note('migrate --check', await operate('migrate', '--check'))

    const standby = await timedValue(() =>
      startPostgres({ hot_standby: 'on' }, (data) =>
        runPostgresProgram('pg_basebackup', ['-D', data, '-d', url, '-R', '-c', 'fast']),
      ),
    )
    note('make a standby', standby.ms, mb(seeded))
    stopping = [standby.value.stop, ...stopping]
    const both = `postgresql://postgres@/postgres?host=${primary.folder},${standby.value.folder}&target_session_attrs=read-write`
    const cluster = await timedValue(() => startCluster({ ...env, DATABASE_URL: both }))
    stopping = [cluster.value.stop, ...stopping]
    note('start two webs and a worker', cluster.ms, 'all at once')

    const keys = Array.from({ length: WRITERS }, (_, n) => seededApiKey(SEED, n))
    const figures = await measureGrowth(database, cluster.value, { writes, seed: SEED, agents: plan.agents })
    const writers = startWriters(cluster.value.url, keys)
    const during = async (step: string, work: () => Promise<unknown>, remark = '') => {
      const { seconds, withoutWrites, refused } = await writers.during(work)
      note(step, seconds * 1000, [remark, ...refused].filter(Boolean).join('; '), `${withoutWrites.toFixed(1)} s`)
    }
    await during('replace all three, one by one', () => cluster.value.replaceAll(), 'with DRAIN_MS=1000')
    const secret = makeSecret()
    const lists = [`${database.secret},${secret}`, `${secret},${database.secret}`, secret]
    await during('rotate SERVER_SECRET in three steps', async () => {
      for (const SERVER_SECRET of lists) await cluster.value.replaceAll({ SERVER_SECRET })
    })
    const dump = at('rookery.dump')
    await during('pg_dump', () => runTool('pg_dump', ['--format=custom', `--file=${dump}`, url]))
    await during('backup of the data folder', () =>
      run(process.execPath, [OPERATE, 'backup', at('backup')], { ...env, SERVER_SECRET: secret }),
    )
    await database.pool.query('create database restored')
    await during(
      'pg_restore into an empty database',
      () =>
        runTool('pg_restore', [
          '--no-owner',
          '--no-comments',
          '--exit-on-error',
          `--dbname=${primary.url('restored')}`,
          dump,
        ]),
      mb((await stat(dump)).size),
    )
    await during('drain an instance and let it go on', async () => {
      const { rows } = await database.pool.query('select id from instance order by seen_at desc limit 1')
      for (const name of ['drain', 'undrain'])
        await run(process.execPath, [OPERATE, name, rows[0].id], { ...env, SERVER_SECRET: secret })
    })
    await database.close()
    await during(
      'lose the primary, promote the standby',
      async () => {
        await primary.stop()
        const client = new pg.Client({ connectionString: standby.value.url('postgres') })
        await client.connect()
        await client.query('select pg_promote()')
        await client.end()
        await writersGoOn(cluster.value.url)
      },
      'promoted at once; add the time until somebody decides',
    )
    stopping = [cluster.value.stop, standby.value.stop]
    await writers.stop()
    return { took, figures: [['seeded database', mb(seeded)] as const, ...figures] }
  } finally {
    for (const stop of stopping) await stop()
  }
}

async function writersGoOn(url: string): Promise<void> {
  for (;;) {
    const { status } = await fetch(`${url}/v1/ready`).catch(() => ({ status: 0 }))
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function timedValue<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now()
  const value = await work()
  return { value, ms: performance.now() - startedAt }
}

async function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(env.DATA_DIR ?? tmpdir(), { recursive: true })
  await promisify(execFile)(program, [...args], { env: { PATH: process.env.PATH, ...env }, cwd: tmpdir() })
}

const runTool = (program: string, args: readonly string[]) => run(join(findPostgres() ?? '', program), args)
