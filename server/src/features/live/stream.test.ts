import type { LiveEvent } from '@rookery/api'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer({ env: { STREAMS_PER_CALLER: '5' } })
const { db, orderer } = server.deps
afterAll(() => server.stop())

const types = (events: readonly LiveEvent[]) => events.map((event) => `${event.topic} ${event.type}`)
const contents = (events: readonly LiveEvent[]) =>
  events.map((event) => (event.type === 'tweet.created' ? event.data.content : event.type))

async function lastId(): Promise<string> {
  await orderer.settle()
  return String((await db.one<{ last_id: bigint }>(sql`select last_id from event_log`)).last_id)
}

const status = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${server.url}${path}`, { headers })
  const { code } = (await response.json()) as { code: string }
  return `${response.status} ${code}`
}

describe('GET /v1/events', () => {
  test('sends tweets, agents and notifications as they happen, each once', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    const everything = await server.listen(ben.client, ['notifications', 'tweets', 'agent:ann'])
    const onlyAnn = await server.listen(server.client(), ['agent:ANN'])
    await ann.client.updateBio({ bio: 'new words' })
    const tweet = await ann.client.createTweet({ content: 'hello @ben' })
    await server.drain()
    expect(types(await everything.take(3))).toEqual([
      'agent:ann agent.updated',
      'tweets tweet.created',
      'notifications notification.created',
    ])
    await ann.client.deleteTweet({ id: tweet.id })
    expect(types(await everything.take(1))).toEqual(['tweets tweet.deleted'])
    expect(types(await onlyAnn.take(3))).toEqual([
      'agent:ann agent.updated',
      'agent:ann tweet.created',
      'agent:ann tweet.deleted',
    ])
    await Promise.all([everything.stop(), onlyAnn.stop()])
  })

  test('reports a new avatar as a change of the profile', async () => {
    const { uma } = await server.seed.agents('uma')
    const image = sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } }).png()
    const { url } = await uma.client.uploadFile({ file: new Blob([Uint8Array.from(await image.toBuffer())]) })
    const listener = await server.listen(server.client(), ['agent:uma'])
    await uma.client.updateAvatar({ avatarUrl: url })
    await uma.client.updateAvatar({ avatarUrl: null })
    const events = await listener.take(2)
    expect(types(events)).toEqual(['agent:uma agent.updated', 'agent:uma agent.updated'])
    await listener.stop()
  })

  test('sends the events since the last one received, once and in order', async () => {
    const { cat, dan, eve } = await server.seed.agents('cat', 'dan', 'eve')
    for (const follower of [dan, eve]) await follower.client.followAgent({ id: 'cat' })
    const before = await lastId()
    for (const word of ['one', 'two @dan']) await cat.client.createTweet({ content: word })
    await server.drain()
    await dan.client.likeTweet({ id: (await cat.client.listMyTweets({})).data[0]?.id ?? '' })
    await lastId()
    const missed = await server.listen(dan.client, ['notifications', 'agent:cat'], before)
    const events = await missed.take(5)
    expect(events.map((event) => (event.type === 'notification.created' ? event.data.type : event.type))).toEqual([
      'tweet.created',
      'tweet.created',
      'NEW_TWEET',
      'MENTION',
      'NEW_TWEET',
    ])
    const after = await server.listen(dan.client, ['notifications', 'agent:cat'], events[2]?.id)
    expect(await after.take(2)).toEqual(events.slice(3))
    await cat.client.createTweet({ content: 'three' })
    expect(contents(await after.take(1))).toEqual(['three'])
    expect(missed.events.map(({ id }) => id)).toEqual(missed.events.map(({ id }) => id).toSorted((a, b) => +a - +b))
    await Promise.all([missed.stop(), after.stop()])
  })

  test('shows private tweets only to those who hold shares at that moment', async () => {
    const { fay, gus, hal } = await server.seed.agents('fay', 'gus', 'hal')
    await hold(server, gus, fay, 1)
    const listeners = await Promise.all(
      [fay.client, gus.client, hal.client, server.client()].map((client) => server.listen(client, ['agent:fay'])),
    )
    const secret = await fay.client.createTweet({ content: 'for holders', visibility: 'private' })
    await gus.client.createTweet({ content: 'from a holder', parentTweetId: secret.id })
    await fay.client.createTweet({ content: 'for all' })
    // Visibility is decided when an event is sent, which happens after the call that caused it.
    const [, holder] = listeners
    while (holder && !contents(holder.events).includes('for all')) await holder.take(1)
    await hold(server, gus, fay, 0)
    const late = await fay.client.createTweet({ content: 'for those still holding', visibility: 'private' })
    await fay.client.deleteTweet({ id: late.id })
    await fay.client.createTweet({ content: 'the end' })
    const seen = await Promise.all(
      listeners.map(async (listener) => {
        while (!contents(listener.events).includes('the end')) await listener.take(1)
        return contents(listener.events).filter((event) => event !== 'for those still holding')
      }),
    )
    expect(seen).toEqual([
      ['for holders', 'for all', 'tweet.deleted', 'the end'],
      ['for holders', 'for all', 'the end'],
      ['for all', 'the end'],
      ['for all', 'the end'],
    ])
    const again = await server.listen(gus.client, ['agent:fay'], '0')
    expect(contents(await again.take(3))).toEqual(['agent.verified', 'for all', 'the end'])
    await Promise.all([...listeners, again].map((listener) => listener.stop()))
  })

  test('ends when the key is replaced, and refuses the old one', async () => {
    const { ida } = await server.seed.agents('ida')
    const listener = await server.listen(ida.client, ['notifications'])
    const raw = await fetch(`${server.url}/v1/events?topics=tweets`, { headers: { 'X-API-Key': ida.apiKey } })
    await ida.client.regenerateKey()
    expect(await listener.failed).toMatchObject({ code: 'INVALID_API_KEY' })
    expect(await raw.text()).toContain('"code":4401')
  })

  test('refuses invalid topics, and says why', async () => {
    await server.seed.agents('jan')
    const jan = await server.client().getAgent({ identifier: 'jan' })
    expect(await status('/v1/events')).toBe('400 INVALID_INPUT')
    expect(await status('/v1/events?topics=weather')).toBe('400 TOPIC_UNKNOWN')
    expect(await status('/v1/events?topics=notifications')).toBe('401 UNAUTHENTICATED')
    expect(await status('/v1/events?topics=agent:nobody_at_all')).toBe('404 AGENT_NOT_FOUND')
    expect(await status('/v1/events?topics=tweets&resume=99999999')).toBe('400 INVALID_INPUT')
    expect(await status('/v1/events?topics=tweets', { 'Last-Event-ID': 'x' })).toBe('400 INVALID_INPUT')
    expect(await status('/v1/events?topics=tweets', { 'X-API-Key': 'sk_bad' })).toBe('401 INVALID_API_KEY')
    expect(await status('/v1/events?topics=tweets', { Origin: 'https://evil.example' })).toBe('403 ORIGIN_NOT_ALLOWED')
    for (const name of ['apiKey', 'api_key', 'token', 'ticket'])
      expect(await status(`/v1/events?topics=tweets&${name}=${jan.id}`)).toBe('400 INVALID_INPUT')
  })

  test('accepts no key in the URL, whatever its name', async () => {
    const { kim } = await server.seed.agents('kim')
    expect(await status(`/v1/events?topics=tweets&whatever=${kim.apiKey}`)).toBe('400 INVALID_INPUT')
    expect(server.logged.join('')).not.toContain(kim.apiKey)
  })

  test('limits the connections of one caller', async () => {
    const { leo } = await server.seed.agents('leo')
    const open = await Promise.all(Array.from({ length: 5 }, () => server.listen(leo.client, ['tweets'])))
    expect(await status('/v1/events?topics=tweets', { 'X-API-Key': leo.apiKey })).toBe('429 RATE_LIMITED')
    await open[0]?.stop()
    await expect.poll(() => server.features.hub.count(`agent:${leo.id}`)).toBe(4)
    const sixth = await server.listen(leo.client, ['tweets'])
    await Promise.all([...open, sixth].map((listener) => listener.stop()))
    await expect.poll(() => server.features.hub.count()).toBe(0)
  })

  test('refuses to resume where events have been deleted', async () => {
    const { max } = await server.seed.agents('max')
    await max.client.createTweet({ content: 'old' })
    const old = await lastId()
    server.clock.advance(26 * 60 * 60_000)
    await max.client.createTweet({ content: 'new' })
    await lastId()
    await server.deps.queue.enqueue(db, 'delete_old_events', {})
    await server.drain()
    expect((await db.many(sql`select from event where type = 'tweet.created'`)).length).toBe(1)
    const { failed } = await server.listen(max.client, ['tweets'], String(Number(old) - 1))
    expect(await refused(failed.then((error) => Promise.reject(error)))).toBe('400 RESUME_TOO_OLD')
    const listener = await server.listen(max.client, ['tweets'], old)
    expect(contents(await listener.take(1))).toEqual(['new'])
    await listener.stop()
  })
})

describe('a stream that opens while the service stops', () => {
  test('is ended at once, and may be resumed elsewhere', async () => {
    await server.features.hub.close()
    const stream = await fetch(`${server.url}/v1/events?topics=tweets`)
    expect(await stream.text()).toContain('"code":1001')
  })
})
