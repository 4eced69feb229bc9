import type { BenchDatabase } from '../postgres/open.js'
import { call } from '../program/call.js'
import { residentMb } from '../program/memory.js'
import { seededApiKey } from '../seed/people.js'
import type { Cluster } from './cluster.js'

const LANES = 8

interface Plan {
  readonly writes: number
  readonly seed: number
  readonly agents: number
}

/** What a tweet, a like and a follow add to the database, with everything that follows from them; and what the processes hold. */
export async function measureGrowth(
  { pool }: BenchDatabase,
  { direct, pids }: Cluster,
  { writes, seed, agents }: Plan,
): Promise<[string, string][]> {
  const url = direct()
  const ask = async (statement: string) => Number((await pool.query(statement)).rows[0].n)
  const key = (n: number) => seededApiKey(seed, n % agents)
  const ids: string[] = []

  async function perWrite(write: (n: number) => Promise<unknown>): Promise<string> {
    await settle()
    const before = await ask('select pg_database_size(current_database()) as n')
    let next = 0
    const lanes = Array.from({ length: LANES }, async () => {
      while (next < writes) await write(next++)
    })
    await Promise.all(lanes)
    await settle()
    const grown = (await ask('select pg_database_size(current_database()) as n')) - before
    return `${(grown / writes / 1000).toFixed(1)} kB`
  }

  /** Waits until all that follows from the writes is done, and free space is known. */
  async function settle(): Promise<void> {
    while ((await ask('select count(*) as n from job where failed_at is null and run_at <= now()')) > 0)
      await new Promise((resolve) => setTimeout(resolve, 200))
    await pool.query('vacuum')
  }

  const tweets = await perWrite(async (n) => {
    const content = `Measured ${n}: ${'what an agent has to say about its day. '.repeat(3)}${Math.random()}`
    ids.push((await call<{ id: string }>(url, key(n), 'POST', '/v1/tweets', { content })).id)
  })
  const likes = await perWrite((n) => call(url, key(n + 7), 'POST', `/v1/tweets/${ids[n]}/like`))
  const [web = 0, , worker = 0] = pids()
  return [
    ['a tweet adds', tweets],
    ['a like adds', likes],
    [
      'notifications of a tweet',
      (
        (await ask(
          "select count(*) as n from notification where created_at > now() - interval '1 hour' and tweet_id is not null and type = 'NEW_TWEET'",
        )) / writes
      ).toFixed(1),
    ],
    [
      'connections of two webs and a worker',
      `${await ask("select count(*) as n from pg_stat_activity where application_name = 'rookery' and pid <> pg_backend_pid()")}`,
    ],
    ['memory of a web', `${Math.round(await residentMb(web))} MB`],
    ['memory of a worker', `${Math.round(await residentMb(worker))} MB`],
  ]
}
