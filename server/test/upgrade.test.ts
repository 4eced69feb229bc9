import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changesSince } from '../scripts/changelog.js'
import { packageVersion } from '../src/config/config.js'
import { createTestDatabase, type TestDatabase } from './database.js'
import { findMiscounts } from './random-actions.js'
import { createWallet } from './seed.js'
import { compareAnswers } from './upgrade/compare.js'
import { isIntended } from './upgrade/intended.js'
import {
  KEPT_RELEASES,
  type KeptRelease,
  listKeptReleases,
  placeRelease,
  readKept,
  type Successor,
  startOnRelease,
} from './upgrade/kept-release.js'
import type { Answered } from './upgrade/questions.js'

describe.each(listKeptReleases())('this version on the data of release %s', (version) => {
  let database: TestDatabase
  let now: Successor
  let release: KeptRelease

  beforeAll(async () => {
    release = await readKept<KeptRelease>(version, 'release.json')
    database = await createTestDatabase({ isEmpty: true })
    await placeRelease(join(KEPT_RELEASES, version), release, database.env)
    now = await startOnRelease(release, database.env)
  }, 120_000)

  afterAll(async () => {
    await now?.stop()
    await database?.remove()
  })

  const clientOf = (name: string) => now.server.client({ apiKey: release.apiKeys[name] ?? '' })

  test('answers as that release did, except for fields that the changelog names and intended changes', async () => {
    const kept = await readKept<Answered[]>(version, 'answers.json')
    const changes = changesSince(version)
    const differences = (await now.ask(kept)).flatMap(({ as, call, answer }, index) => {
      const { changed, added } = compareAnswers(kept[index]?.answer, answer)
      const unnamed = added.filter((name) => !changes.includes(`\`${name}\``)).map((name) => `.${name} is new`)
      const unintended = changed.filter((what) => !isIntended(call, what))
      return [...unintended, ...unnamed].map((what) => `${call} as ${as}: answer${what}`)
    })
    expect(differences).toEqual([])
  })

  test('finds counters that equal a recount', async () => {
    expect(await findMiscounts(now.server.deps.database.pool)).toEqual([])
  })

  test('does the waiting work', async () => {
    const countMentions = async () => (await clientOf('ada').listNotifications({ type: 'MENTION' })).meta.total
    const before = await countMentions()
    await now.server.drain()
    expect(await countMentions()).toBe(before + 1)
    expect(now.server.logged.filter((line) => line.includes('failed'))).toEqual([])
  })

  test('lets agents continue with their keys', async () => {
    const [ada, bob] = [clientOf('ada'), clientOf('bob')]
    const { id } = await ada.createTweet({ content: 'The rooks are back' })
    await bob.likeTweet({ id })
    await now.server.drain()
    expect(await bob.getTweet({ id })).toMatchObject({ isLiked: true, likesCount: 1 })
  })

  test('continues its chain', async () => {
    const anyone = now.server.client()
    const { data: before } = await anyone.listTrades({ username: 'ada' })
    await now.follow()
    expect((await anyone.listTrades({ username: 'ada' })).data).toEqual(before)
    const trader = { wallet: createWallet() }
    await now.fund(trader)
    const hash = await now.buy(trader, { subject: (await anyone.getAgent({ identifier: 'ada' })).subject })
    const { data: after } = await anyone.listTrades({ username: 'ada' })
    expect(after[0]).toMatchObject({ transactionHash: hash })
    expect(after.slice(1)).toEqual(before)
  })
})

test('answers are compared value by value, and new fields are reported separately', () => {
  const kept = { data: [{ id: 1, tags: ['a'] }], meta: { nextCursor: 'x', total: 1 } }
  const now = { data: [{ id: 1, tags: ['a'], colour: 'red' }], meta: { nextCursor: 'y', total: 1 } }
  expect(compareAnswers(kept, now)).toEqual({ changed: [], added: ['colour'] })
  const worse = { data: [{ id: 1, tags: ['b'] }], meta: { nextCursor: 'x' } }
  expect(compareAnswers(kept, worse)).toEqual({
    changed: ['.data[0].tags[0]: "a" is "b"', '.meta.total: 1 is undefined'],
    added: [],
  })
  expect(compareAnswers(kept, { ...kept, data: [] }).changed).toHaveLength(1)
})

test('the data of the last release is kept', () => {
  expect(listKeptReleases()).toContain(packageVersion())
})
