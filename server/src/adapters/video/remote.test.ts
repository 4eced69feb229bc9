import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { says, startVideoProvider } from '../../../test/video-provider.js'
import { createRemoteMaker } from './remote.js'
import { VideoRefused, VideoUnavailable, type WantedVideo } from './video-maker.js'

const provider = await startVideoProvider()
const folder = await mkdtemp(join(tmpdir(), 'rookery-remote-'))
const target = join(folder, 'film')
const maker = createRemoteMaker({
  url: `${provider.url}/`,
  apiKey: 'provider-key',
  now: () => Date.parse('2026-06-01T12:00:00Z'),
  timeoutMs: 200,
  maxBytes: 1_000,
})
afterAll(async () => {
  await maker.close()
  await provider.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => rm(target, { force: true }))

const image = { url: 'https://rookery.example/media/x.png', copyTo: async () => {} }
const wanted: WantedVideo = { id: 'video-1', prompt: 'a rook', image, providerId: null }
const options = { target, signal: new AbortController().signal, onProgress: () => {} }
const begin = () => maker.advance(wanted, options)
const check = () => maker.advance({ ...wanted, providerId: 'job/7' }, options)
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error) => error,
  )

describe('a video provider', () => {
  test('gets the request once, with the key and an idempotency id', async () => {
    provider.play([says(202, { id: 'job/7', status: 'queued' })])
    expect(await begin()).toEqual({ isDone: false, askAgainMs: 3_000, providerId: 'job/7', progress: 0 })
    expect(provider.calls).toHaveLength(1)
    expect(provider.calls[0]).toMatchObject({
      call: 'POST /jobs',
      headers: { authorization: 'Bearer provider-key', 'idempotency-key': 'video-1' },
      body: { prompt: 'a rook', images: [image.url] },
    })
  })

  test('is polled for its progress', async () => {
    provider.play([says(200, { id: 'job/7', status: 'processing', progress: 41.6 })])
    expect(await check()).toMatchObject({ isDone: false, progress: 42 })
    expect(provider.calls[0]?.call).toBe('GET /jobs/job%2F7')
  })

  test('delivers its video, from its own address or over https', async () => {
    const film = Buffer.from('the film')
    for (const url of [`${provider.origin}/films/1.mp4`, '/films/1.mp4']) {
      provider.play([says(200, { id: 'job/7', status: 'completed', url })], film)
      expect(await check()).toEqual({ isDone: true })
      expect(await readFile(target)).toEqual(film)
      expect(provider.calls.at(-1)?.headers.authorization).toBeUndefined()
    }
  })

  test.each(['http://10.0.0.1/x.mp4', 'file:///etc/passwd', 'http://[', '//127.0.0.1:1/x.mp4'])(
    'is not followed to %s',
    async (url) => {
      provider.play([says(200, { id: 'job/7', status: 'completed', url })])
      expect(await failure(check())).toBeInstanceOf(VideoRefused)
    },
  )

  test('whose video is too large or redirected is refused', async () => {
    const completed = (name: string) => [says(200, { id: 'job/7', status: 'completed', url: `/films/${name}.mp4` })]
    provider.play(completed('1'), Buffer.alloc(1_001))
    expect(await failure(check())).toBeInstanceOf(VideoRefused)
    provider.play(completed('moved'))
    expect(await failure(check())).toBeInstanceOf(VideoUnavailable)
    provider.play([...completed('missing'), says(404, {})])
    expect(await failure(check())).toBeInstanceOf(VideoUnavailable)
  })

  test.each([
    ['that says when to come back', says(429, {}, { 'retry-after': '17' }), { isBusy: true, retryAfterSeconds: 17 }],
    [
      'that names the time to come back',
      says(503, 'busy', { 'retry-after': 'Mon, 01 Jun 2026 12:00:30 GMT' }),
      { isBusy: true, retryAfterSeconds: 30 },
    ],
    ['that asks to wait forever', says(429, {}, { 'retry-after': '999999' }), { retryAfterSeconds: 600 }],
    ['with a fault', says(500, '<h1>Oops</h1>'), { isBusy: false }],
    ['that speaks no JSON', says(200, '{"id": "job/7", "sta'), { isBusy: false }],
    ['that says nothing', says(200, ''), { isBusy: false }],
    ['that says null', says(200, 'null'), { isBusy: false }],
    ['that says something else', says(200, { id: 7, status: 'done' }), { isBusy: false }],
    ['with a status of its own', says(200, { id: 'job/7', status: 'thinking' }), { isBusy: false }],
    ['that is done without a film', says(200, { id: 'job/7', status: 'completed' }), { isBusy: false }],
    ['that says far too much', says(200, { id: 'job/7', status: 'x'.repeat(300_000) }), { isBusy: false }],
    ['that redirects', says(302, '', { location: 'http://10.0.0.1/' }), { isBusy: false }],
    ['that hangs up', (response: { destroy(): void }) => response.destroy(), { isBusy: false }],
    ['that never answers', () => {}, { isBusy: false }],
  ])('%s is called again later', async (_, answer, expected) => {
    provider.play([answer])
    const error = await failure(check())
    expect(error).toBeInstanceOf(VideoUnavailable)
    expect(error).toMatchObject(expected)
  })

  test.each([
    [
      says(200, { id: 'job/7', status: 'failed', error: 'No\u0000such\u001b[31mthings' }),
      /refused it: No such \[31mthings$/,
    ],
    [says(400, { error: 'The prompt is too odd' }), /refused it: The prompt is too odd$/],
    [says(422, 'nonsense'), /^The video provider refused it\.$/],
    [says(401, {}), /does not accept this server’s key/],
    [says(404, {}), /knows nothing of this job/],
  ])('that refuses is not called again', async (answer, message) => {
    provider.play([answer])
    const error = await failure(check())
    expect(error).toBeInstanceOf(VideoRefused)
    expect(error?.message).toMatch(message)
  })

  test('is notified when a video is cancelled', async () => {
    provider.play([says(204, '')])
    await maker.cancel('job/7')
    expect(provider.calls[0]?.call).toBe('DELETE /jobs/job%2F7')
  })
})
