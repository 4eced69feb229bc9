import { randomBytes } from 'node:crypto'
import { findPgbouncer, startPgbouncer } from '@rookery/tooling/pgbouncer'
import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.js'
import { refused } from '../../../test/refusal.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'
import { openPostgres } from './connect.js'

const folder = new URL(inject('template').replace('@/', '@localhost/')).searchParams.get('host') ?? ''
// Fewer servers than the instances have connections, so that they share them.
const SHARED = { default_pool_size: 3 }
const SETTINGS = { old: SHARED, new: { ...SHARED, max_prepared_statements: 200 } }

describe.each(['old', 'new'] as const)(
  'through PgBouncer of the %s generation, with transaction pooling',
  (generation) => {
    describe.skipIf(!findPgbouncer(generation))('', () => {
      let database: TestDatabase
      let pooler: Awaited<ReturnType<typeof startPgbouncer>>
      let pooled: string
      const instances: TestServer[] = []

      beforeAll(async () => {
        database = await createTestDatabase()
        pooler = await startPgbouncer(generation, { folder, settings: SETTINGS[generation] })
        pooled = pooler.url(nameOf(database))
        const secret = { SERVER_SECRET: randomBytes(32).toString('hex') }
        const env = { ...database.env, DATABASE_URL: pooled, DATABASE_DIRECT_URL: database.env.DATABASE_URL ?? '' }
        for (let count = 0; count < 2; count++) instances.push(await startServerOn({ ...env, ...secret }))
      })
      afterAll(async () => {
        for (const instance of instances) await instance.stop()
        await pooler.stop()
        await database.remove()
      })

      const both = () => instances as [TestServer, TestServer]

      test('two instances serve calls, and a replaced key is dead on both with the next request', async () => {
        const [one, two] = both()
        const { ann, ben } = await one.seed.agents('ann', 'ben')
        const elsewhere = two.client({ apiKey: ann.apiKey })
        const posted = await Promise.all(
          Array.from({ length: 12 }, (_, n) => elsewhere.createTweet({ content: `no ${n}` })),
        )
        await Promise.all(posted.map(({ id }) => ben.client.likeTweet({ id })))
        const pages = await Promise.all(Array.from({ length: 20 }, () => elsewhere.listTweets({ limit: 50 })))
        for (const { data } of pages) expect(data.filter(({ likesCount }) => likesCount === 1)).toHaveLength(12)
        await ann.client.regenerateKey()
        expect(await refused(elsewhere.getMe())).toBe('401 INVALID_API_KEY')
      })

      test('every statement has its limits, and nothing of them stays on the servers', async () => {
        const [{ deps }] = both()
        const limits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`
        const expected = { statement: '10s', lock: '5s' }
        expect(await Promise.all(Array.from({ length: 9 }, () => deps.db.one(limits)))).toEqual(Array(9).fill(expected))
        expect(await deps.db.transaction((db) => db.one(limits))).toEqual(expected)
        const left = await onServers(pooled, "select current_setting('statement_timeout') as it")
        expect(left.map(({ it }) => it)).toEqual(['0', '0', '0'])

        const deadlines = {
          connectMs: 5_000,
          statementMs: 300,
          lockMs: 300,
          // A busy machine may need a moment between a transaction's beginning and its statement.
          idleInTransactionMs: 20_000,
          answerMs: 20_000,
        }
        const hasty = openPostgres(pooled, { deadlines: { ...deadlines, silentAfterMs: 20_000 } })
        expect(await hasty.db.run(sql`select pg_sleep(20)`).catch((error) => error.code)).toBe('57014')
        const slept = hasty.db.transaction((db) => db.run(sql`select pg_sleep(20)`))
        expect(await slept.catch((error) => error.code)).toBe('57014')
        await hasty.close()
      })

      test('statements have names when the pooler keeps account of them', async () => {
        // Not a statement of its own: a process names only so many, and the files before this one share it.
        for (let count = 0; count < 9; count++) await both()[0].client().listTweets()
        const named = await onServers(pooled, 'select name from pg_prepared_statements')
        const isNamed = named.some(({ name }) => typeof name === 'string')
        expect(isNamed).toBe(generation === 'new')
        expect(named.every(({ name }) => name === undefined || name.startsWith('PGBOUNCER_'))).toBe(true)
      })

      if (generation === 'new')
        test('calls are answered after the pooler was told to keep no account of them', async () => {
          const [one, two] = both()
          const { cat } = await one.seed.agents('cat')
          const elsewhere = two.client({ apiKey: cat.apiKey })
          await Promise.all(Array.from({ length: 20 }, () => elsewhere.listTweets()))
          pooler.reconfigure({ max_prepared_statements: 0 })
          for (let count = 0; count < 5; count++) {
            const calls = [
              elsewhere.listTweets(),
              cat.client.createTweet({ content: `after ${count}` }),
              elsewhere.getMe(),
            ]
            await Promise.all(calls)
          }
          expect(
            (await elsewhere.listTweets({ limit: 50 })).data.filter(({ content }) => /^after/.test(content)),
          ).toHaveLength(5)
          pooler.reconfigure(SETTINGS[generation])
        })

      if (generation === 'old')
        test('the start refuses the pooler alone, and names what to set', async () => {
          await expect(startServerOn({ ...database.env, DATABASE_URL: pooled })).rejects.toThrow(
            /^DATABASE_URL goes through a pooler .* set DATABASE_DIRECT_URL to the address of PostgreSQL itself\.$/,
          )
        })

      if (generation === 'new')
        test('the start refuses a direct URL that leads to a pooler or to another database', async () => {
          const start = (DATABASE_DIRECT_URL: string) =>
            startServerOn({ ...database.env, DATABASE_URL: pooled, DATABASE_DIRECT_URL })
          const other = await createTestDatabase()
          await Promise.all([
            expect(start(pooled)).rejects.toThrow(/^DATABASE_DIRECT_URL goes through a pooler /),
            expect(start(other.env.DATABASE_URL ?? '')).rejects.toThrow(
              /^DATABASE_DIRECT_URL and DATABASE_URL are different/,
            ),
          ])
          await other.remove()
        })
    })
  },
)

describe.skipIf(!findPgbouncer('old'))('through PgBouncer with session pooling', () => {
  test('one URL is enough', async () => {
    const database = await createTestDatabase()
    const pooler = await startPgbouncer('old', { folder, settings: { pool_mode: 'session', default_pool_size: 30 } })
    const server = await startServerOn({ ...database.env, DATABASE_URL: pooler.url(nameOf(database)) })
    await expect.poll(() => server.deps.peers.isListening(), { timeout: 30_000 }).toBe(true)
    const { dan } = await server.seed.agents('dan')
    expect((await dan.client.getMe()).username).toBe('dan')
    await server.stop()
    await pooler.stop()
    await database.remove()
  })
})

function nameOf({ env: { DATABASE_URL = '' } }: TestDatabase): string {
  return new URL(DATABASE_URL.replace('@/', '@localhost/')).pathname.slice(1)
}

/** Asks on as many servers of the pooler as there are. */
async function onServers(url: string, text: string): Promise<Record<string, string | undefined>[]> {
  const clients = Array.from({ length: SHARED.default_pool_size }, () => new Client({ connectionString: url }))
  const rows: Record<string, string | undefined>[] = []
  for (const client of clients) {
    await client.connect()
    await client.query('begin')
    rows.push(...(await client.query(text)).rows)
  }
  for (const client of clients) {
    await client.query('rollback')
    await client.end()
  }
  return rows
}
