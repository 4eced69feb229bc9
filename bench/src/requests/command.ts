import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'
import { openPostgres } from '@rookery/server/database'
import type { Command } from '@rookery/tooling/command'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { markdownTable, textTable } from '@rookery/tooling/table'
import { startGenerator } from '../load/start-generator.js'
import { startCheapEmbeddings } from '../program/cheap-embeddings.js'
import { requireBuilt } from '../program/start-program.js'
import { endOnSignal } from '../usage/end-on-signal.js'
import { Beside } from './beside.js'
import { Forecast } from './forecast.js'
import { Meter } from './measure.js'
import { grow, optionLines, type RequestOptions, readRequestOptions } from './options.js'
import { profileAll } from './profile-all.js'
import { backlogLines, chartOf, type Report, tableOf } from './report.js'
import { type Ground, prepareGround, type Target, type TargetOptions } from './target.js'

const log = (line: string) => console.error(line)

export const command: Command = {
  summary: 'Requests per second of the built program, alone or alternating with another version.',
  options: optionLines,
  async run(args) {
    const options = readRequestOptions(args)
    requireBuilt()
    endOnSignal()
    if (options.against !== '') requireBuilt(resolve(options.against))
    const closing = new Closing()
    try {
      const grounds = await prepare(options, closing)
      if (options.profile) await profileAll(grounds, options, log)
      else await print(await compare(grounds, options, closing), options)
    } finally {
      await closing.closeAll()
    }
  },
}

/** Closes what was opened, in reverse order. */
class Closing {
  readonly #all: (() => Promise<unknown>)[] = []

  add(close: () => Promise<unknown>): void {
    this.#all.push(close)
  }

  async closeAll(): Promise<void> {
    for (const close of this.#all.splice(0).reverse()) await close()
  }
}

/** Seeds a database for each checkout. */
async function prepare(options: RequestOptions, closing: Closing): Promise<Ground[]> {
  const sizes = { ...options.sizes, until: Date.now() }
  const embeddings = await chooseEmbeddings(options, closing)
  const wanted: Pick<TargetOptions, 'name' | 'checkout' | 'sizes' | 'processes'>[] = []
  if (options.growth > 0) wanted.push({ name: 'large', sizes: grow(sizes, options.growth) })
  if (options.processes > 0)
    wanted.push({ name: `${options.processes} processes`, sizes, processes: options.processes })
  wanted.push({ name: options.growth > 0 ? 'small' : options.processes > 0 ? '1 process' : 'here', sizes })
  if (options.against !== '') wanted.push({ name: 'there', checkout: resolve(options.against), sizes })
  const urls = options.embedded ? [] : await makeDatabases(wanted.length, closing)
  const grounds: Ground[] = []
  for (const [index, target] of wanted.entries()) {
    log(`Seeding ${target.sizes.tweets.toLocaleString('en')} tweets for the program ${target.name} …`)
    const databaseUrl = urls[index]
    const ground = await prepareGround({
      ...target,
      embeddings,
      isUnlimited: options.unlimited,
      ...(databaseUrl !== undefined && { databaseUrl }),
    })
    closing.add(() => ground.remove())
    grounds.push(ground)
  }
  return grounds
}

// The local model would embed all seeded texts, which takes minutes; only some workloads need that.
async function chooseEmbeddings(options: RequestOptions, closing: Closing): Promise<Record<string, string>> {
  if (options.chosen.some(({ embeds }) => embeds) && !options['random-vectors']) return {}
  const cheap = await startCheapEmbeddings()
  closing.add(async () => cheap.stop())
  log('Texts get random vectors.')
  return { EMBEDDINGS: cheap.url, EMBEDDINGS_MODEL: 'cheap' }
}

async function makeDatabases(count: number, closing: Closing): Promise<string[]> {
  const server = await startPostgres({ shared_buffers: '512MB', max_connections: 160 })
  closing.add(() => server.stop())
  const { pool, close } = openPostgres(server.url('postgres'))
  const names = Array.from({ length: count }, (_, index) => `bench_${index}`)
  for (const name of names) await pool.query(`create database ${name}`)
  await close()
  return names.map((name) => server.url(name))
}

async function compare(grounds: readonly Ground[], options: RequestOptions, closing: Closing): Promise<Report> {
  const generator = startGenerator()
  closing.add(() => generator.stop())
  const targets: Target[] = []
  for (const ground of grounds) {
    const target = await ground.start()
    closing.add(() => target.stop())
    targets.push(target)
  }
  const [mine] = targets
  const beside = options.beside && mine ? await Beside.open(mine, generator) : undefined
  if (beside) closing.add(() => beside.close())
  const { seconds, rounds, connections, wait: waitSeconds } = options
  const meter = new Meter(generator, targets, { seconds, rounds, connections, waitSeconds, log })
  const measured: Report['measured'][number][] = []
  const forecast = new Forecast(options.chosen, options, targets.length)
  for (const workload of options.chosen) {
    log(forecast.begin(workload))
    for (const row of await meter.measure(workload)) {
      const best = await beside?.measure(workload, row.connections, seconds)
      measured.push({ ...row, ...(best && { best }) })
    }
    for (const line of resultLines(targets, measured.slice(-connections.length))) log(line)
  }
  return {
    engine: options.embedded ? 'embedded' : 'postgres',
    targets: targets.map(({ name }) => name),
    measured,
    backlogs: meter.backlogs,
  }
}

function resultLines(targets: readonly Target[], measured: Report['measured']): string[] {
  const { heading, rows } = tableOf({
    engine: 'embedded',
    targets: targets.map(({ name }) => name),
    measured,
    backlogs: [],
  })
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell : `${heading[column]} ${cell}`)).join(', '))
}

async function print(report: Report, { markdown, json, chart }: RequestOptions): Promise<void> {
  const { heading, rows } = tableOf(report)
  console.log(`\n${(markdown ? markdownTable : textTable)(heading, rows)}\n`)
  for (const line of backlogLines(report.backlogs)) console.log(line)
  console.log(`Load of the machine (${cpus().length} cores): ${loadavg()[0]?.toFixed(1)}`)
  if (json !== '') await writeFile(json, `${JSON.stringify(report, null, 2)}\n`)
  if (chart !== '') await writeFile(chart, chartOf(report))
}
