import { cpus, loadavg } from 'node:os'
import type { Command } from '@rookery/tooling/command'
import { readOptions } from '@rookery/tooling/options'
import { startPostgres } from '@rookery/tooling/require-postgres'
import { textTable } from '@rookery/tooling/table'
import sql from 'sql-template-tag'
import { median, quantile } from '../output/statistics.js'
import { openAt } from '../postgres/open.js'
import { call, timed } from '../program/call.js'
import { startCheapEmbeddings } from '../program/cheap-embeddings.js'
import { backendPids, cpuSeconds } from '../program/cpu-seconds.js'
import { startProgram } from '../program/start-program.js'
import { seed } from '../seed/command.js'
import { seededApiKey } from '../seed/people.js'

const POSTS = 20
const WRITERS = 8
const SEED = 1
const GOAL_SECONDS = 10
const isFanOut = sql`kind in ('publish_tweet', 'tell_followers')`

export const command: Command = {
  summary:
    'A tweet to 100,000 followers: how fast it is answered, how fast all are notified, and the effect on others.',
  options: [
    ['--followers <n>', 'default 100,000'],
    ['--rounds <n>', 'how often the fan-out is measured (default 3)'],
  ],
  async run(args) {
    const { followers, rounds } = readOptions(args, { followers: 100_000, rounds: 3 })
    const server = await startPostgres({ shared_buffers: '1GB', max_wal_size: '4GB' })
    try {
      await measure(server.url('postgres'), followers, rounds)
    } finally {
      await server.stop()
    }
  },
}

interface FanOut {
  readonly seconds: number
  /** CPU time of the worker and of PostgreSQL. */
  readonly cpu: number
}

async function measure(url: string, followers: number, rounds: number): Promise<void> {
  const database = openAt(url)
  const { db } = database
  const agents = followers + 1 + WRITERS + 1
  await seed(database, { agents, tweets: 5_000, follows: agents, likes: 5_000, seed: SEED }, { quiet: true })
  // The last agent has all followers, the one before it none; those before that write in the meantime.
  const key = (fromEnd: number) => seededApiKey(SEED, agents - fromEnd)
  const [popular, lonely] = [key(1), key(2)]
  const writers = Array.from({ length: WRITERS }, (_, index) => key(3 + index))
  await db.run(sql`
    delete from follow where followed_id in (bench.agent_id(${agents - 1}::bigint), bench.agent_id(${agents - 2}::bigint))`)
  await db.run(sql`
    insert into follow (follower_id, followed_id, created_at)
    select bench.agent_id(n), bench.agent_id(${agents - 1}::bigint), now() from generate_series(0, ${followers - 1}::bigint) n`)
  await db.run(sql`vacuum analyze`)

  const embeddings = await startCheapEmbeddings()
  const env = {
    DATABASE_URL: url,
    SERVER_SECRET: database.secret,
    EMBEDDINGS: embeddings.url,
    EMBEDDINGS_MODEL: 'cheap',
  }
  const web = await startProgram({ ...env, ROLE: 'web' })
  const post = (apiKey: string) =>
    call<{ id: string }>(web.url, apiKey, 'POST', '/v1/tweets', { content: `Round ${Math.random()} of the day` })
  const target = await post(lonely)

  async function latency(apiKey: string): Promise<number> {
    return timed(() => post(apiKey))
  }

  /** Lets the writers post and like while the work runs. Returns how long each call took. */
  async function writeMeanwhile(work: () => Promise<unknown>): Promise<number[]> {
    const times: number[] = []
    let going = true
    const lanes = writers.map(async (apiKey) => {
      for (let turn = 0; going; turn++) {
        const path = `/v1/tweets/${target.id}/like`
        times.push(
          await timed(() =>
            turn % 2 === 0 ? post(apiKey) : call(web.url, apiKey, turn % 4 === 1 ? 'POST' : 'DELETE', path),
          ),
        )
      }
    })
    await work()
    going = false
    await Promise.all(lanes)
    return times
  }

  const answered: Record<'popular' | 'lonely', number[]> = { popular: [], lonely: [] }
  for (let turn = 0; turn < POSTS + 3; turn++) {
    const [a, b] = [await latency(popular), await latency(lonely)]
    // The first few warm the program up.
    if (turn >= 3) answered.popular.push(a) && answered.lonely.push(b)
  }
  await db.run(sql`delete from job where ${isFanOut}`)

  const worker = await startProgram({ ...env, ROLE: 'worker' })
  const isFinished = async (id: string) =>
    (await db.find(sql`select from job where ${isFanOut} and payload ->> 'tweetId' = ${id}`)) === undefined
  async function fanOut(): Promise<FanOut> {
    const pids = [worker.pid, ...(await backendPids(db))]
    const cpuBefore = await cpuSeconds(pids)
    const startedAt = performance.now()
    const { id } = await post(popular)
    while (!(await isFinished(id))) await new Promise((resolve) => setTimeout(resolve, 25))
    const seconds = (performance.now() - startedAt) / 1000
    const cpu = (await cpuSeconds(pids)) - cpuBefore
    const { notified } = await db.one<{ notified: number }>(
      sql`select count(*)::int as notified from notification where tweet_id = ${id} and type = 'NEW_TWEET'`,
    )
    if (notified !== followers) throw new Error(`${notified} of ${followers} were notified`)
    return { seconds, cpu }
  }

  // Seeded tweets and those of the writers are still being embedded: wait until that is over before the next round.
  async function waitUntilIdle(): Promise<void> {
    while (await db.find(sql`select from job where failed_at is null and run_at <= now()`))
      await new Promise((resolve) => setTimeout(resolve, 100))
  }

  const alone: FanOut[] = []
  const busy: FanOut[] = []
  const quietTimes: number[] = []
  const busyTimes: number[] = []
  for (let round = 0; round < rounds; round++) {
    await waitUntilIdle()
    alone.push(await fanOut())
    const pause = 1_000 * (alone.at(-1)?.seconds ?? 5)
    quietTimes.push(...(await writeMeanwhile(() => new Promise((resolve) => setTimeout(resolve, pause)))))
    busyTimes.push(...(await writeMeanwhile(async () => void busy.push(await fanOut()))))
  }
  await worker.stop()
  await web.stop()
  await database.close()
  embeddings.stop()

  const ms = (value: number) => value.toFixed(1)
  const ratio = (a: number, b: number) => `${(a / b).toFixed(2)}x`
  const line = (name: string, a: readonly number[], b: readonly number[], part: number) => {
    const [of, against] = [quantile(a, part), quantile(b, part)]
    return [name, ms(of), ms(against), ratio(of, against)]
  }
  console.log(
    `\n${textTable(
      ['latency', 'ms', 'against, ms', 'ratio'],
      [
        line(
          `POST /v1/tweets, ${followers.toLocaleString('en')} followers against none, median`,
          answered.popular,
          answered.lonely,
          0.5,
        ),
        line('writes of others while all are notified against before, median', busyTimes, quietTimes, 0.5),
        line('writes of others while all are notified against before, 95 %', busyTimes, quietTimes, 0.95),
        line('writes of others while all are notified against before, slowest', busyTimes, quietTimes, 1),
      ],
    )}`,
  )
  const listSeconds = (all: readonly FanOut[]) => all.map((round) => `${round.seconds.toFixed(1)} s`).join(', ')
  const cpu = median(alone.map((round) => round.cpu))
  console.log(
    `\nAll notified by one worker: ${listSeconds(alone)}, with ${cpu.toFixed(1)} s of CPU time of worker and PostgreSQL`,
  )
  console.log(`While ${WRITERS} others write without pause: ${listSeconds(busy)}`)
  console.log(`Load of the machine (${cpus().length} cores): ${loadavg()[0]?.toFixed(1)}`)
  const isMet = median(alone.map((round) => round.seconds)) < GOAL_SECONDS
  console.log(`Goal: under ${GOAL_SECONDS} s: ${isMet ? 'met' : 'MISSED'}`)
}
