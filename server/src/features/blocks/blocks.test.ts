import type { Client } from '@rookery/sdk'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { findMiscounts } from '../../../test/random-actions.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())
const { ann, ben, cat } = await server.seed.agents('ann', 'ben', 'cat')

const contents = ({ data }: { data: readonly { content: string }[] }) => data.map(({ content }) => content)
const names = ({ data }: { data: readonly { username: string }[] }) => data.map(({ username }) => username)
let round = 0
let word = ''

beforeEach(async () => {
  for (const [one, other] of [
    [ann, ben],
    [ben, ann],
  ] as const) {
    await one.client.unmuteAgent({ id: other.id })
    await one.client.unblockAgent({ id: other.id })
    await one.client.unfollowAgent({ id: other.id })
    await one.client.markAllNotificationsRead()
  }
  word = `turtle${++round}`
})

/** Everything that `from` says in lists, feeds and searches of `client`. */
async function readLists(client: Client): Promise<string> {
  await server.drain()
  return JSON.stringify([
    await client.listTweets({ mode: 'new', limit: 100 }),
    await client.listTweets({ mode: 'trending', limit: 100 }),
    await client.listTweets({ mode: 'for_you', limit: 100 }),
    await client.listTweets({ mode: 'new', search: word }),
    await client.searchTweets({ q: word }),
    await client.listNotifications(),
    await client.getHeartbeat(),
  ])
}

describe('a block', () => {
  test('can be repeated, listed and lifted, and says nothing to the other', async () => {
    expect(await ann.client.blockAgent({ id: 'BEN' })).toEqual({ blocked: true })
    expect(await ann.client.blockAgent({ id: ben.walletAddress })).toEqual({ blocked: true })
    const { data, meta } = await ann.client.listBlocks()
    expect([data.map(({ username }) => username), meta.total]).toEqual([['ben'], 1])
    expect((await ben.client.listBlocks()).data).toEqual([])
    expect(await ann.client.getAgent({ identifier: 'ben' })).toMatchObject({ isBlocked: true, isMuted: false })
    expect(await ben.client.getAgent({ identifier: 'ann' })).toMatchObject({ isBlocked: false, isMuted: false })
    expect(await ann.client.unblockAgent({ id: 'ben' })).toEqual({ blocked: false })
    expect(await ann.client.unblockAgent({ id: 'ben' })).toEqual({ blocked: false })
    expect((await ann.client.listBlocks()).data).toEqual([])
    expect(await anyone.getAgent({ identifier: 'ben' })).not.toHaveProperty('isBlocked')
  })

  test('is refused for oneself and for nobody', async () => {
    expect(await refused(ann.client.blockAgent({ id: 'me' }))).toBe('400 CANNOT_BLOCK_SELF')
    expect(await refused(ann.client.muteAgent({ id: ann.id }))).toBe('400 CANNOT_MUTE_SELF')
    for (const id of ['nobody', '00000000-0000-7000-8000-000000000000']) {
      expect(await refused(ann.client.blockAgent({ id }))).toBe('404 AGENT_NOT_FOUND')
      expect(await refused(ann.client.muteAgent({ id }))).toBe('404 AGENT_NOT_FOUND')
    }
    expect(await refused(anyone.blockAgent({ id: 'ben' }))).toBe('401 UNAUTHENTICATED')
  })

  test('ends follows in both directions, with their counts, and lasts until both lift theirs', async () => {
    await ann.client.followAgent({ id: 'ben' })
    await ben.client.followAgent({ id: 'ann' })
    await ann.client.blockAgent({ id: 'ben' })
    for (const client of [ann.client, ben.client])
      expect(await client.getMe()).toMatchObject({ followersCount: 0, followingCount: 0 })
    expect(await refused(ben.client.followAgent({ id: 'ann' }))).toBe('403 AGENT_BLOCKED')
    expect(await refused(ann.client.followAgent({ id: 'ben' }))).toBe('403 AGENT_BLOCKED')
    expect((await ben.client.unfollowAgent({ id: 'ann' })).following).toBe(false)
    await ben.client.blockAgent({ id: 'ann' })
    await ann.client.unblockAgent({ id: 'ben' })
    expect(await refused(ann.client.followAgent({ id: 'ben' }))).toBe('403 AGENT_BLOCKED')
    await ben.client.unblockAgent({ id: 'ann' })
    expect((await ann.client.followAgent({ id: 'ben' })).following).toBe(true)
  })

  test('refuses likes, reposts and answers on both sides, also through a repost by another', async () => {
    const tweets = {
      ann: await ann.client.createTweet({ content: word }),
      ben: await ben.client.createTweet({ content: word }),
    }
    const passedOn = await cat.client.repostTweet({ id: tweets.ann.id })
    await ben.client.blockAgent({ id: 'ann' })
    for (const [actor, id] of [
      [ann, tweets.ben.id],
      [ben, tweets.ann.id],
      [ben, passedOn.id],
    ] as const) {
      expect(await refused(actor.client.likeTweet({ id }))).toBe('403 AGENT_BLOCKED')
      expect(await refused(actor.client.repostTweet({ id }))).toBe('403 AGENT_BLOCKED')
      expect(await refused(actor.client.createTweet({ content: 'no', parentTweetId: id }))).toBe('403 AGENT_BLOCKED')
    }
    for (const [reader, id] of [
      [ann, tweets.ben.id],
      [ben, tweets.ann.id],
    ] as const) {
      expect(await refused(reader.client.getTweet({ id }))).toBe('404 TWEET_NOT_FOUND')
      expect(await refused(reader.client.listReplies({ id }))).toBe('404 TWEET_NOT_FOUND')
    }
    // Another agent and people are not concerned.
    for (const client of [cat.client, anyone, (await server.seed.login('ann')).client])
      expect((await client.getTweet({ id: tweets.ben.id })).content).toBe(word)
  })

  test('hides both from each other in every list, and a bare repost of one from the other', async () => {
    const own = {
      ann: await ann.client.createTweet({ content: `${word} by ann` }),
      ben: await ben.client.createTweet({ content: `${word} by ben` }),
    }
    for (const { id } of [own.ann, own.ben]) await cat.client.repostTweet({ id })
    expect(await readLists(ann.client)).toContain(`${word} by ben`)
    await ann.client.blockAgent({ id: 'ben' })
    expect(await readLists(ann.client)).not.toContain(`${word} by ben`)
    expect(await readLists(ben.client)).not.toContain(`${word} by ann`)
    expect(await readLists(cat.client)).toContain(`${word} by ben`)
    const { data } = await ben.client.listTweets({ mode: 'new', username: 'cat', limit: 100 })
    expect(data.filter(({ parentTweetId }) => parentTweetId === own.ann.id)).toEqual([])
    expect(data.filter(({ parentTweetId }) => parentTweetId === own.ben.id)).toHaveLength(1)
    for (const [reader, other] of [
      [ann, 'ben'],
      [ben, 'ann'],
    ] as const) {
      expect((await reader.client.listTweets({ mode: 'new', username: other })).data).toEqual([])
      expect(names(await reader.client.listAgents({ limit: 100 }))).not.toContain(other)
      expect(names(await reader.client.listAgents({ search: other }))).not.toContain(other)
    }
    const { data: all, meta } = await ann.client.listTweets({ mode: 'new', limit: 100 })
    expect(meta.total).toBe(all.length)
  })

  test('removes what one notified the other of, and lets a mention notify nobody', async () => {
    const { id } = await ann.client.createTweet({ content: word })
    await ben.client.likeTweet({ id })
    await ben.client.createTweet({ content: 'oh', parentTweetId: id })
    await cat.client.likeTweet({ id })
    await server.drain()
    expect((await ann.client.countUnreadNotifications()).count).toBe(3)
    await ben.client.blockAgent({ id: 'ann' })
    expect((await ann.client.countUnreadNotifications()).count).toBe(1)
    const { data, meta } = await ann.client.listNotifications({ unread: true })
    expect([data.map(({ fromAgent }) => fromAgent?.username), meta.total]).toEqual([['cat'], 1])
    await ben.client.createTweet({ content: `${word} @ann` })
    await ann.client.createTweet({ content: `${word} @ben` })
    await server.drain()
    expect((await ann.client.countUnreadNotifications()).count).toBe(1)
    expect((await ben.client.countUnreadNotifications()).count).toBe(0)
  })

  test('hides items of the skill market', async () => {
    const item = await ben.client.createSkill({ name: word, content: `# ${word}`, type: 'skill', isActive: true })
    await server.drain()
    expect((await ann.client.listSkills({ search: word })).data).toHaveLength(1)
    await ben.client.blockAgent({ id: 'ann' })
    expect((await ann.client.listSkills({ search: word })).data).toEqual([])
    expect((await ann.client.listSkills({ creator: 'ben' })).data).toEqual([])
    expect(await refused(ann.client.getSkill({ id: item.id }))).toBe('404 SKILL_NOT_FOUND')
    expect(await refused(ann.client.downloadSkill({ id: item.id }))).toBe('404 SKILL_NOT_FOUND')
    expect((await cat.client.getSkill({ id: item.id })).id).toBe(item.id)
  })

  test('lets both take back likes and reposts from before, and tells them no counts', async () => {
    const { id } = await ann.client.createTweet({ content: word })
    const quoted = await ann.client.createTweet({ content: `${word} too` })
    const skill = await ann.client.createSkill({ name: word, content: `# ${word}`, type: 'skill', isActive: true })
    await server.drain()
    for (const { client } of [ben, cat]) {
      await client.likeTweet({ id })
      await client.repostTweet({ id })
      await client.createTweet({ content: `look: ${word}`, type: 'REPOST', parentTweetId: quoted.id })
      await client.likeSkill({ id: skill.id })
    }
    const bare = (await ben.client.listTweets({ mode: 'new', username: 'ben', limit: 100 })).data.find(
      ({ parentTweetId }) => parentTweetId === id,
    )
    await ann.client.blockAgent({ id: 'ben' })
    expect(await ben.client.unlikeTweet({ id })).toEqual({ liked: false, likesCount: 0 })
    expect(await ben.client.undoRepost({ id: bare?.id ?? '' })).toEqual({ reposted: false, repostsCount: 0 })
    expect(await ben.client.undoRepost({ id: quoted.id })).toEqual({ reposted: false, repostsCount: 0 })
    expect(await ben.client.unlikeSkill({ id: skill.slug })).toEqual({ id: skill.id, liked: false, likeCount: 0 })
    // Nothing is left to take back, so the block answers again.
    expect(await refused(ben.client.unlikeTweet({ id }))).toBe('403 AGENT_BLOCKED')
    for (const gone of [id, quoted.id, bare?.id ?? ''])
      expect(await refused(ben.client.undoRepost({ id: gone }))).toBe('404 TWEET_NOT_FOUND')
    expect(await refused(ben.client.unlikeSkill({ id: skill.id }))).toBe('404 SKILL_NOT_FOUND')
    expect(await anyone.getTweet({ id })).toMatchObject({ likesCount: 1, repostsCount: 1 })
    expect((await anyone.getTweet({ id: quoted.id })).repostsCount).toBe(1)
    expect((await anyone.getSkill({ id: skill.id })).likeCount).toBe(1)
    expect(await findMiscounts(server.deps.database.pool)).toEqual([])
  })

  test('leaves no follow behind, however the two calls meet', async () => {
    for (let turn = 0; turn < 8; turn++) {
      await Promise.allSettled([ben.client.followAgent({ id: 'ann' }), ann.client.blockAgent({ id: 'ben' })])
      expect((await anyone.listFollowers({ id: 'ann' })).data).toEqual([])
      expect((await anyone.getAgent({ identifier: 'ann' })).followersCount).toBe(0)
      await ann.client.unblockAgent({ id: 'ben' })
    }
  })
})

describe('a sold share', () => {
  test('leaves the like of a private tweet to be taken back', async () => {
    const { id } = await ann.client.createTweet({ content: word, visibility: 'private' })
    for (const holder of [ben, cat]) {
      await hold(server, holder, ann, 1)
      await holder.client.likeTweet({ id })
    }
    await hold(server, ben, ann, 0)
    expect(await ben.client.unlikeTweet({ id })).toEqual({ liked: false, likesCount: 0 })
    expect(await refused(ben.client.unlikeTweet({ id }))).toBe('403 HOLDERS_ONLY')
    expect((await ann.client.getTweet({ id })).likesCount).toBe(1)
    await hold(server, cat, ann, 0)
  })
})

describe('a mute', () => {
  test('is one-sided: it hides tweets from lists and notifications of the one who mutes', async () => {
    await ann.client.followAgent({ id: 'ben' })
    const { id } = await ann.client.createTweet({ content: `${word} by ann` })
    const reply = await ben.client.createTweet({ content: `${word} by ben`, parentTweetId: id })
    expect(await readLists(ann.client)).toContain(`${word} by ben`)
    expect(await ann.client.muteAgent({ id: 'ben' })).toEqual({ muted: true })
    await ben.client.createTweet({ content: `more ${word} by ben for @ann` })
    await ben.client.likeTweet({ id })
    expect(await readLists(ann.client)).not.toContain('by ben')
    expect((await ann.client.listReplies({ id })).data).toEqual([])
    expect((await ann.client.countUnreadNotifications()).count).toBe(0)
    expect(await readLists(ben.client)).toContain(`${word} by ann`)
    expect(contents(await ben.client.listReplies({ id }))).toEqual([`${word} by ben`])

    // What is asked for by name stays readable, and follows stay.
    expect((await ann.client.getTweet({ id: reply.id })).content).toBe(`${word} by ben`)
    expect(contents(await ann.client.listAgentReplies({ username: 'ben' }))).toContain(`${word} by ben`)
    expect(await ann.client.getAgent({ identifier: 'ben' })).toMatchObject({ isMuted: true, isFollowing: true })
    expect(JSON.stringify(await ben.client.getAgent({ identifier: 'ann' }))).not.toContain('"isMuted":true')
    expect(names(await ann.client.listMutes())).toEqual(['ben'])
    expect(await refused(ben.client.listMutes({ limit: 0 }))).toBe('400 INVALID_INPUT')
    expect((await ann.client.likeTweet({ id: reply.id })).liked).toBe(true)

    expect(await ann.client.unmuteAgent({ id: 'ben' })).toEqual({ muted: false })
    expect(contents(await ann.client.listReplies({ id }))).toEqual([`${word} by ben`])
    expect(await readLists(ann.client)).toContain(`more ${word} by ben`)
  })
})

describe('live events', () => {
  test('do not carry what is hidden, from the first event after the call on', async () => {
    const stream = async (agent: SeededAgent) => await server.listen(agent.client, ['tweets', 'agent:ann', 'agent:ben'])
    const [atAnn, atBen, atCat] = [await stream(ann), await stream(ben), await stream(cat)]
    await ann.client.muteAgent({ id: 'ben' })
    const muted = await ben.client.createTweet({ content: `${word} muted` })
    // An event is judged when it is sent, so the mute has to last until then.
    await atCat.take(1)
    await ann.client.unmuteAgent({ id: 'ben' })
    await ann.client.blockAgent({ id: 'ben' })
    await ben.client.createTweet({ content: `${word} blocked` })
    await ann.client.createTweet({ content: `${word} by the blocker` })
    await cat.client.repostTweet({ id: muted.id })
    await cat.client.createTweet({ content: `answer ${word}`, parentTweetId: muted.id })
    await cat.client.createTweet({ content: `end of ${word}` })
    for (const listener of [atAnn, atBen, atCat])
      while (!JSON.stringify(listener.events).includes(`end of ${word}`)) await listener.take(1)
    const texts = [atAnn, atBen, atCat].map(({ events }) => JSON.stringify(events))
    expect(texts[0]).not.toContain(`${word} muted`)
    expect(texts[0]).not.toContain(`${word} blocked`)
    expect(texts[0]).toContain(`answer ${word}`)
    expect(texts[1]).not.toContain(`${word} by the blocker`)
    for (const text of ['muted', 'blocked', 'by the blocker']) expect(texts[2]).toContain(`${word} ${text}`)
    for (const listener of [atAnn, atBen, atCat]) await listener.stop()
  })
})
