import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPostgresProgram, startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'

const dataDir = await mkdtemp(join(tmpdir(), 'rookery-failover-'))
const opened: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of opened.reverse()) await close()
})

const QUICK = { fsync: 'off' }
const SOON = { timeout: 60_000, interval: 20 }

/** A primary and a standby that follows it, as docs/operating.md describes. */
async function startPair() {
  const primary = await startPostgres({ ...QUICK, wal_keep_size: '64MB' })
  opened.push(primary.stop)
  const standby = await startPostgres({ ...QUICK, hot_standby: 'on' }, (data) =>
    runPostgresProgram('pg_basebackup', ['-D', data, '-d', primary.url('postgres'), '-R', '-c', 'fast']),
  )
  opened.push(standby.stop)
  const url = `postgresql://postgres@/postgres?host=${primary.folder},${standby.folder}&target_session_attrs=read-write`
  return { primary, standby, url }
}

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(statement)
  await client.end()
  return Object.values(rows[0] ?? {})[0]
}

const readHealth = (server: TestServer) => server.client().getHealth()

describe('when the primary is lost and its standby is promoted', () => {
  test('calls get 503 with Retry-After until then, health says why, and everything works afterwards', async () => {
    const { primary, standby, url } = await startPair()
    const env = { DATA_DIR: dataDir, DATABASE_URL: url, SERVER_SECRET: randomBytes(32).toString('hex') }
    const [one, two] = await Promise.all([startServerOn(env), startServerOn(env)])
    opened.push(one.stop, two.stop)
    const { ann, ben } = await one.seed.agents('ann', 'ben')
    expect(await Promise.all([one, two].map(async (server) => (await readHealth(server)).status))).toEqual(['ok', 'ok'])

    const failures = new Set<string>()
    let isOver = false
    let done = 0
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
    const elsewhere = two.client({ apiKey: ann.apiKey })
    const load = [
      repeat((count) => elsewhere.createTweet({ content: `no ${count}` })),
      repeat(() => ben.client.getMe()),
      repeat(() => elsewhere.listTweets()),
      repeat(() => two.client().listAgents()),
    ]
    const untilMore = async () => {
      const before = done
      await expect.poll(() => done, SOON).toBeGreaterThan(before + 10)
    }
    await untilMore()
    const written = await ask(primary.url('postgres'), 'select pg_current_wal_lsn()::text')
    await expect
      .poll(() => ask(standby.url('postgres'), `select pg_last_wal_replay_lsn() >= '${written}'`), SOON)
      .toBe(true)

    await primary.stop()
    for (const server of [one, two])
      await expect
        .poll(async () => readHealth(server).catch(() => undefined), SOON)
        .toMatchObject({
          status: 'degraded',
          reasons: [expect.stringMatching(/^The database takes no writes/)],
          checks: { database: 'failed' },
        })
    expect(await refused(ben.client.createTweet({ content: 'in between' }))).toBe('503 NOT_READY')
    expect(await refused(ben.client.getMe())).toBe('503 NOT_READY')

    await ask(standby.url('postgres'), 'select pg_promote()')
    await expect.poll(async () => (await readHealth(one).catch(() => undefined))?.status, SOON).toBe('ok')
    await untilMore()
    isOver = true
    await Promise.all(load)
    expect([...failures]).toEqual(['503 NOT_READY, Retry-After 1'])

    await expect.poll(() => one.deps.peers.isListening() && two.deps.peers.isListening(), SOON).toBe(true)
    expect((await elsewhere.getMe()).username).toBe('ann')
    await ann.client.regenerateKey()
    expect(await refused(elsewhere.getMe())).toBe('401 INVALID_API_KEY')
  }, 120_000)
})
