import { cpus, loadavg } from 'node:os'
import type { Db } from '@rookery/server/database'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import sql, { type Sql } from 'sql-template-tag'
import { median } from '../output/statistics.js'
import { openAt } from '../postgres/open.js'
import { backendPids, exactCpuMs } from '../program/cpu-seconds.js'
import { seed } from '../seed/command.js'
import { counts, firstPage, markAll, markOne, noteTweet, stamp, tellNext } from './statements.js'
import { makePopular, makeReader, makeTables, POPULAR, type Way } from './tables.js'

const WAYS: readonly Way[] = ['wide', 'narrow', 'read']
const NAMES: Record<Way, string> = {
  wide: 'rows, one index of five columns',
  narrow: 'rows, two indexes',
  read: 'computed at read',
}
const AT_ONCE = 2_000
const MARKS = 5
const FOLLOWED = [0, 10, 100]
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export const command: Command = {
  summary: 'A notification for each follower, stored in two ways or computed at read: what posts and readers pay.',
  options: [
    ['--followers <n>', 'the most followers of an author (default 10,000)'],
    ['--posts <n>', 'posts of each author that a reader has been told of (default 100)'],
    ['--calls <n>', 'how often each read is measured (default 200)'],
  ],
  async run(args) {
    const options = readOptions(args, { followers: 10_000, posts: 100, calls: 200 })
    const server = await startPostgres({ shared_buffers: '512MB', max_wal_size: '4GB' })
    const database = openAt(server.url('postgres'), { poolSize: 1 })
    const { db } = database
    try {
      const agents = Math.max(options.followers, POPULAR) + FOLLOWED.length + 1
      const plan = { agents, tweets: Math.max(1_000, options.posts), follows: agents, likes: 1_000, seed: 1 }
      await seed(database, plan, { quiet: true })
      await makeTables(db)
      await makePopular(db, options.posts)
      await measurePosts(db, agents, options.followers)
      await measureReads(db, agents, options)
      console.log(`\nLoad of the machine (${cpus().length} cores): ${loadavg()[0]?.toFixed(1)}`)
    } finally {
      await database.close()
      await server.stop()
    }
  },
}

/** An author beside the popular ones posts to more and more followers. */
async function measurePosts(db: Db, agents: number, most: number): Promise<void> {
  const { authorId } = await db.one<{ authorId: string }>(
    sql`select bench.agent_id(${agents - 1}::bigint) as "authorId"`,
  )
  const tweets = await db.many<{ id: string }>(sql`select id from tweet order by id limit 12`)
  await db.run(sql`insert into popular values (${authorId}, 0)`)
  const rows = []
  for (const followers of [1_000, 10_000, 100_000].filter((size) => size <= most)) {
    await db.run(sql`delete from follow where followed_id = ${authorId}`)
    await db.run(sql`
      insert into follow (follower_id, followed_id, created_at)
      select bench.agent_id(n::bigint), ${authorId}, now() from generate_series(0, ${followers - 1}::int) n`)
    await db.run(sql`analyze follow`)
    for (const way of WAYS) {
      const posts: Posted[] = []
      for (const { id } of tweets) posts.push(await post(db, way, authorId, id))
      const sum = (of: (one: Posted) => number) => posts.reduce((all, one) => all + of(one), 0) / posts.length
      rows.push([
        followers.toLocaleString('en'),
        NAMES[way],
        (sum(({ bytes }) => bytes) / followers).toFixed(1),
        (sum(({ wal }) => wal) / followers).toFixed(0),
        sum(({ ms }) => ms).toFixed(0),
        sum(({ cpu }) => cpu).toFixed(0),
      ])
      await db.run(sql`truncate told_wide, told_narrow, box_wide, box_narrow, event_draft`)
    }
  }
  console.log('\nA post, each of 12 by one author:\n')
  console.log(textTable(['followers', 'way', 'bytes each', 'log bytes each', 'ms', 'CPU ms of PostgreSQL'], rows))
}

interface Posted {
  readonly bytes: number
  readonly wal: number
  readonly ms: number
  readonly cpu: number
}

/** Lets an author post to all followers, some at a time, as the job does. Gives what it cost. */
async function post(db: Db, way: Way, authorId: string, tweetId: string): Promise<Posted> {
  const before = await readUsage(db)
  const startedAt = performance.now()
  if (way === 'read') await db.run(noteTweet({ authorId, tweetId }))
  for (let after = FIRST_ID; ; ) {
    const { last, told } = await db.one<{ last: string | null; told: number }>(
      tellNext(way, { authorId, tweetId, after }, AT_ONCE),
    )
    if (told < AT_ONCE) break
    after = last ?? after
  }
  const ms = performance.now() - startedAt
  const after = await readUsage(db)
  return { bytes: after.bytes - before.bytes, wal: after.wal - before.wal, ms, cpu: after.cpu - before.cpu }
}

/** Bytes of the tables of notifications with their indexes, of the log of PostgreSQL, and the time of its processors. */
async function readUsage(db: Db): Promise<Omit<Posted, 'ms'>> {
  const sizes = await db.one<Omit<Posted, 'ms' | 'cpu'>>(sql`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal, (
      select sum(pg_indexes_size(name::regclass) + pg_relation_size(name::regclass))::float8
      from unnest(array['told_wide', 'told_narrow', 'notice']) as name) as bytes`)
  const [pid = 0] = await backendPids(db)
  return { ...sizes, cpu: await exactCpuMs(pid) }
}

async function measureReads(
  db: Db,
  agents: number,
  { followers, posts, calls }: { followers: number; posts: number; calls: number },
): Promise<void> {
  // Among the rows of everybody else, as they come: tweet after tweet.
  const others = await db.many<{ id: string }>(sql`select id from tweet order by id limit 20`)
  const { id: authorId } = await db.one<{ id: string }>(sql`select bench.agent_id(${agents - 1}::bigint) as id`)
  for (const { id } of others) for (const way of ['wide', 'narrow'] as const) await post(db, way, authorId, id)
  const rows = []
  for (const [index, follows] of FOLLOWED.entries()) {
    const { id } = await db.one<{ id: string }>(sql`select bench.agent_id(${followers + index}::bigint) as id`)
    await makeReader(db, id, follows, posts)
    await db.run(sql`vacuum analyze`)
    const reads: Read[] = [
      ['first page', calls, (way) => [firstPage(way, id)]],
      ['counts', calls, (way) => [counts(way, id)]],
      ['is the cached page current?', calls, (way) => [stamp(way, id)]],
      ['mark one as read', MARKS, (way) => [markOne(way, id)]],
      ['mark all as read', 1, (way) => markAll(way, id)],
    ]
    for (const [name, times, statements] of reads) {
      const stored = await cpuOf(db, () => statements('wide'), times)
      const computed = await cpuOf(db, () => statements('read'), times)
      rows.push([follows, name, stored.toFixed(2), computed.toFixed(2), `${(computed / stored).toFixed(1)}x`])
    }
  }
  console.log(`\nA reader that follows such authors, with ${posts} posts of each and 50 other notifications:\n`)
  console.log(textTable(['authors', 'call', 'rows, CPU ms', 'computed, CPU ms', 'ratio'], rows))
}

/** What a reader asks, how often that is measured, and its statements. */
type Read = readonly [name: string, times: number, statements: (way: Way) => Sql[]]

/** The time of PostgreSQL's processor that statements take, in milliseconds: half of the calls take less. */
async function cpuOf(db: Db, statements: () => readonly Sql[], calls: number): Promise<number> {
  const [pid = 0] = await backendPids(db)
  const times: number[] = []
  for (let call = 0; call < calls; call++) {
    const before = await exactCpuMs(pid)
    for (const statement of statements()) await db.run(statement)
    times.push((await exactCpuMs(pid)) - before)
  }
  return median(times)
}
