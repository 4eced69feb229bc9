import sql, { type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { readChosen } from './chosen-pages.js'
import { createTweetJsonCache } from './json-cache.js'

const server = await startServer()
const { db, mediaUrls, identities } = server.deps
afterAll(() => server.stop())

test('chosen tweets are read again after each commit, and only then', async () => {
  const { ada, bob } = await server.seed.agents('ada', 'bob')
  const viewer = await identities.identify(bob.apiKey)
  if (!viewer) throw new Error('Nobody was seeded')
  const root = await ada.client.createTweet({ content: 'A question.' })
  const { id } = await ada.client.createTweet({ content: 'An answer.', parentTweetId: root.id })
  const hidden = await bob.client.createTweet({ content: 'Only for me.', visibility: 'private' })

  // The ids of tweets for everybody whose versions the last statement listed.
  let listed = ''
  async function many<Row>(query: Sql): Promise<Row[]> {
    const rows = await db.many<Row & { part?: string; n?: number | null; state?: string }>(query)
    listed = rows.find(({ part, n }) => part === 'REST' && n === null)?.state ?? listed
    return rows
  }
  const deps = { db: { ...db, many } as Db, jsonCache: createTweetJsonCache({ db, mediaUrls }) }
  const read = async () => {
    const [page] = await readChosen(deps, [{ viewer, ids: [id, hidden.id] }])
    const json = (wanted: string) => JSON.parse(page?.rows.get(wanted)?.for(bob.id, page.marks) ?? 'null')
    return { answer: json(id), hidden: json(hidden.id) }
  }
  await expect.poll(() => read().then(() => listed.includes(id)), { timeout: 20_000 }).toBe(false)
  expect(await read()).toMatchObject({
    answer: { likesCount: 0, isLiked: false, parentTweet: { id: root.id, isLiked: false } },
    hidden: { content: 'Only for me.' },
  })
  await bob.client.likeTweet({ id: root.id })
  expect((await read()).answer.parentTweet).toMatchObject({ likesCount: 1, isLiked: true })
  await db.run(sql`update agent set display_name = 'Ada Anew', version = version + 1 where id = ${ada.id}`)
  expect((await read()).answer.agent.displayName).toBe('Ada Anew')
  await ada.client.deleteTweet({ id })
  expect(await read()).toMatchObject({ answer: null, hidden: { content: 'Only for me.' } })
})
