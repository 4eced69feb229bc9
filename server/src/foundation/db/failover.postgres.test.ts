import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPostgresProgram, startPostgres } from '@rookery/tooling/postgres'
import { type Program, startProgram } from '@rookery/tooling/start-program'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import { refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'
import { openPostgres } from './connect.js'
import { migrate } from './migrate.js'

const dataDir = await mkdtemp(join(tmpdir(), 'rookery-failover-'))
const opened: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of opened.reverse()) await close()
})

const SOON = { timeout: 60_000, interval: 20 }

/** A primary that waits for the standby that follows it, as docs/operating.md describes. */
async function startPair() {
  const ports = [await freePort(), await freePort()]
  const settings = (n: number) => ({ fsync: 'off', listen_addresses: '127.0.0.1', port: ports[n] ?? 0 })
  const primary = await startPostgres({ ...settings(0), wal_keep_size: '64MB' })
  opened.push(primary.stop)
  const standby = await startPostgres({ ...settings(1), hot_standby: 'on' }, (data) =>
    runPostgresProgram('pg_basebackup', ['-D', data, '-d', primary.url('postgres'), '-R', '-c', 'fast']),
  )
  opened.push(standby.stop)
  await ask(primary.url('postgres'), `alter system set synchronous_standby_names = '*'`)
  await ask(primary.url('postgres'), 'select pg_reload_conf()')
  const isSynchronous = `select exists (select from pg_stat_replication where sync_state = 'sync')`
  await vi.waitFor(async () => expect(await ask(primary.url('postgres'), isSynchronous)).toBe(true), SOON)
  const sockets = `host=${primary.folder},${standby.folder}&port=${ports.join(',')}`
  return {
    primary,
    standby,
    urls: {
      tcp: `postgresql://postgres@127.0.0.1:${ports[1]},localhost:${ports[0]}/postgres?target_session_attrs=primary`,
      sockets: `postgresql://postgres@/postgres?${sockets}&target_session_attrs=read-write`,
      plain: `postgresql://postgres@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres`,
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return Object.values(rows[0] ?? {})[0]
}

const readHealth = (server: TestServer) => server.client().getHealth()

async function readWorkerHealth(worker: Program): Promise<{ status: string; checks: { database: string } }> {
  const port = /"port":(\d+)[^\n]*probes and metrics are answered/.exec(worker.output())?.[1]
  return (await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json()) as Awaited<
    ReturnType<typeof readWorkerHealth>
  >
}

// The tests are the steps of one failover.
describe('when the primary is lost and its standby is promoted', () => {
  let pair: Awaited<ReturnType<typeof startPair>>
  let one: TestServer
  let two: TestServer
  let worker: Program
  let ann: SeededAgent
  let ben: SeededAgent
  const acknowledged: string[] = []
  const failures = new Set<string>()
  let isOver = false
  let done = 0
  let load: Promise<unknown>

  const untilMore = async () => {
    const [before, tweets] = [done, acknowledged.length]
    await expect.poll(() => done, SOON).toBeGreaterThan(before + 10)
    await expect.poll(() => acknowledged.length, SOON).toBeGreaterThan(tweets + 5)
  }

  beforeAll(async () => {
    pair = await startPair()
    // The worker has the real clock, on which agents of the tests' clock are months old: it would take their names and events.
    const kept = { PENDING_AGENT_DAYS: '0', KEEP_EVENTS_DAYS: '365' }
    const env = { DATA_DIR: dataDir, SERVER_SECRET: randomBytes(32).toString('hex'), ...kept }
    ;[one, two] = await Promise.all([
      startServerOn({ ...env, DATABASE_URL: pair.urls.tcp }),
      startServerOn({ ...env, DATABASE_URL: pair.urls.sockets }),
    ])
    opened.push(one.stop, two.stop)
    worker = await startProgram({
      env: { ...env, DATABASE_URL: pair.urls.plain, ROLE: 'worker', METRICS_PORT: '0', LOG_LEVEL: 'info' },
    })
    opened.push(worker.kill)
    ;({ ann, ben } = await one.seed.agents('ann', 'ben'))
    await ben.client.followAgent({ id: 'ann' })
  }, 120_000)

  test('calls get 503 with Retry-After until then, and health says why', async () => {
    expect(await Promise.all([one, two].map(async (server) => (await readHealth(server)).status))).toEqual(['ok', 'ok'])
    const elsewhere = two.client({ apiKey: ann.apiKey })
    const repeat = async (call: (count: number) => Promise<unknown>) => {
      for (let count = 0; !isOver; count++)
        try {
          await call(count)
          done++
        } catch (error) {
          const { status, code, retryAfterSeconds } = await refusal(Promise.reject(error))
          failures.add(`${status} ${code}, Retry-After ${retryAfterSeconds}`)
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
    }
    const post = async (client: SeededAgent['client'], content: string) =>
      acknowledged.push((await client.createTweet({ content })).id)
    load = Promise.all([
      repeat((count) => post(elsewhere, `no ${count}`)),
      repeat((count) => post(ann.client, `yes ${count}`)),
      repeat(() => ben.client.getMe()),
      repeat(() => elsewhere.listTweets()),
      repeat(() => two.client().listAgents()),
    ])
    await untilMore()

    await pair.primary.crash()
    for (const server of [one, two])
      await expect
        .poll(async () => readHealth(server).catch(() => undefined), SOON)
        .toMatchObject({
          status: 'degraded',
          reasons: [expect.stringMatching(/^The database takes no writes/)],
          checks: { database: 'failed' },
        })
    await expect
      .poll(() => readWorkerHealth(worker), SOON)
      .toMatchObject({ status: 'degraded', checks: { database: 'failed' } })
    expect(await refused(ben.client.createTweet({ content: 'in between' }))).toBe('503 NOT_READY')
    expect(await refused(ben.client.getMe())).toBe('503 NOT_READY')
  }, 120_000)

  test('everything works afterwards, and every tweet that was acknowledged is there', async () => {
    await ask(pair.standby.url('postgres'), 'select pg_promote()')
    for (const server of [one, two])
      await expect.poll(async () => (await readHealth(server).catch(() => undefined))?.status, SOON).toBe('ok')
    await untilMore()
    isOver = true
    await load
    expect([...failures]).toEqual(['503 NOT_READY, Retry-After 1'])
    const { rows } = await one.deps.database.pool.query<{ id: string }>('select id from tweet')
    const stored = new Set(rows.map(({ id }) => id))
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(10)
  }, 120_000)

  test('a worker goes on, and does each job once', async () => {
    await expect.poll(async () => (await readWorkerHealth(worker)).checks.database, SOON).toBe('ok')
    const count = async (text: string) => (await one.deps.database.pool.query(text)).rows[0].n as number
    await expect.poll(() => count(`select count(*)::int as n from job where kind = 'publish_tweet'`), SOON).toBe(0)
    const tweets = await count('select count(*)::int as n from tweet')
    const told = `from notification where type = 'NEW_TWEET'`
    await expect.poll(() => count(`select count(*)::int as n ${told}`), SOON).toBe(tweets)
    expect(await count(`select count(distinct tweet_id)::int as n ${told}`)).toBe(tweets)
    expect(await count('select count(*)::int as n from job where failed_at is not null')).toBe(0)
    expect(await findMiscounts(one.deps.database.pool)).toEqual([])
  }, 120_000)

  test('instances hear each other, and revoked keys are refused', async () => {
    await expect.poll(() => one.deps.peers.isListening() && two.deps.peers.isListening(), SOON).toBe(true)
    const elsewhere = two.client({ apiKey: ann.apiKey })
    expect((await elsewhere.getMe()).username).toBe('ann')
    await ann.client.regenerateKey()
    expect(await refused(elsewhere.getMe())).toBe('401 INVALID_API_KEY')
  })

  test('two processes that migrate at a time apply each migration once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-migrations-'))
    await one.deps.database.pool.query('delete from migration')
    opened.push(() => rm(folder, { recursive: true }))
    await writeFile(
      join(folder, '0001_index.sql'),
      '-- @concurrently\ncreate index concurrently after_failover on tweet (id);',
    )
    const processes = [pair.urls.tcp, pair.urls.sockets].map((url) => openPostgres(url))
    opened.push(...processes.map(({ close }) => close))
    const applied = await Promise.all(processes.map(({ pool }) => migrate(pool, { folder })))
    expect(applied.flat()).toEqual(['0001_index.sql'])
  })
})
