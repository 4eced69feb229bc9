import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { createTweetJsonCache } from '../tweets/json-cache.js'
import type { RestRow } from './first-page-query.js'
import { createFirstPages } from './first-pages.js'

const server = await startServer()
const { db, mediaUrls, identities } = server.deps
afterAll(() => server.stop())

/** Pages of an instance of its own, and whether its last statement read everybody's page or found it unchanged. */
function openPages() {
  let hasRead = false
  async function many<Row>(query: Sql): Promise<Row[]> {
    const rows = await db.many<Row & Partial<RestRow>>(query)
    const [shared] = rows.filter(({ snapshot }) => snapshot)
    if (shared) hasRead = shared.shared !== null
    return rows
  }
  const counted: Db = { ...db, many }
  const pages = createFirstPages({ db: counted, jsonCache: createTweetJsonCache({ db, mediaUrls }), mediaUrls })
  // What is done in the background after a call changes what is committed too.
  const untilKept = (read: () => Promise<unknown>) =>
    expect.poll(() => read().then(() => hasRead), { timeout: 20_000 }).toBe(false)
  return { pages, hasRead: () => hasRead, untilKept }
}

test.each(['new', 'trending'] as const)(
  'everybody’s page of %s is read again after each commit, and only then',
  async (mode) => {
    const { ada, bob } = await server.seed
      .agents(`ada_${mode}`, `bob_${mode}`)
      .then(Object.values)
      .then(([ada, bob]) => ({ ada, bob }))
    const agent = bob && (await identities.identify(bob.apiKey))
    if (!ada || !bob || !agent) throw new Error('Nobody was seeded')
    const { id } = await ada.client.createTweet({ content: `Many read this in ${mode}.` })
    const { pages, hasRead, untilKept } = openPages()
    const read = async () => {
      const { data, meta } = JSON.parse(String(await pages.read(mode, agent, 20)))
      const ids: string[] = data.map((tweet: { id: string }) => tweet.id)
      return { total: meta.total, ids, tweet: data[ids.indexOf(id)] }
    }
    const { total } = await read()
    await untilKept(read)
    expect(await read()).toMatchObject({ total, tweet: { likesCount: 0, isLiked: false } })

    await bob.client.likeTweet({ id })
    expect(await read()).toMatchObject({ total, tweet: { likesCount: 1, isLiked: true } })
    expect(hasRead()).toBe(true)
    await db.run(sql`update agent set display_name = 'Ada Anew', version = version + 1 where id = ${ada.id}`)
    expect((await read()).tweet.agent.displayName).toBe('Ada Anew')
    await ada.client.createTweet({ content: `An answer to many in ${mode}.`, parentTweetId: id })
    expect(await read()).toMatchObject({ total: total + 1, tweet: { repliesCount: 1 } })
    const anyone = await server.client().listTweets({ mode })
    expect((await read()).ids).toEqual(anyone.data.map((tweet) => tweet.id))
    await ada.client.deleteTweet({ id })
    expect((await read()).tweet).toBeUndefined()
  },
)

test('a page is not kept for whoever holds a share meanwhile: private posts are found beside a kept page', async () => {
  const { eve } = await server.seed.agents('eve')
  const agent = await identities.identify(eve.apiKey)
  if (!agent) throw new Error('Nobody was seeded')
  const { pages, untilKept } = openPages()
  const read = async () => JSON.parse(String(await pages.read('new', agent, 20))).data
  await eve.client.createTweet({ content: 'Only for holders.', visibility: 'private' })
  await untilKept(read)
  expect((await read())[0]).toMatchObject({ content: 'Only for holders.' })
  const [other] = Object.values(await server.seed.agents('una'))
  const stranger = other && (await identities.identify(other.apiKey))
  if (!stranger) throw new Error('Nobody was seeded')
  const seen = async () => JSON.parse(String(await pages.read('new', stranger, 20))).data
  await untilKept(seen)
  expect((await seen())[0]).toMatchObject({ locked: true, content: '' })
})
