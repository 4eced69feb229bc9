import { randomUUID } from 'node:crypto'
import type { Client } from '@rookery/sdk'
import type { Program } from '@rookery/tooling/start-program'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readMigrations } from '../../src/foundation/db/migrations.js'
import { findWords } from '../find-words.js'
import { listen } from '../listen.js'
import { findMiscounts } from '../random-actions.js'
import { outcome } from '../refusal.js'
import type { SeededAgent } from '../seed.js'
import { listKeptReleases } from './kept-release.js'
import { openTwoVersions, type TwoVersions, type Version } from './two-versions.js'

const SOON = { timeout: 60_000, interval: 50 }
const OTHER = { old: 'new', new: 'old' } as const
const TOLD = ['FOLLOW', 'LIKE', 'REPLY', 'REPOST']
// In what is written before all else, and not to be found in the audit log in the end.
const WORD = 'quokka'

// The tests of one release are the steps of one upgrade.
describe.each(listKeptReleases())('a rolling upgrade from release %s', (release) => {
  let both: TwoVersions
  let old: readonly Program[]
  let ada: SeededAgent
  let bob: SeededAgent

  beforeAll(async () => {
    both = await openTwoVersions(release)
    old = await both.start('old')
    ;({ ada, bob } = await both.seedAt('old').agents('ada', 'bob'))
    await both.buyAt('old', ada, 'ada', 2)
  }, 120_000)
  afterAll(() => both?.close())

  test('applies all migrations and starts the new version while the old one goes on serving', async () => {
    const failures: unknown[] = []
    let isOver = false
    let done = 0
    const repeat = async (...calls: ((count: number) => Promise<unknown>)[]) => {
      for (let count = 0; !isOver; count++)
        for (const call of calls)
          await call(count).then(
            () => done++,
            (error) => failures.push(error),
          )
    }
    const callers = [
      repeat(
        (count) => ada.client.createTweet({ content: `@bob, ${WORD} number ${count}` }),
        () => bob.client.followAgent({ id: ada.id }),
        () => bob.client.unfollowAgent({ id: ada.id }),
      ),
      repeat(
        () => ada.client.listNotifications(),
        () => bob.client.listTweets(),
        () => bob.client.markAllNotificationsRead(),
        () => bob.client.getMe(),
      ),
    ]
    await both.start('new').finally(() => {
      isOver = true
    })
    await Promise.all(callers)
    expect(failures).toEqual([])
    expect(done).toBeGreaterThan(10)
    const { rows } = await both.pool.query<{ name: string }>('select name from migration order by name')
    expect(rows).toEqual(readMigrations().map(({ name }) => ({ name })))
  }, 120_000)

  describe.each(['old', 'new'] as const)('what is done at the %s version', (here) => {
    const there = OTHER[here]
    const names = { ann: `${here}ann`, ben: `${here}ben` }
    let ann: Record<'here' | 'there', Client>
    let ben: Record<'here' | 'there', Client>
    let annAgent: SeededAgent
    let tweetId: string

    beforeAll(async () => {
      const clientsOf = ({ apiKey }: SeededAgent) => ({
        here: both.clientAt(here, { apiKey }),
        there: both.clientAt(there, { apiKey }),
      })
      const agents = await both.seedAt(here).agents(names.ann, names.ben)
      annAgent = agents[names.ann] as SeededAgent
      ann = clientsOf(annAgent)
      ben = clientsOf(agents[names.ben] as SeededAgent)
    })

    test('is counted, notified, announced and delivered once, also at the other', async () => {
      await ann.here.createWebhook({ url: `${both.receiver.url}?${here}` })
      const listeners = await Promise.all([ann.here, ann.there].map((client) => listen(client, ['notifications'])))
      const { id } = await ann.there.createTweet({ content: 'How many rooks?' })
      tweetId = id
      await ben.here.followAgent({ id: names.ann })
      await ben.here.createTweet({ content: 'Forty', parentTweetId: id })
      await ben.here.repostTweet({ id })
      // What is withdrawn and done again notifies nobody twice.
      for (const client of [ben.here, ben.there, ben.here]) {
        await client.likeTweet({ id })
        await client.unlikeTweet({ id })
        await client.followAgent({ id: names.ann })
        await client.unfollowAgent({ id: names.ann })
      }
      await ben.here.likeTweet({ id })

      for (const client of [ann.here, ann.there]) await expect.poll(() => typesOf(client), SOON).toEqual(TOLD)
      for (const client of [ben.here, ben.there])
        expect(await client.getTweet({ id })).toMatchObject({
          ...{ likesCount: 1, repliesCount: 1, repostsCount: 1, isLiked: true },
        })
      const heard = await Promise.all(listeners.map((listener) => listener.take(TOLD.length)))
      const [one = [], other = []] = heard.map((events) => events.map(({ id, type, data }) => ({ id, type, of: data })))
      expect(one.map(({ of }) => 'type' in of && of.type).sort()).toEqual(TOLD)
      expect(other.map(({ id }) => id)).toEqual(one.map(({ id }) => id))
      await Promise.all(listeners.map((listener) => listener.stop()))
      await expect.poll(() => deliveredTo(here).length, SOON).toBeGreaterThanOrEqual(TOLD.length)
    }, 120_000)

    test('is marked read, undone and repeated at the other', async () => {
      const [newest] = (await ann.here.listNotifications()).data
      await ann.here.markNotificationsRead({ notificationIds: [newest?.id ?? ''] })
      for (const client of [ann.here, ann.there]) expect((await client.countUnreadNotifications()).count).toBe(3)
      const call = { idempotencyKey: randomUUID() }
      const { id } = await ben.here.createTweet({ content: `@${names.ann}, once` }, call)
      expect(await ben.there.createTweet({ content: `@${names.ann}, once` }, call)).toMatchObject({ id })
      await ben.there.undoRepost({ id: tweetId })
      for (const client of [ann.here, ann.there])
        await expect.poll(() => typesOf(client), SOON).toEqual(expect.arrayContaining(['MENTION']))
      for (const client of [ben.here, ben.there])
        expect(await client.getTweet({ id: tweetId })).toMatchObject({ repostsCount: 0, isReposted: false })
    })

    test('frees no revoked key and no frozen agent at the other', async () => {
      const { client: owner, token } = await both.seedAt(here).login(names.ann)
      await owner.freezeAgent({ id: names.ann })
      await expect.poll(() => outcome(ann.there.createTweet({ content: 'still here' })), SOON).toBe('403 AGENT_FROZEN')
      await both.clientAt(there, { token }).unfreezeAgent({ id: names.ann })
      await expect.poll(() => outcome(ann.there.createTweet({ content: 'here again' })), SOON).toBe('done')
      const { apiKey } = await ann.here.regenerateKey()
      await expect.poll(() => outcome(ann.there.getMe()), SOON).toBe('401 INVALID_API_KEY')
      ann = { here: both.clientAt(here, { apiKey }), there: both.clientAt(there, { apiKey }) }
      expect((await ann.there.getMe()).username).toBe(names.ann)
    })

    test('is shown and traded at the other', async () => {
      const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer()
      const { url } = await ann.here.uploadFile({ file: new File([new Uint8Array(picture)], 'a.png') })
      const moved = url.replace(new URL(url).origin, ann.there.options.baseUrl)
      const { id } = await ann.there.createTweet({ content: 'A picture', medias: [{ type: 'image', url: moved }] })
      const [media] = (await ben.here.getTweet({ id })).medias
      expect((await fetch(media?.url ?? '')).status).toBe(200)
      await both.buyAt(here, annAgent, names.ann, 2)
      await both.buyAt(there, annAgent, names.ann, 1)
      for (const client of [ben.here, ben.there])
        await expect.poll(async () => (await client.getAgent({ identifier: names.ann })).totalSupply, SOON).toBe(3)
    })
  })

  /** The events that were delivered to the webhook of one version. */
  const deliveredTo = (version: Version): string[] =>
    both.receiver.received.filter(({ url }) => url.endsWith(version)).map(({ body }) => JSON.parse(body).id)

  test('does not start the old version again, and lets the running one go on', async () => {
    await expect(both.startOne('old', 'web')).rejects.toThrow('The database was made by a newer version')
    expect(await outcome(bob.client.createTweet({ content: 'still served' }))).toBe('done')
  })

  test('leaves nothing undone, wrong or in error when the old version stops', async () => {
    expect(await Promise.all(old.map((program) => program.stop()))).toEqual([0, 0])
    // What instances of the old version left is looked for again later.
    const count = async (text: string) => (await both.pool.query(text)).rows[0].n as number
    await both.pool.query(`update job set run_at = now() where kind in ('backfill', 'erase_audited_words')`)
    const notDue = `select count(*)::int as n from job where run_at <= now() and failed_at is null`
    await expect.poll(() => count(notDue), SOON).toBe(0)
    expect(await count('select count(*)::int as n from trade')).toBe(5)
    expect(await count('select coalesce(sum(trades), 0)::int as n from share_candle where minutes = 1')).toBe(5)
    expect(await count('select count(*)::int as n from share_cost')).toBe(5)
    expect(await findWords(both.pool, [WORD])).toEqual(['tweet.content'])
    expect(await findMiscounts(both.pool)).toEqual([])
    expect(await count('select count(*)::int as n from job where failed_at is not null')).toBe(0)
    for (const version of ['old', 'new'] as const)
      expect(deliveredTo(version)).toEqual([...new Set(deliveredTo(version))])
    expect(both.errors()).toEqual([])
  })
})

async function typesOf(client: Client): Promise<string[]> {
  return (await client.listNotifications()).data.map(({ type }) => type).sort()
}
