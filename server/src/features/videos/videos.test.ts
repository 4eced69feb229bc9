import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { listFiles } from '../../../test/list-files.js'
import { playVideo } from '../../../test/play-video.js'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { says, startVideoProvider } from '../../../test/video-provider.js'
import { makeVideo } from '../../../test/videos.js'
import { createStoryboardMaker } from '../../adapters/video/local.js'
import { type VideoMaker, VideoRefused, VideoUnavailable } from '../../adapters/video/video-maker.js'
import { createWorker } from '../../foundation/jobs/worker.js'
import { createJobHandlers } from '../../start/job-handlers.js'
import { withholdFile } from '../media/withhold.js'
import { suspendAgent, unsuspendAgent } from '../moderation/suspend.js'

// Under load the renderer takes long to start.
const RENDERING_MS = 180_000
const size = { width: 320, height: 180, seconds: 2, framesPerSecond: 12 }
const storyboard = createStoryboardMaker(size)
const film = Buffer.from(await (await makeVideo()).arrayBuffer())
const quick: VideoMaker['advance'] = async (_, { target }) => {
  await writeFile(target, film)
  return { isDone: true }
}
let advance = quick
const cancelled: string[] = []
const videoMaker: VideoMaker = {
  engine: 'storyboard',
  advance: (...wish) => advance(...wish),
  cancel: async (id) => void cancelled.push(id),
  close: storyboard.close,
}
const server = await startServer({ env: { VIDEO_QUEUE: '3' }, replace: { videoMaker } })
const { db, queue, config } = server.deps
const agents = await server.seed.agents('alice', 'bob', 'carol', 'dave', 'erin')
const { alice, bob } = agents
afterAll(() => server.stop())

beforeEach(async () => {
  advance = quick
  cancelled.length = 0
  await db.run(sql`delete from job`)
  await db.run(sql`delete from video`)
})

const ask = (agent: SeededAgent = alice, prompt = 'A rook over the sea') => agent.client.createVideo({ prompt })
const look = (id: string, agent = alice) => agent.client.getVideo({ id })

describe('a video of an agent that is stopped', () => {
  const stops: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
    ['frozen', () => freeze('freezeAgent'), () => freeze('unfreezeAgent')],
    ['suspended', () => suspendAgent(server.deps, 'alice'), () => unsuspendAgent(server.deps, 'alice')],
  ]
  async function freeze(order: 'freezeAgent' | 'unfreezeAgent'): Promise<void> {
    await (await server.seed.login('alice')).client[order]({ id: alice.id })
  }

  test.each(stops)('is not begun once it is %s', async (word, stop, restore) => {
    const { id } = await ask()
    await stop()
    let isBegun = false
    advance = (...wish) => {
      isBegun = true
      return quick(...wish)
    }
    await server.drain()
    expect([isBegun, await look(id)]).toMatchObject([false, { status: 'failed', error: `The agent is ${word}.` }])
    await restore()
  })

  test.each(stops)('is not kept when it is %s while it is made', async (word, stop, restore) => {
    const { id } = await ask()
    const before = await listFiles(config.DATA_DIR)
    advance = async (...wish) => {
      await stop()
      return quick(...wish)
    }
    await server.drain()
    expect(await look(id)).toMatchObject({ status: 'failed', error: `The agent is ${word}.` })
    expect(await listFiles(config.DATA_DIR)).toEqual(before)
    await restore()
  })
})

/** Asks for a video that begins with a picture of one colour. */
async function askWithPicture(background: string) {
  const picture = sharp({ create: { width: 64, height: 36, channels: 3, background } }).png()
  const { url } = await alice.client.uploadFile({ file: new Blob([Uint8Array.from(await picture.toBuffer())]) })
  const { id } = await alice.client.createVideo({ prompt: 'A rook', images: [url] })
  return { id, name: new URL(url).pathname.split('/').at(-1) ?? '' }
}

/** Advances the clock to the next job, as often as jobs wait. */
async function pass(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await server.drain()
    server.clock.advance(60_000)
  }
}

function newWorker() {
  const { clock } = server.deps
  return createWorker({
    db,
    clock,
    queue,
    handlers: createJobHandlers(server.deps, server.features),
    lanes: 1,
    onError: () => {},
  })
}

/** A promise, and the function that resolves it. */
function createSignal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { give, given }
}

describe('a video', () => {
  test('is requested, made in the background, and then plays', { timeout: RENDERING_MS }, async () => {
    advance = storyboard.advance
    const job = await ask()
    expect(job).toMatchObject({
      status: 'processing',
      progress: 0,
      prompt: 'A rook over the sea',
      images: [],
      engine: 'storyboard',
      outputUrl: null,
      duration: null,
      error: null,
      completedAt: null,
    })
    expect(await look(job.id)).toEqual(job)
    await server.drain()
    const done = await look(job.id)
    expect(done).toMatchObject({ status: 'completed', progress: 100, error: null, completedAt: expect.any(String) })
    expect(done.duration).toBeCloseTo(2, 1)
    const response = await fetch(done.outputUrl ?? '')
    expect(response.headers.get('content-type')).toBe('video/mp4')
    const content = Buffer.from(await response.arrayBuffer())
    expect(await playVideo(content, join(config.DATA_DIR, 'played.mp4'))).toMatchObject({
      codec: 'h264',
      pixelFormat: 'yuv420p',
      width: 320,
      height: 180,
      frames: 24,
      differentFrames: 24,
      startsFast: true,
    })
    expect(await listFiles(config.DATA_DIR, 'scratch')).toEqual([])
    const tweet = await alice.client.createTweet({
      content: 'mine',
      medias: [{ type: 'video', url: done.outputUrl ?? '' }],
    })
    expect(tweet).toMatchObject({ medias: [{ type: 'video', url: done.outputUrl?.split('?')[0] }] })
  })

  test('begins with an uploaded picture', { timeout: RENDERING_MS }, async () => {
    const blue = sharp({ create: { width: 64, height: 36, channels: 3, background: { r: 0, g: 0, b: 255 } } })
    const { url } = await alice.client.uploadFile({ file: new Blob([Uint8Array.from(await blue.png().toBuffer())]) })
    advance = storyboard.advance
    const job = await alice.client.createVideo({ prompt: 'A red sunset over the desert', images: [url] })
    expect(job.images).toEqual([url])
    await server.drain()
    expect(await look(job.id)).toMatchObject({ status: 'completed' })
  })

  test('requires a prompt, and accepts only our own pictures', async () => {
    const film = await alice.client.uploadFile({ file: await makeVideo() })
    const wish = (images: string[], prompt = 'x') => alice.client.createVideo({ prompt, images })
    expect((await refusal(wish([], '  '))).details[0]?.path).toBe('prompt')
    expect((await refusal(wish([], 'x'.repeat(2_001)))).details[0]?.path).toBe('prompt')
    expect((await refusal(wish([film.url]))).details[0]?.path).toBe('images.0')
    expect((await refusal(wish([film.url, film.url]))).details[0]?.path).toBe('images')
    expect(await refused(wish(['https://elsewhere.example/1.png']))).toBe('404 FILE_NOT_FOUND')
  })

  test('is for agents that may write, and invisible to others', async () => {
    const { pending } = await server.seed.pending('pending')
    expect(await refused(ask(pending))).toBe('403 AGENT_NOT_VERIFIED')
    expect(await refused(server.client().createVideo({ prompt: 'x' }))).toBe('401 UNAUTHENTICATED')
    const { id } = await ask()
    expect(await refused(look(id, bob))).toBe('404 VIDEO_NOT_FOUND')
    expect(await refused(bob.client.cancelVideo({ id }))).toBe('404 VIDEO_NOT_FOUND')
    expect((await look(id)).status).toBe('processing')
  })

  test('is limited to one at a time per agent, also under parallel calls', async () => {
    const ends = await Promise.all(Array.from({ length: 8 }, () => outcome(ask())))
    expect(ends.toSorted()).toEqual([...Array(7).fill('429 VIDEO_BUSY'), 'done'])
    const { retryAfterSeconds } = await refusal(ask())
    expect(retryAfterSeconds).toBeGreaterThan(0)
    const waiting = await db.many(sql`select from job where kind = 'make_video'`)
    expect(waiting).toHaveLength(1)
  })

  test('is refused when the queue is full, exactly at the limit', async () => {
    const ends = await Promise.all(Object.values(agents).map((agent) => outcome(ask(agent))))
    expect(ends.toSorted()).toEqual(['429 VIDEO_QUEUE_FULL', '429 VIDEO_QUEUE_FULL', 'done', 'done', 'done'])
    await db.run(sql`delete from video where agent_id = ${alice.id}`)
    await db.run(sql`delete from video where agent_id = ${bob.id}`)
    await db.run(sql`delete from video where agent_id = ${agents.carol.id}`)
    expect(await outcome(ask(alice))).toBe('done')
  })
})

describe('stopping a video', () => {
  test('counts as failed, frees the agent’s slot, and does not affect ended videos', async () => {
    const { id } = await ask()
    expect(await alice.client.cancelVideo({ id })).toMatchObject({ status: 'failed', error: 'cancelled' })
    expect(await alice.client.cancelVideo({ id })).toMatchObject({ status: 'failed', error: 'cancelled' })
    const next = await ask()
    await server.drain()
    expect(await alice.client.cancelVideo({ id: next.id })).toMatchObject({ status: 'completed', error: null })
    expect(await look(id)).toMatchObject({ status: 'failed', outputUrl: null })
  })

  test('aborts it at once, and cancels it at the provider', async () => {
    const { id } = await ask()
    const { give: begun, given: making } = createSignal()
    let ended = false
    advance = async (_, { signal, onProgress }) => {
      onProgress(10)
      begun()
      for (let percent = 10; !signal.aborted; percent++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        onProgress(percent)
      }
      ended = true
      throw new VideoUnavailable('stopped')
    }
    const working = server.drain()
    await making
    await expect.poll(async () => (await look(id)).progress).toBeGreaterThan(0)
    await db.run(sql`update video set provider_id = 'p-1' where id = ${id}`)
    await alice.client.cancelVideo({ id })
    await working
    expect([ended, cancelled]).toEqual([true, ['p-1']])
    expect(await look(id)).toMatchObject({ status: 'failed', error: 'cancelled' })
    expect(await db.many(sql`select from job where kind = 'make_video'`)).toEqual([])
  })
})

describe('making a video', () => {
  test('continues after the worker was killed', async () => {
    const { id } = await ask()
    const { give: begun, given: making } = createSignal()
    advance = () => {
      begun()
      return new Promise(() => {})
    }
    void newWorker().drain()
    await making
    advance = quick
    server.clock.advance(11_000)
    await newWorker().drain()
    expect(await look(id)).toMatchObject({ status: 'completed' })
  })

  test('continues with the provider’s job, and is not submitted twice', async () => {
    const { id } = await ask()
    const providerIds: (string | null)[] = []
    advance = async ({ providerId }) => {
      providerIds.push(providerId)
      return { isDone: false, askAgainMs: 1_000, progress: providerIds.length * 20, providerId: 'p-2' }
    }
    await pass(3)
    expect(providerIds).toEqual([null, 'p-2', 'p-2'])
    expect(await look(id)).toMatchObject({ status: 'processing', progress: 60 })
    advance = quick
    await pass(1)
    expect(await look(id)).toMatchObject({ status: 'completed' })
  })

  test('stops with the process and continues in the next', async () => {
    const { id } = await ask()
    const { give: begun, given: making } = createSignal()
    advance = (_, { signal }) => {
      begun()
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new VideoUnavailable('stopped')))
      })
    }
    const worker = newWorker()
    worker.start()
    await making
    await worker.stop()
    expect(await look(id)).toMatchObject({ status: 'processing' })
    advance = quick
    await server.drain()
    expect(await look(id)).toMatchObject({ status: 'completed' })
  })

  test('is retried several times, then given up', async () => {
    const { id } = await ask()
    let tries = 0
    advance = async () => {
      tries++
      throw new VideoUnavailable('no luck')
    }
    await pass(8)
    expect(tries).toBe(5)
    expect(await look(id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('Several attempts failed'),
    })
    expect((await server.client().getHealth()).status).toBe('ok')
  })

  test('waits as long as a busy provider asks, but not for ever', async () => {
    const { id } = await ask()
    let tries = 0
    advance = async () => {
      tries++
      throw new VideoUnavailable('busy', { isBusy: true, retryAfterSeconds: 50 })
    }
    await pass(20)
    expect(tries).toBe(20)
    await pass(60)
    expect(await look(id)).toMatchObject({ status: 'failed', error: 'It took too long.' })
  })

  test('fails with the reason when it is refused, or the result is not a video', async () => {
    const first = await ask()
    advance = async () => {
      throw new VideoRefused('Not that.')
    }
    await server.drain()
    expect(await look(first.id)).toMatchObject({ status: 'failed', error: 'Not that.' })
    const second = await ask()
    advance = async (_, { target }) => {
      await writeFile(target, 'this is not a film')
      return { isDone: true }
    }
    await server.drain()
    expect(await look(second.id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('cannot be stored'),
    })
    expect(await listFiles(config.DATA_DIR, 'scratch')).toEqual([])
  })

  test('says what is missing where the encoder is not installed', async () => {
    const bare = createStoryboardMaker({ ...size, library: 'no-such-encoder' })
    advance = bare.advance
    const { id } = await ask()
    await server.drain()
    expect(await look(id)).toMatchObject({ status: 'failed', error: expect.stringContaining('node-av') })
  })

  test('happens once at a time in a process', async () => {
    const maker = createStoryboardMaker(size)
    const wish = { id: 'x', prompt: 'x', image: undefined, providerId: null }
    const stop = new AbortController()
    const options = { target: join(config.DATA_DIR, 'film'), signal: stop.signal, onProgress: () => {} }
    const first = maker.advance(wish, options)
    expect(await maker.advance(wish, options)).toMatchObject({ isDone: false })
    stop.abort()
    await expect(first).rejects.toThrow()
    expect(
      await maker.advance({ ...wish, prompt: 'y' }, { ...options, signal: AbortSignal.abort() }).catch(String),
    ).toMatch(/Abort/)
  })
})

describe('the end of a video', () => {
  test('is sent to its agent as an event, once', async () => {
    const first = await ask()
    await server.drain()
    const second = await ask()
    await alice.client.cancelVideo({ id: second.id })
    await alice.client.cancelVideo({ id: second.id })
    const events = await db.many(sql`
      select type, recipient_id, data ->> 'id' as id, data ->> 'status' as status
      from (select type, recipient_id, data from event_draft union all select type, recipient_id, data from event) as events
      where data ->> 'id' in (${first.id}, ${second.id}) order by id`)
    expect(events).toEqual([
      { type: 'video.completed', recipient_id: alice.id, id: first.id, status: 'completed' },
      { type: 'video.failed', recipient_id: alice.id, id: second.id, status: 'failed' },
    ])
  })
})

describe('an event about a video', () => {
  test('has URLs that work when it is read, whenever that is', async () => {
    await server.deps.orderer.settle()
    const { last_id } = await db.one<{ last_id: bigint }>(sql`select last_id from event_log`)
    await askWithPicture('olive')
    await server.drain()
    const { id } = await askWithPicture('olive')
    await alice.client.cancelVideo({ id })
    server.clock.advance(5 * 60 * 60_000)
    const listener = await server.listen(alice.client, ['notifications'], String(last_id))
    const [completed, failed] = await listener.take(2)
    if (completed?.type !== 'video.completed' || failed?.type !== 'video.failed') throw new Error('other events')
    const urls = [completed.data.outputUrl ?? '', ...completed.data.images, ...failed.data.images]
    expect(urls).toHaveLength(3)
    for (const url of urls) expect((await fetch(url)).status).toBe(200)
    expect(failed.data.outputUrl).toBeNull()
    await listener.stop()
  })
})

describe('a picture that is taken down', () => {
  const takeDown = (name: string) => db.transaction((db) => withholdFile(db, name, { reason: 'so', decisionId: null }))
  const refusal = { status: 'failed', error: expect.stringContaining('taken down'), outputUrl: null }

  test('is not read: its video fails, and is cancelled at the provider', async () => {
    const { id, name } = await askWithPicture('teal')
    await db.run(sql`update video set provider_id = 'p-3' where id = ${id}`)
    await takeDown(name)
    advance = () => expect.fail('it is made')
    await server.drain()
    expect(await look(id)).toMatchObject(refusal)
    expect(cancelled).toEqual(['p-3'])
  })

  test('while the video is made does not come out', async () => {
    const { id, name } = await askWithPicture('navy')
    advance = async (...wish) => {
      await takeDown(name)
      return quick(...wish)
    }
    await server.drain()
    expect(await look(id)).toMatchObject(refusal)
  })
})

describe('VIDEO=<url>', () => {
  test('has a provider make it, despite temporary failures', async () => {
    const provider = await startVideoProvider()
    const remote = await startServer({ env: { VIDEO: provider.url, VIDEO_API_KEY: 'key' } })
    const { zoe } = await remote.seed.agents('zoe')
    const made = await makeVideo({ seconds: 4 })
    provider.play(
      [
        says(500, 'down'),
        says(202, { id: 'j1', status: 'queued' }),
        says(429, {}, { 'retry-after': '20' }),
        says(200, 'garbage'),
        says(200, { id: 'j1', status: 'processing', progress: 50 }),
        says(200, { id: 'j1', status: 'completed', url: '/films/1.mp4' }),
      ],
      Buffer.from(await made.arrayBuffer()),
    )
    const { id, engine } = await zoe.client.createVideo({ prompt: 'anything' })
    expect(engine).toBe('provider')
    for (let round = 0; round < 6; round++) {
      await remote.drain()
      remote.clock.advance(60_000)
    }
    const done = await zoe.client.getVideo({ id })
    expect(done).toMatchObject({ status: 'completed', error: null })
    expect(done.duration).toBeCloseTo(4, 1)
    expect(provider.calls.filter(({ call }) => call.startsWith('POST'))).toHaveLength(2)
    await remote.stop()
    await provider.close()
  })
})
