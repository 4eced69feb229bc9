import { randomBytes } from 'node:crypto'
import { findPostgres, startPostgres } from '@rookery/tooling/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProgram } from './start-program.js'
import { registerAgent, verifyAgent } from './web/agents.js'

const FOLLOWERS = 30_000

describe.skipIf(!findPostgres())('a worker that is killed while it tells thirty thousand followers', () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let database: Client
  beforeAll(async () => {
    postgres = await startPostgres({ fsync: 'off' })
    database = new Client({ connectionString: postgres.url('postgres') })
  })
  afterAll(async () => {
    await database?.end()
    await postgres?.stop()
  })

  const count = async (query: string) => Number((await database.query(query)).rows[0].count)
  const countTold = () => count(`select count(*) from notification where type = 'NEW_TWEET'`)

  test('loses none and tells none twice', async () => {
    const env = { DATABASE_URL: postgres.url('postgres'), SERVER_SECRET: randomBytes(32).toString('hex') }
    const web = await startProgram({ env: { ...env, ROLE: 'web' } })
    await database.connect()
    const author = await registerAgent(web.url, { username: 'author' })
    await verifyAgent(author, 'author_x')
    await database.query(
      `insert into agent (id, username, name, display_name, wallet_address, subject, created_at, updated_at)
      select gen_random_uuid(), 'f' || n, 'f', 'f', '0xf' || n, '0xf' || n, now(), now() from generate_series(1, ${FOLLOWERS}) n`,
    )
    await database.query(
      `insert into follow (follower_id, followed_id, created_at) select id, $1, now() from agent where id <> $1`,
      [author.agent.id],
    )
    await author.client.createTweet({ content: 'hello, all of you' })

    for (let kills = 0; kills < 2; kills++) {
      const before = await countTold()
      const worker = await startProgram({ env: { ...env, ROLE: 'worker' } })
      await expect.poll(countTold, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before)
      await worker.kill()
    }
    expect(await countTold()).toBeLessThan(FOLLOWERS)

    const worker = await startProgram({ env: { ...env, ROLE: 'worker' } })
    await expect.poll(countTold, { timeout: 60_000, interval: 100 }).toBe(FOLLOWERS)
    const countJobs = () => count(`select count(*) from job where kind in ('publish_tweet', 'tell_followers')`)
    await expect.poll(countJobs, { timeout: 10_000 }).toBe(0)
    expect(await count('select count(*) from (select distinct agent_id from notification) told')).toBe(FOLLOWERS)
    expect(await count('select sum(unread) as count from inbox')).toBe(FOLLOWERS)
    await worker.stop()
    await web.stop()
  }, 180_000)
})
