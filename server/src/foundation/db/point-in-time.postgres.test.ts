import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runPostgresProgram, startPostgres } from '@rookery/tooling/postgres'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { startServerOn } from '../../../test/start-server.js'

const dataDir = await mkdtemp(join(tmpdir(), 'rookery-time-'))
const opened: (() => Promise<void>)[] = [() => rm(dataDir, { recursive: true, force: true })]
afterAll(async () => {
  for (const close of opened.reverse()) await close()
})

// DATA_DIR and the secret stay the same whatever happens to the database.
const kept = { DATA_DIR: dataDir, SERVER_SECRET: randomBytes(32).toString('hex') }
// The commands of docs/operating.md, with folders of the test.
const ARCHIVE = { archive_mode: 'on', archive_command: 'mkdir -p ../archive && cp %p ../archive/%f' }
const QUICK = { fsync: 'off', full_page_writes: 'on' }

async function startDatabase(...args: Parameters<typeof startPostgres>) {
  const server = await startPostgres(...args)
  const pool = new Pool({ connectionString: server.url('postgres') })
  // The server is stopped while connections are idle.
  pool.on('error', () => {})
  opened.push(server.stop, () => pool.end())
  const queryValue = async <T>(statement: string): Promise<T> =>
    Object.values((await pool.query(statement)).rows[0])[0] as T
  return { ...server, pool, queryValue }
}

describe('a database of PostgreSQL whose log is archived', () => {
  test('is restored to a moment, with everything written before and nothing written after', async () => {
    const lost = await startDatabase({ ...ARCHIVE, ...QUICK })
    const app = await startServerOn({ ...kept, DATABASE_URL: lost.url('postgres') })
    const { ada } = await app.seed.agents('ada')
    const tweet = async (content: string) => (await ada.client.createTweet({ content })).id
    const base = join(lost.folder, 'base')
    await runPostgresProgram('pg_basebackup', ['-D', base, '-d', lost.url('postgres'), '-c', 'fast'])
    const before = await Promise.all([tweet('one'), tweet('two'), tweet('three')])
    const moment = await lost.queryValue<string>('select clock_timestamp()::text')
    const after = await Promise.all([tweet('four'), tweet('five')])
    await lost.pool.query('truncate tweet cascade')
    const segment = await lost.queryValue<string>('select pg_walfile_name(pg_switch_wal())')
    await app.stop()
    await expect
      .poll(() => lost.queryValue<string>("select coalesce(last_archived_wal, '') from pg_stat_archiver"), {
        timeout: 10_000,
      })
      .toSatisfy((archived) => String(archived) >= segment)

    const target = {
      restore_command: `cp ${lost.folder}/archive/%f %p`,
      recovery_target_time: moment,
      recovery_target_action: 'promote',
    }
    const found = await startDatabase({ ...target, ...QUICK }, async (data) => {
      await rename(base, data)
      await writeFile(join(data, 'recovery.signal'), '')
    })
    await expect.poll(() => found.queryValue<boolean>('select pg_is_in_recovery()'), { timeout: 10_000 }).toBe(false)

    const again = await startServerOn({ ...kept, DATABASE_URL: found.url('postgres') })
    opened.push(again.stop)
    const client = again.client({ apiKey: ada.apiKey })
    for (const id of before) expect((await client.getTweet({ id })).id).toBe(id)
    for (const id of after) expect(await refused(client.getTweet({ id }))).toMatch(/^404 /)
    expect(await client.createTweet({ content: 'and on it goes' })).toMatchObject({ agent: { username: 'ada' } })
  }, 60_000)
})
