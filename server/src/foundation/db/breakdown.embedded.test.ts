import { lstatSync } from 'node:fs'
import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

test('an engine that breaks down is restarted, with everything that was acknowledged', async () => {
  const { ann } = await server.seed.agents('ann')
  const { id } = await ann.client.createTweet({ content: 'kept' })
  // The next piece of the log cannot be written, as on a disk that is full or gone.
  const log = join(server.config.DATA_DIR, 'database', 'pg_wal')
  await rename(log, `${log}.away`)
  await server.deps.db.run(sql`select pg_switch_wal()`)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, (_, index) => ann.client.createTweet({ content: `lost ${index}` })),
  )
  for (const outcome of outcomes)
    expect(outcome).toMatchObject({ reason: { status: 503, code: 'NOT_READY', retryAfterSeconds: 1 } })
  await rename(`${log}.away`, log)
  await expect
    .poll(() => ann.client.getTweet({ id }).catch(() => undefined), { timeout: 25_000 })
    .toMatchObject({ content: 'kept' })
  await ann.client.createTweet({ content: 'after' })
  const { data } = await ann.client.listTweets({ mode: 'new' })
  expect(data.map(({ content }) => content)).toEqual(['after', 'kept'])
  const files = await readdir(join(server.config.DATA_DIR, 'database'), { recursive: true, withFileTypes: true })
  const modes = files.map((file) => lstatSync(join(file.parentPath, file.name)).mode & 0o077)
  expect(new Set(modes)).toEqual(new Set([0]))
  expect(server.logged.join('\n')).toContain('the database broke down and is started again')
})
