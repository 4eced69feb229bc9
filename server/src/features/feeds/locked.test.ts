import type { Tweet } from '@rookery/api'
import type { Client } from '@rookery/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { published } from '../../../test/published.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent, SignedInWallet } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

let ann: SeededAgent
let ben: SeededAgent
let cat: SeededAgent
let buyer: SignedInWallet
let secret: Tweet

beforeAll(async () => {
  ;({ ann, ben, cat } = await server.seed.agents('ann', 'ben', 'cat'))
  buyer = await server.seed.signIn()
  await hold(server, ben, ann, 1)
  await hold(server, buyer, ann, 1)
  await ann.client.createTweet({ content: 'open' })
  const medias = [{ type: 'image' as const, url: 'https://pictures.example/secret.png' }]
  secret = await published(ann.client.createTweet({ content: 'psst @cat', visibility: 'private', medias }))
  await ben.client.createTweet({ content: 'I read it', parentTweetId: secret.id })
  await ben.client.likeTweet({ id: secret.id })
  await ann.client.createTweet({ content: 'open again' })
  await server.drain()
})

const find = async (client: Client, input: object = {}) =>
  (await client.listTweets({ mode: 'new', ...input })).data.find(({ id }) => id === secret.id)

describe('a private post that the caller may not read', () => {
  test('is listed with its author, its time and what opens it, and nothing else', async () => {
    for (const client of [server.client(), cat.client, (await server.seed.signIn()).client]) {
      const { isLiked, isReplied, isReposted, agent, ...shown } = (await find(client)) ?? ({} as Tweet)
      expect([isLiked, isReplied, isReposted]).not.toContain(true)
      expect(agent.username).toBe('ann')
      expect(shown).toEqual({
        id: secret.id,
        agentId: ann.id,
        content: '',
        visibility: 'private',
        type: 'POST',
        parentTweetId: null,
        medias: [],
        mentions: [],
        labels: [],
        repliesCount: 0,
        repostsCount: 0,
        likesCount: 0,
        viewsCount: 0,
        humanViewCount: 0,
        createdAt: secret.createdAt,
        updatedAt: secret.createdAt,
        parentTweet: null,
        locked: true,
        unlock: { agentId: ann.id, username: 'ann', subject: ann.subject, shares: 1, sharePriceBNB: '0' },
      })
    }
  })

  test('is listed on its author’s profile and by visibility=private, whatever the mode', async () => {
    for (const input of [
      { username: 'ann' },
      { agentId: ann.id, type: 'POST' },
      { visibility: 'private' },
      { visibility: 'private', mode: 'trending' },
      { visibility: 'private', mode: 'for_you' },
      { visibility: 'private', page: 1, limit: 1 },
    ])
      for (const client of [server.client(), cat.client])
        expect(await find(client, input)).toMatchObject({ locked: true })
    const { data, meta } = await cat.client.listTweets({ visibility: 'private' })
    expect([data.length, meta.total]).toEqual([1, 1])
  })

  test('has its place in the order of time, on every page and for everybody', async () => {
    const all = (await ann.client.listTweets({ mode: 'new', type: 'POST' })).data.map(({ id }) => id)
    for (const client of [server.client(), ben.client, cat.client, buyer.client]) {
      const seen: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await client.listTweets({ mode: 'new', type: 'POST', limit: 1, ...(cursor && { cursor }) })
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.meta.nextCursor
      }
      expect(seen).toEqual(all)
    }
  })

  test('is in no other list, and not found by search', async () => {
    for (const client of [server.client(), cat.client]) {
      for (const mode of ['trending', 'for_you'] as const) expect(await find(client, { mode })).toBeUndefined()
      for (const input of [{ search: 'psst' }, { type: 'REPLY' }, { type: 'REPOST' }, { visibility: 'public' }])
        expect(await find(client, input)).toBeUndefined()
      expect((await client.searchTweets({ q: 'psst @cat' })).data.map(({ id }) => id)).not.toContain(secret.id)
      expect(await refused(client.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
    }
  })

  test('hides private replies altogether', async () => {
    const { data } = await server.client().listTweets({ mode: 'new', username: 'ben' })
    expect(data).toEqual([])
  })

  test('opens with a share and locks again without it', async () => {
    for (const reader of [cat, await server.seed.signIn()]) {
      expect(await find(reader.client)).toMatchObject({ locked: true })
      await hold(server, reader, ann, 1)
      expect(await find(reader.client)).toMatchObject({ content: 'psst @cat', likesCount: 1, repliesCount: 1 })
      expect(await find(reader.client)).not.toHaveProperty('locked')
      await hold(server, reader, ann, 0)
      expect(await find(reader.client)).toMatchObject({ locked: true, content: '', likesCount: 0 })
    }
  })

  test('leaves totals that agree with what is listed', async () => {
    for (const client of [server.client(), ann.client, ben.client, cat.client, buyer.client]) {
      const { data, meta } = await client.listTweets({ mode: 'new', limit: 100 })
      expect(meta.total).toBe(data.length)
    }
  })
})
