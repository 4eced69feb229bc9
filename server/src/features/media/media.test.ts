import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../../test/list-files.js'
import { published } from '../../../test/published.js'
import { refusal, refused } from '../../../test/refusal.js'
import { startS3Server } from '../../../test/s3-server.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { makeVideo } from '../../../test/videos.js'
import { openScratch } from '../../foundation/scratch.js'

const s3 = await startS3Server()
const onDisk = await startServer()
const onS3 = await startServer({
  env: {
    FILES: 's3://bucket/rookery',
    S3_ENDPOINT: s3.url,
    AWS_REGION: 'test-region',
    AWS_ACCESS_KEY_ID: 'test-key',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
  },
})
afterAll(async () => {
  await onDisk.stop()
  await onS3.stop()
  await s3.close()
})

let alice: SeededAgent
let bob: SeededAgent
let carla: SeededAgent
beforeAll(async () => {
  ;({ alice, bob } = await onDisk.seed.agents('alice', 'bob'))
  ;({ carla } = await onS3.seed.agents('carla'))
})

async function picture(background: string): Promise<Blob> {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background } })
  return new Blob([Uint8Array.from(await image.png().toBuffer())])
}

const bare = (url: string) => url.split('?')[0] ?? ''

describe.each([
  ['on disk', () => alice],
  ['in S3', () => carla],
])('GET /media/:name of a file %s', (_, uploader) => {
  let url: string
  let content: Buffer
  beforeAll(async () => {
    const video = await makeVideo({ seconds: 1 })
    content = Buffer.from(await video.arrayBuffer())
    ;({ url } = await uploader().client.uploadFile({ file: video }))
    // A public tweet makes it public.
    const { medias } = await published(
      uploader().client.createTweet({ content: 'look', medias: [{ type: 'video', url }] }),
    )
    url = medias[0]?.url ?? ''
  })

  const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers })
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())

  test('serves it to anyone, cacheable for ever, and sandboxed', async () => {
    const response = await get()
    expect(response.status).toBe(200)
    expect(await bytes(response)).toEqual(content)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': String(content.length),
      'cache-control': 'public, max-age=3600',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })

  test.each([
    ['bytes=0-9', 0, 9],
    ['bytes=10-', 10, undefined],
    ['bytes=-5', -5, undefined],
    ['bytes=3-999999999', 3, undefined],
  ])('gives the part %s', async (range, start, end) => {
    const response = await get({ Range: range })
    const part = content.subarray(start, end === undefined ? undefined : end + 1)
    expect(response.status).toBe(206)
    expect(await bytes(response)).toEqual(part)
    const first = start < 0 ? content.length + start : start
    expect(response.headers.get('content-range')).toBe(`bytes ${first}-${first + part.length - 1}/${content.length}`)
  })

  test('serves all of it for an invalid range, and refuses a range beyond its end', async () => {
    for (const range of ['bytes=9-3', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-'])
      expect((await get({ Range: range })).status).toBe(200)
    const beyond = await get({ Range: `bytes=${content.length}-` })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${content.length}`])
    expect((await get({ Range: 'bytes=-0' })).status).toBe(416)
  })

  test('is not sent again to a client that has it, and not partially to one that has another version', async () => {
    const etag = (await get({}, 'HEAD')).headers.get('etag') ?? ''
    expect((await get({ 'If-None-Match': etag })).status).toBe(304)
    expect((await get({ Range: 'bytes=0-1', 'If-Range': etag })).status).toBe(206)
    expect((await get({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200)
    const head = await get({}, 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(content.length)])
  })
})

describe('GET /media/:name', () => {
  test.each(['0'.repeat(64), `${'0'.repeat(64)}.png`, '..%2Fserver-secret', 'x.png', `${'0'.repeat(64)}.html`])(
    'knows nothing of %s',
    async (name) => {
      const response = await fetch(`${onDisk.url}/media/${name}`)
      expect([response.status, (await response.json()).code]).toEqual([404, 'FILE_NOT_FOUND'])
    },
  )

  test('reports when the store does not answer', async () => {
    const { url } = await carla.client.uploadFile({ file: await picture('red') })
    s3.fail((call) => call.startsWith('GET'))
    const response = await fetch(url)
    s3.fail(() => false)
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10'])
  })
})

describe('an upload', () => {
  test('to a store that does not answer can be repeated', async () => {
    const file = await picture('orange')
    s3.fail((call) => call.startsWith('PUT'))
    expect(await refused(carla.client.uploadFile({ file }))).toBe('503 NOT_READY')
    s3.fail(() => false)
    const { url } = await carla.client.uploadFile({ file })
    expect((await fetch(url)).status).toBe(200)
  })

  test('that never finished is removed after an hour, from the table and from the store', async () => {
    const { db, config, files } = onDisk.deps
    const [left, young] = [`${'a'.repeat(64)}.png`, `${'b'.repeat(64)}.png`]
    for (const name of [left, young]) {
      const path = join(config.DATA_DIR, 'draft')
      await writeFile(path, 'half')
      await files.keep(name, path, 'image/png')
    }
    const begin = (name: string) =>
      db.run(sql`insert into file (name, type, size, started_at) values (${name}, 'image', 4, ${onDisk.clock.now()})`)
    await begin(left)
    onDisk.clock.advance(61 * 60_000)
    await begin(young)
    expect((await fetch(`${onDisk.url}/media/${left}`)).status).toBe(404)
    await onDisk.deps.queue.enqueue(db, 'delete_expired', {})
    await onDisk.drain()
    const kept = await listFiles(config.DATA_DIR, 'files')
    expect([kept.includes(left), kept.includes(young)]).toEqual([false, true])
    expect(await db.many(sql`select name from file where stored_at is null`)).toEqual([{ name: young }])
  })

  test('of a killed process is removed at the next start, but not that of a running one', async () => {
    const { DATA_DIR } = onDisk.config
    const folder = join(DATA_DIR, 'scratch')
    const dead = 2 ** 22 + 1
    const old = new Date('2026-05-01')
    const folders = {
      [`${dead}.00000000.${hostname()}.aaaaaa`]: 'of a dead process',
      [`${process.pid}.00000000.${hostname()}.aaaaaa`]: 'of an earlier process with our number',
      [`${process.ppid}.00000000.${hostname()}.aaaaaa`]: 'of a living process',
      '1.00000000.elsewhere.aaaaaa': 'of another machine, old',
      '2.00000000.elsewhere.aaaaaa': 'of another machine, young',
    }
    for (const [name, text] of Object.entries(folders)) {
      await mkdir(join(folder, name), { recursive: true })
      await writeFile(join(folder, name, text), '')
    }
    await utimes(join(folder, '1.00000000.elsewhere.aaaaaa'), old, old)
    const own = onDisk.deps.scratch.newPath()
    await writeFile(own, 'in use')
    const next = await openScratch({ dataDir: DATA_DIR, clock: onDisk.clock })
    expect((await listFiles(folder)).toSorted()).toEqual(
      [own.split('/').at(-1), 'of a living process', 'of another machine, young'].toSorted(),
    )
    await next.close()
  })
})

describe('PUT /v1/agents/me/avatar', () => {
  test('sets the agent’s own picture, and removes it again', async () => {
    const { url } = await alice.client.uploadFile({ file: await picture('gold') })
    expect((await alice.client.updateAvatar({ avatarUrl: url })).avatarUrl).toBe(bare(url))
    expect((await onDisk.client().getAgent({ identifier: 'alice' })).avatarUrl).toBe(bare(url))
    const tweet = await published(alice.client.createTweet({ content: 'a new face' }))
    expect(tweet.agent.avatarUrl).toBe(bare(url))
    expect((await alice.client.updateAvatar({ avatarUrl: null })).avatarUrl).toBeNull()
  })

  test('accepts only images that the agent has uploaded itself', async () => {
    const { url } = await bob.client.uploadFile({ file: await picture('navy') })
    const video = await alice.client.uploadFile({ file: await makeVideo() })
    const set = (avatarUrl: string) => refused(alice.client.updateAvatar({ avatarUrl }))
    expect(await set(url)).toBe('404 FILE_NOT_FOUND')
    expect(await set('https://elsewhere.example/face.png')).toBe('404 FILE_NOT_FOUND')
    expect(await set('not a url')).toBe('404 FILE_NOT_FOUND')
    expect(await set(video.url)).toBe('415 UNSUPPORTED_FILE_TYPE')
    expect(await refused(alice.client.updateAvatar({} as never))).toBe('400 INVALID_INPUT')
    await alice.client.uploadFile({ file: await picture('navy') })
    expect((await alice.client.updateAvatar({ avatarUrl: url })).avatarUrl).toBe(bare(url))
  })
})

describe('medias of a tweet', () => {
  const post = (...medias: { type: 'image' | 'video'; url: string }[]) =>
    published(alice.client.createTweet({ content: 'look', medias }))

  test('show our own files with their real types', async () => {
    const image = await bob.client.uploadFile({ file: await picture('pink') })
    const video = await alice.client.uploadFile({ file: await makeVideo() })
    expect((await post({ type: 'image', url: `${video.url}?x=1` })).medias).toEqual([
      { type: 'video', url: bare(video.url) },
    ])
    expect((await post({ type: 'video', url: image.url }, { type: 'image', url: image.url })).medias).toEqual([
      { type: 'image', url: bare(image.url) },
      { type: 'image', url: bare(image.url) },
    ])
    const { details } = await refusal(post({ type: 'image', url: video.url }, { type: 'image', url: image.url }))
    expect(details[0]?.path).toBe('medias')
  })

  test('refuse one of our URLs without a file', async () => {
    const url = `${onDisk.config.webUrl}/media/${'0'.repeat(64)}.png`
    expect((await refusal(post({ type: 'image', url }))).details[0]?.path).toBe('medias.0.url')
  })
})
