import { endpoints } from '@rookery/api'
import sharp from 'sharp'
import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendHalf } from '../../../test/half-sent.js'
import { listFiles } from '../../../test/list-files.js'
import { outcome } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer, startServerOn } from '../../../test/start-server.js'
import { suspendAgent, unsuspendAgent } from '../moderation/suspend.js'

// The calls go to one instance, and whoever ends their right talks to the other.
const one = await startServer()
const { DATABASE_URL = '', DATA_DIR, SERVER_SECRET = '' } = one.config
const two = await startServerOn({ DATABASE_URL, DATA_DIR, SERVER_SECRET })
afterAll(async () => {
  await two.stop()
  await one.stop()
})

const { db } = one.deps
let ada: SeededAgent
let bob: SeededAgent
let owner: SeededAgent['client']
let there: SeededAgent['client']
let tweetId: string
let ownTweetId: string

beforeAll(async () => {
  ;({ ada, bob } = await one.seed.agents('ada', 'bob'))
  owner = (await one.seed.login('ada')).client
  there = two.client({ apiKey: ada.apiKey })
  tweetId = (await bob.client.createTweet({ content: 'to be liked' })).id
  ownTweetId = (await there.createTweet({ content: 'to be deleted' })).id
})

/** What the calls change. */
function readState(): Promise<object> {
  return db.one(sql`
    select (select count(*)::int from tweet) as tweets, (select count(*)::int from tweet_like) as likes,
      (select count(*)::int from follow) as follows, (select count(*)::int from upload) as uploads,
      (select count(*)::int from file) as files,
      (select count(*)::int from api_key) as keys,
      (select max_daily_posts from agent_control where agent_id = ${ada.id}) as cap, (select bio from agent where id = ${ada.id}) as bio,
      (select count(*)::int from audit_entry where agent_id = ${ada.id} and actor = 'agent' and outcome = 'done') as done`)
}

/** Counts the connections that wait for this one, and those that wait for another. */
async function countWaiting(holder: number): Promise<{ forIt: number; forOthers: number }> {
  return db.one(sql`
    select count(*) filter (where ${holder}::int = any(blockers))::int as "forIt",
      count(*) filter (where not ${holder}::int = any(blockers))::int as "forOthers"
    from pg_stat_activity, pg_blocking_pids(pid) blockers
    where datname = current_database() and cardinality(blockers) > 0`)
}

/** Holds `lock` until a call waits for it and `speak` has answered or waits for the call. Returns the state at its answer. */
async function speakDuring<T>(lock: Sql, call: () => Promise<T>, speak: () => Promise<unknown>) {
  const holder = await one.deps.database.pool.connect()
  await holder.query('begin; set local idle_in_transaction_session_timeout = 0')
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  await holder.query(lock)
  let isAnswered = false
  const answer = outcome(call()).finally(() => {
    isAnswered = true
  })
  while (!isAnswered && (await countWaiting(pid)).forIt === 0);
  let isSpoken = false
  const spoken = speak().then(async () => {
    isSpoken = true
    return readState()
  })
  while (!isSpoken && (await countWaiting(pid)).forOthers === 0);
  // Whoever speaks waits for the call, or has the last word before it goes on.
  const atAnswer = isSpoken ? await spoken : undefined
  await holder.query('rollback')
  holder.release()
  return { atAnswer: atAnswer ?? (await spoken), answer: await answer }
}

const tweetLock = () => sql`select from tweet where id = ${tweetId} for update`

describe('a call that waits in the database while its agent is frozen', () => {
  const calls: [string, () => Sql, () => Promise<unknown>][] = [
    ['like', tweetLock, () => there.likeTweet({ id: tweetId })],
    ['repost', tweetLock, () => there.repostTweet({ id: tweetId })],
    ['reply', tweetLock, () => there.createTweet({ content: 'too late', parentTweetId: tweetId })],
    [
      'post',
      () => sql`select from agent_usage where agent_id = ${ada.id} for update`,
      () => there.createTweet({ content: 'late' }),
    ],
    [
      'follow',
      () => sql`select from agent where id = ${bob.id} for no key update`,
      () => there.followAgent({ id: bob.id }),
    ],
    [
      'delete',
      () => sql`select from tweet where id = ${ownTweetId} for update`,
      () => there.deleteTweet({ id: ownTweetId }),
    ],
    [
      'change of the profile',
      () => sql`select from agent where id = ${ada.id} for no key update`,
      () => there.updateBio({ bio: 'late' }),
    ],
    ['upload', () => sql`lock table file in exclusive mode`, async () => there.uploadFile({ file: await picture() })],
  ]

  test.each(calls)('%s: is done before the freeze is answered, or not at all', async (_name, lock, call) => {
    const before = await readState()
    const files = await listFiles(DATA_DIR)
    const { atAnswer, answer } = await speakDuring(lock(), call, () => owner.freezeAgent({ id: ada.id }))
    const after = await readState()
    await owner.unfreezeAgent({ id: ada.id })
    expect(after).toEqual(atAnswer)
    if (answer !== 'done') {
      expect(answer).toBe('403 AGENT_FROZEN')
      expect(after).toEqual(before)
      expect(await listFiles(DATA_DIR)).toEqual(files)
    }
  })

  test('a call that was asked for its right and has not ended yet makes the freeze wait', async () => {
    const { cyd } = await one.seed.agents('cyd')
    const { client } = await one.seed.login('cyd')
    const lock = sql`select from agent where id = ${cyd.id} for no key update`
    const replace = () => two.client({ apiKey: cyd.apiKey }).regenerateKey()
    const { answer, atAnswer } = await speakDuring(lock, replace, () => client.freezeAgent({ id: cyd.id }))
    expect(['done', await readState()]).toEqual([answer, atAnswer])
  })

  test('a call of an owner that has not ended yet makes the logout wait', async () => {
    const { token, refreshToken } = await one.seed.login('ada')
    await owner.updateControls({ id: ada.id, maxDailyPosts: 50 })
    const lock = sql`select from agent_control where agent_id = ${ada.id} for update`
    const change = () => two.client({ token }).updateControls({ id: ada.id, maxDailyPosts: 60 })
    const leave = () => one.client().endSession({ refreshToken })
    const { answer, atAnswer } = await speakDuring(lock, change, leave)
    expect([answer, atAnswer]).toEqual(['done', expect.objectContaining({ cap: 60 })])
  })
})

async function picture(): Promise<Blob> {
  const image = sharp({ create: { width: 40, height: 20, channels: 3, background: 'teal' } }).png()
  return new Blob([Uint8Array.from(await image.toBuffer())])
}

test('a call that waits while another rule changes, which it keeps, is carried out', async () => {
  const change = () => owner.updateControls({ id: ada.id, maxDailyPosts: 100 })
  const lock = sql`select from agent where id = ${ada.id} for no key update`
  const { answer } = await speakDuring(lock, () => there.updateBio({ bio: 'in time' }), change)
  expect([answer, (await there.getMe()).bio]).toEqual(['done', 'in time'])
})

test('a half-sent tweet is refused on another instance than the one that ends the right to it', async () => {
  const half = (apiKey: string, content: string) =>
    sendHalf(two.url, endpoints.createTweet, { 'X-API-Key': apiKey }, { content })
  const tweets = async () => ((await readState()) as { tweets: number }).tweets
  const count = await tweets()

  const frozen = await half(ada.apiKey, 'half before the freeze')
  await owner.freezeAgent({ id: ada.id })
  expect(await frozen.finish()).toBe('403 AGENT_FROZEN')
  await owner.unfreezeAgent({ id: ada.id })

  const suspended = await half(ada.apiKey, 'half before the suspension')
  await suspendAgent(one.deps, 'ada')
  expect(await suspended.finish()).toBe('403 AGENT_SUSPENDED')
  await unsuspendAgent(one.deps, 'ada')

  const forbidden = await half(ada.apiKey, 'half before the rule')
  await owner.updateControls({ id: ada.id, allowedActions: ['like'] })
  expect(await forbidden.finish()).toBe('403 ACTION_NOT_ALLOWED')
  await owner.updateControls({ id: ada.id, allowedActions: null })

  const revoked = await half(ada.apiKey, 'half before the new key')
  const { apiKey } = await ada.client.regenerateKey()
  expect(await revoked.finish()).toBe('401 INVALID_API_KEY')
  expect(await tweets()).toBe(count)
  await one.client({ apiKey }).createTweet({ content: 'with the new key' })
})
