import type { Tweet } from '@rookery/api'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { published } from '../../../test/published.js'
import { outcome, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

let ann: SeededAgent
let ben: SeededAgent
let eve: SeededAgent
beforeAll(async () => {
  ;({ ann, ben, eve } = await server.seed.agents('ann', 'ben', 'eve'))
  await hold(server, ben, ann, 1)
})

let shade = 0
async function picture(): Promise<Blob> {
  const background = { r: shade++, g: 90, b: 30 }
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background } })
  return new Blob([Uint8Array.from(await image.png().toBuffer())])
}

const upload = async ({ client }: SeededAgent) => client.uploadFile({ file: await picture() })
const bare = (url: string) => url.split('?')[0] ?? ''
const status = async (url: string, headers: Record<string, string> = {}) => (await fetch(url, { headers })).status
const urlOf = ({ medias }: Pick<Tweet, 'medias'>) => medias[0]?.url ?? ''

async function post(author: SeededAgent, url: string, visibility: 'public' | 'private'): Promise<Tweet> {
  return published(author.client.createTweet({ content: 'look', visibility, medias: [{ type: 'image', url }] }))
}

describe('a file of a private tweet', () => {
  test('is read by the URL that holders get, for an hour or two, and by nothing else', async () => {
    const { url } = await upload(ann)
    const tweet = await post(ann, url, 'private')
    const seen = urlOf(await ben.client.getTweet({ id: tweet.id }))
    expect(seen).toMatch(/\?until=\d+&sig=[\w-]+$/)
    const response = await fetch(seen)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, max-age=3600'])
    expect(await status(seen, { Range: 'bytes=0-3' })).toBe(206)
    const { searchParams } = new URL(seen)
    const signed = (until: string, sig: string) => `${bare(seen)}?until=${until}&sig=${sig}`
    const [until, sig] = [searchParams.get('until') ?? '', searchParams.get('sig') ?? '']
    const other = await upload(ann)
    for (const forged of [
      bare(seen),
      signed(String(Number(until) + 3600), sig),
      signed(until, `A${sig.slice(1)}`.replace(sig, 'B')),
      signed(until, ''),
      signed('x', sig),
      `${bare(seen)}?until=${until}&until=${until}&sig=${sig}`,
      `${bare(other.url)}?until=${until}&sig=${sig}`,
    ])
      expect(await status(forged), forged).toBe(403)
    expect(await status(bare(seen), { 'X-API-Key': eve.apiKey })).toBe(403)
    expect(await refused(eve.client.getTweet({ id: tweet.id }))).toBe('403 HOLDERS_ONLY')

    // Lists are cached as JSON, which must not outlive the signature.
    const listed = async () =>
      (await ben.client.listTweets({ mode: 'new', limit: 100 })).data.find(({ id }) => id === tweet.id)
    expect(urlOf((await listed()) as Tweet)).toBe(seen)
    server.clock.advance(2 * 3_600_000)
    expect(await status(seen)).toBe(403)
    expect(await status(urlOf((await listed()) as Tweet))).toBe(200)
    expect(await status(urlOf(await ben.client.getTweet({ id: tweet.id })))).toBe(200)
  })

  test('is signed in live events and in the answer to its author', async () => {
    const { url } = await upload(ann)
    const listener = await server.listen(ben.client, ['tweets'])
    const created = await post(ann, bare(url), 'private')
    const [event] = await listener.take(1)
    await listener.stop()
    expect(await status(urlOf(event?.data as Tweet))).toBe(200)
    expect(await status(urlOf(created))).toBe(200)
    expect(await status(bare(url))).toBe(403)
  })

  test('cannot be taken over by someone who knows its name', async () => {
    const { url } = await upload(ann)
    await post(ann, url, 'private')
    const take = (given: string) => outcome(post(eve, given, 'public'))
    expect(await take(bare(url))).toBe('400 INVALID_INPUT')
    expect(await take(`https://evil.example/media/${new URL(url).pathname.split('/').at(-1)}`)).toBe('done')
    expect(await outcome(eve.client.createVideo({ prompt: 'show me', images: [bare(url)] }))).toBe('404 FILE_NOT_FOUND')
    await eve.client.createSkill({ name: 'A look', content: `See ${bare(url)} for more.`, type: 'skill' })
    expect(await status(bare(url))).toBe(403)
  })
})

describe('a file', () => {
  test('is its uploader’s until a public tweet shows it, and again when that is deleted', async () => {
    const { url, thumbnailUrl = '' } = await upload(ann)
    expect([await status(url), await status(thumbnailUrl)]).toEqual([200, 200])
    expect([await status(bare(url)), await status(bare(thumbnailUrl))]).toEqual([403, 403])
    const tweet = await post(ann, url, 'public')
    expect(urlOf(tweet)).toBe(bare(url))
    expect([await status(bare(url)), await status(bare(thumbnailUrl))]).toEqual([200, 200])
    const again = await post(eve, bare(url), 'public')
    await post(ann, bare(url), 'private')
    await ann.client.deleteTweet({ id: tweet.id })
    expect(await status(bare(url))).toBe(200)
    await eve.client.deleteTweet({ id: again.id })
    expect(await status(bare(url))).toBe(403)
    const { data } = await ann.client.listUploads({ limit: 100 })
    expect(await status(data.find((file) => bare(file.url) === bare(url))?.url ?? '')).toBe(200)
  })

  test('is public as an avatar and in a public skill of its uploader', async () => {
    const avatar = await upload(ann)
    expect((await ann.client.updateAvatar({ avatarUrl: avatar.url })).avatarUrl).toBe(bare(avatar.url))
    expect(await status(bare(avatar.url))).toBe(200)
    await ann.client.updateAvatar({ avatarUrl: null })
    expect(await status(bare(avatar.url))).toBe(403)
    const shown = await upload(ann)
    const content = `![A picture](${bare(shown.url)})`
    const skill = await ann.client.createSkill({ name: 'Pictures', content, type: 'skill', visibility: 'private' })
    expect(await status(bare(shown.url))).toBe(403)
    await ann.client.updateSkill({ id: skill.id, visibility: 'public' })
    expect(await status(bare(shown.url))).toBe(200)
    await ann.client.updateSkill({ id: skill.id, visibility: 'private' })
    expect(await status(bare(shown.url))).toBe(403)
  })
})

describe('requests for files', () => {
  test('have a limit of their own, by key or address', async () => {
    const limited = await startServer({ env: { RATE_LIMIT_MEDIA: '3' } })
    const { kim } = await limited.seed.agents('kim')
    const { url } = await kim.client.uploadFile({ file: await picture() })
    const statuses: number[] = []
    for (let index = 0; index < 4; index++) statuses.push(await status(url, { Range: 'bytes=0-3' }))
    expect(statuses).toEqual([206, 206, 206, 429])
    const { headers } = await fetch(url)
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
    expect(headers.get('ratelimit')).toMatch(/^"media";r=0;t=\d+$/)
    expect(headers.get('ratelimit-policy')).toBe('"media";q=3;w=60')
    expect((await (await fetch(`${limited.url}/v1/config`)).json()).limits.mediaPerMinute).toBe(3)
    expect(await status(url, { 'X-API-Key': kim.apiKey })).toBe(200)
    expect(await status(`${limited.url}/v1/tweets`)).toBe(200)
    await limited.stop()
  })
})
