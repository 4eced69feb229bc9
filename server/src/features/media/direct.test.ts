import { randomInt } from 'node:crypto'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Tweet } from '@rookery/api'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { hold } from '../../../test/holdings.js'
import { published } from '../../../test/published.js'
import { startS3Server } from '../../../test/s3-server.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { withholdFile } from './withhold.js'

const clock = createTestClock()
const s3 = await startS3Server('bucket', clock.now)
const bucket = {
  FILES: 's3://bucket/media',
  S3_ENDPOINT: s3.url,
  AWS_REGION: 'test-region',
  AWS_ACCESS_KEY_ID: 'test-key',
  AWS_SECRET_ACCESS_KEY: 'test-secret',
}
const MINUTE_MS = 60_000

let server: TestServer
let ann: SeededAgent
let ben: SeededAgent
beforeAll(async () => {
  server = await startServer({ env: { ...bucket, FILES_URL: 'direct' }, replace: { clock } })
  ;({ ann, ben } = await server.seed.agents('ann', 'ben'))
  await hold(server, ben, ann, 1)
})
afterAll(async () => {
  await server.stop()
  await s3.close()
})

async function post(visibility: 'public' | 'private', by = ann): Promise<string> {
  const background = { r: randomInt(256), g: randomInt(256), b: randomInt(256) }
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()
  const { url } = await by.client.uploadFile({ file: new Blob([Uint8Array.from(picture)]) })
  const tweet = { content: 'look', visibility, medias: [{ type: 'image' as const, url }] }
  const { id } = await published(by.client.createTweet(tweet))
  return urlOf(await (by === ann ? ben : ann).client.getTweet({ id }))
}

const urlOf = ({ medias }: Pick<Tweet, 'medias'>) => medias[0]?.url ?? ''
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' })
const locationOf = async (url: string) => (await get(url)).headers.get('location') ?? ''
const secondsOf = (location: string) => Number(new URL(location).searchParams.get('X-Amz-Expires'))

describe('files that callers read from the bucket', () => {
  test('do not pass through the service: whole, in ranges, and with their type', async () => {
    const url = await post('public')
    const before = s3.calls.length
    const first = await get(url)
    expect([first.status, await first.text()]).toEqual([302, ''])
    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(s3.calls.length).toBe(before)
    const followed = await fetch(url)
    expect(followed.url.startsWith(`${s3.url}/bucket/media/`)).toBe(true)
    const content = Buffer.from(await followed.arrayBuffer())
    expect(content.equals(s3.objects.get(`media/${new URL(url).pathname.split('/').at(-1)}`)?.body as Buffer)).toBe(
      true,
    )
    expect(Object.fromEntries(followed.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline',
      'cache-control': 'public, max-age=3600',
    })
    const part = await fetch(url, { headers: { Range: 'bytes=2-5' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 2-5/${content.length}`])
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(2, 6))).toBe(true)
  })

  test('have the same URL for half an hour when they are public, so that caches know it', async () => {
    clock.advance(30 * MINUTE_MS - (clock.now().getTime() % (30 * MINUTE_MS)))
    const url = await post('public')
    const first = await locationOf(url)
    clock.advance(20 * MINUTE_MS)
    expect(await locationOf(url)).toBe(first)
    clock.advance(11 * MINUTE_MS)
    expect(await locationOf(url)).not.toBe(first)
    expect((await fetch(first)).status).toBe(200)
    clock.advance(30 * MINUTE_MS)
    expect((await fetch(first)).status).toBe(403)
  })

  test('of a private post are given to holders alone, for a quarter of an hour at most', async () => {
    const url = await post('private')
    const bare = await get(url.split('?')[0] ?? '')
    expect([bare.status, bare.headers.get('location')]).toEqual([403, null])
    const answer = await get(url)
    const location = answer.headers.get('location') ?? ''
    expect(answer.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
    expect(secondsOf(location)).toBeLessThanOrEqual(15 * 60)
    const read = await fetch(location)
    expect([read.status, read.headers.get('cache-control')]).toEqual([200, 'private, max-age=3600'])
    const other = await locationOf(await post('private'))
    const swapped = new URL(location)
    swapped.pathname = new URL(other).pathname
    const extended = new URL(location)
    extended.searchParams.set('X-Amz-Expires', '86400')
    for (const forged of [
      swapped.href,
      extended.href,
      location.replace(/\?.*/, ''),
      location.replace('inline', 'attachment'),
    ])
      expect((await fetch(forged)).status, forged).toBe(403)
    clock.advance(15 * MINUTE_MS)
    expect((await fetch(location)).status).toBe(403)
  })

  test('are given no longer than the URL is valid that asks for them', async () => {
    const url = await post('private')
    const until = Number(new URL(url).searchParams.get('until')) * 1000
    clock.advance(until - clock.now().getTime() - MINUTE_MS)
    const location = await locationOf(url)
    expect((await fetch(location)).status).toBe(200)
    clock.advance(MINUTE_MS)
    expect((await fetch(location)).status).toBe(403)
    expect((await get(url)).status).toBe(403)
  })

  test('get no URL once they are taken down, and the one given before ends within the hour', async () => {
    const url = await post('public')
    const location = await locationOf(url)
    const name = new URL(url).pathname.split('/').at(-1) ?? ''
    await server.deps.db.transaction((db) => withholdFile(db, name, { reason: 'so', decisionId: null }))
    const answer = await get(url)
    expect([answer.headers.get('location'), await answer.text()]).toEqual([null, expect.stringContaining('TAKEN_DOWN')])
    clock.advance(60 * MINUTE_MS)
    expect((await fetch(location)).status).toBe(403)
  })

  test('are described by the service itself, without their content', async () => {
    const url = await post('public')
    const head = await get(url, {}, 'HEAD')
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/png'])
    const etag = head.headers.get('etag') ?? ''
    expect((await get(url, { 'If-None-Match': etag })).status).toBe(304)
    expect((await get(`${server.config.webUrl}/media/${'0'.repeat(64)}.png`)).status).toBe(404)
  })

  test('may be shown by our pages, and nothing else from elsewhere', async () => {
    const policy = (await fetch(`${server.url}/`, { headers: { Accept: 'text/html' } })).headers.get(
      'content-security-policy',
    )
    expect(policy).toContain(`img-src 'self' data: ${s3.url};`)
    expect(policy).toContain(`media-src 'self' ${s3.url}`)
  })
})

describe('a CDN in front of the bucket', () => {
  test('gets signed URLs that the bucket accepts from it, and nothing without a signature', async () => {
    const other = await startServer({ env: { ...bucket, FILES_URL: 'https://cdn.example' }, replace: { clock } })
    try {
      const { cat, dan } = await other.seed.agents('cat', 'dan')
      await hold(other, dan, cat, 1)
      ann = cat
      ben = dan
      for (const visibility of ['public', 'private'] as const) {
        const location = new URL(await locationOf(await post(visibility)))
        expect(location.origin).toBe('https://cdn.example')
        expect(location.pathname).toMatch(/^\/bucket\/media\/[0-9a-f]{64}\.png$/)
        expect(await passOn(location.pathname + location.search)).toBe(200)
        expect(await passOn(location.pathname)).toBe(403)
      }
    } finally {
      await other.stop()
    }
  })
})

/** Asks the bucket as the CDN does: by its own name. */
function passOn(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(s3.url + path, async (response) => {
      await buffer(response)
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}
