import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, expect, test, vi } from 'vitest'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { blockAgent } from '../blocks/actions.js'
import { removeTweet } from '../tweets/delete.js'
import { likeTweets } from '../tweets/likes.js'
import { foldDeeds } from './fold.js'

const server = await startServer()
const { db } = server.deps
const deps = { ...server.deps, events: { ...server.deps.events, announce: () => {} } }
afterAll(() => server.stop())

const { ada, bob, cyd } = await server.seed.agents('ada', 'bob', 'cyd')
const liker = await identify(ada)
const author = await identify(bob)

async function identify({ apiKey }: SeededAgent) {
  const identity = await deps.identities.identify(apiKey)
  if (!identity) throw new Error('not seeded')
  return identity
}

/** Folds while a transaction that has done `work` is about to commit. */
async function foldBehind(work: (db: typeof deps.db) => Promise<unknown>): Promise<void> {
  let folding: Promise<number> | undefined
  await db.transaction(async (held) => {
    await work(held)
    folding = foldDeeds(deps)
    await vi.waitFor(
      async () =>
        expect(await db.many(sql`select from pg_locks where not granted and locktype = 'transactionid'`)).toHaveLength(
          1,
        ),
      60_000,
    )
  })
  await folding
}

test.each([
  ['deleted', (db: typeof deps.db, id: string) => removeTweet(db, deps, author, { id })],
  ['parted by a block', (db: typeof deps.db) => blockAgent({ ...deps, db }, author, liker.id)],
])('what follows from a like of a tweet that is %s meanwhile waits for that, and is nothing', async (_, work) => {
  const { id } = await bob.client.createTweet({ content: 'here and gone' })
  await likeTweets(deps, [{ agent: liker, id }])
  await foldBehind((db) => work(db, id))
  expect(await db.many(sql`select from notification where tweet_id = ${id}`)).toEqual([])
  expect(await db.many(sql`select from deed`)).toEqual([])
})

test('a process that stands still in the middle of a set keeps the others waiting for two seconds', async () => {
  let [stand, goOn] = [() => {}, () => {}]
  const stands = new Promise<void>((resolve) => (stand = resolve))
  const goesOn = new Promise<void>((resolve) => (goOn = resolve))
  const limits: string[] = []
  const standing: typeof db = {
    ...db,
    transaction: (work) =>
      db.transaction((held) => {
        const one: typeof db.one = async (query) => {
          const { limit } = await held.one<{ limit: string }>(
            sql`select current_setting('idle_in_transaction_session_timeout') as limit`,
          )
          limits.push(limit)
          stand()
          await goesOn
          return held.one(query)
        }
        return work({ ...held, one })
      }),
  }

  // The server folds as well, and may be first.
  async function standInSet(): Promise<{ id: string; folding: Promise<number> }> {
    const { id } = await bob.client.createTweet({ content: `still there ${randomUUID()}` })
    await likeTweets(deps, [{ agent: await identify(cyd), id }])
    const folding = foldDeeds({ ...deps, db: standing })
    const wasFirst = await Promise.race([stands.then(() => true), folding.then(() => false)])
    return wasFirst ? { id, folding } : standInSet()
  }

  const { id, folding } = await standInSet()
  const ended = expect(folding).rejects.toThrow()
  await vi.waitFor(async () => {
    await foldDeeds(deps)
    expect(await db.many(sql`select from notification where tweet_id = ${id}`)).toHaveLength(1)
  }, 60_000)
  expect(limits).toEqual(['2s'])
  goOn()
  await ended
})
