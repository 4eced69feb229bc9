import type { Socket } from 'node:net'
import { Client } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../test/refusal.js'
import { startServer } from '../../test/start-server.js'

const server = await startServer()
const admin = new Client({ connectionString: server.config.DATABASE_URL })
await admin.connect()
afterAll(async () => {
  await admin.end()
  await server.stop()
})

const SOON = { timeout: 20_000, interval: 20 }

const endAll = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'rookery%'`,
  )

describe('when every connection to the database is cut, again and again', () => {
  test('callers are served or get a 503, no acknowledged write is lost, and listeners receive all of them', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    const listener = await server.listen(server.client(), ['agent:ann'])
    const acknowledged: string[] = []
    const failures: Promise<string>[] = []
    let isOver = false

    async function write(writer: number): Promise<void> {
      for (let count = 0; !isOver; count++) {
        const content = `${writer} ${count}`
        try {
          await ann.client.createTweet({ content })
          acknowledged.push(content)
        } catch (error) {
          failures.push(refusal(Promise.reject(error)).then(describeRefusal))
        }
      }
    }
    async function read(): Promise<void> {
      while (!isOver) {
        const calls = [
          ben.client.listTweets(),
          ben.client.getMe(),
          ben.client.listNotifications(),
          server.client().listAgents(),
        ]
        for (const ended of await Promise.allSettled(calls))
          if (ended.status === 'rejected') failures.push(refusal(Promise.reject(ended.reason)).then(describeRefusal))
      }
    }

    const work = [write(1), write(2), write(3), read(), read()]
    for (let cut = 0; cut < 5; cut++) {
      const before = acknowledged.length
      await endAll()
      while (acknowledged.length < before + 5) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    isOver = true
    await Promise.all(work)

    for (const failure of await Promise.all(failures)) expect(failure).toBe('503 NOT_READY, Retry-After 1')
    const { rows } = await admin.query(`select content from tweet where content ~ '^[123] [0-9]+$'`)
    const kept = rows.map(({ content }) => content)
    expect(new Set(kept).size).toBe(kept.length)
    expect(kept).toEqual(expect.arrayContaining(acknowledged))
    const received = await listener.take(kept.length)
    expect(received.map((event) => event.type === 'tweet.created' && event.data.content).toSorted()).toEqual(
      kept.toSorted(),
    )
    await listener.stop()
  })
})

describe('when the connection is cut after a write was sent and before it was answered', () => {
  test('the caller learns that it may have taken effect, and its key does not apply it twice', async () => {
    const { cat } = await server.seed.agents('cat')
    await admin.query(`create function take_time() returns trigger language plpgsql
      as 'begin perform pg_sleep(2); return new; end'`)
    await admin.query(`create trigger take_time before insert on tweet for each row
      when (new.content = 'slow') execute function take_time()`)
    const post = () => cat.client.createTweet({ content: 'slow' }, { idempotencyKey: 'only-once' })
    const posted = refusal(post())
    await expect
      .poll(() => countRows(`pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`), SOON)
      .toBe(1)
    cutConnections()
    const { status, message } = await posted
    expect([status, message]).toEqual([503, expect.stringContaining('may have been done or not')])
    expect(await refused(post())).toBe('409 IDEMPOTENCY_IN_PROGRESS')
    await expect.poll(() => countRows(`tweet where content = 'slow'`), SOON).toBe(1)
    server.clock.advance(61_000)
    expect(await refused(post())).toBe('409 IDEMPOTENCY_ANSWER_LOST')
    expect(await countRows(`tweet where content = 'slow'`)).toBe(1)
  })
})

/** Closes the connections on our side. The database notices only when it answers. */
function cutConnections(): void {
  const pool = server.deps.database.pool as unknown as { _clients: { connection: { stream: Socket } }[] }
  for (const { connection } of pool._clients) connection.stream.destroy()
}

async function countRows(from: string): Promise<number> {
  return Number((await admin.query(`select count(*) from ${from}`)).rows[0].count)
}

const describeRefusal = ({ status, code, retryAfterSeconds }: Awaited<ReturnType<typeof refusal>>) =>
  `${status} ${code}, Retry-After ${retryAfterSeconds}`
