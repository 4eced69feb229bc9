import { request } from 'node:http'
import { createClient } from '@rookery/sdk'
import sharp, { type Sharp } from 'sharp'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../../test/list-files.js'
import { refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { makeVideo } from '../../../test/videos.js'

const server = await startServer()
const { db, config } = server.deps
afterAll(() => server.stop())

let alice: SeededAgent
let bob: SeededAgent
beforeAll(async () => {
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
})

const MB = 1024 * 1024

function drawing(width = 40, height = 20, background = 'teal'): Sharp {
  return sharp({ create: { width, height, channels: 3, background } })
}

async function blobOf(image: Sharp): Promise<Blob> {
  return new Blob([Uint8Array.from(await image.toBuffer())])
}

const upload = (file: Blob, agent = alice) => agent.client.uploadFile({ file })
const bytesAt = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())

/** Calls the upload as a client without the SDK would. */
function post(body: RequestInit['body'], headers: Record<string, string> = { 'X-API-Key': alice.apiKey }) {
  return fetch(`${server.url}/v1/upload/file`, { method: 'POST', headers, ...(body !== undefined && { body }) })
}

async function answerTo(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { code: string }).code}`
}

describe('POST /v1/upload/file', () => {
  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('stores a %s and its thumbnail', async (format) => {
    const file = await upload(await blobOf(drawing(1200, 600).toFormat(format)))
    expect(file).toMatchObject({ type: 'image', width: 1200, height: 600 })
    const extension = format === 'jpeg' ? 'jpg' : format
    expect(file.url).toMatch(new RegExp(`^${config.webUrl}/media/[0-9a-f]{64}\\.${extension}\\?`))
    const stored = await bytesAt(file.url)
    expect(stored.length).toBe(file.size)
    expect((await sharp(stored).metadata()).format).toBe(format)
    expect(await sharp(await bytesAt(file.thumbnailUrl ?? '')).metadata()).toMatchObject({
      format: 'webp',
      width: 480,
      height: 240,
    })
  })

  test.each(['mp4', 'webm', 'mov'] as const)('stores a %s unchanged, with its duration and size', async (format) => {
    const video = await makeVideo({ format, seconds: 3, width: 320, height: 180 })
    const file = await upload(video)
    expect(file).toMatchObject({ type: 'video', size: video.size, width: 320, height: 180 })
    expect(file.duration).toBeCloseTo(3, 1)
    expect(await bytesAt(file.url)).toEqual(Buffer.from(await video.arrayBuffer()))
  })

  test('removes the camera’s metadata from a picture, and rotates it as the camera was held', async () => {
    const exif = { IFD0: { Make: 'SecretCam' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } }
    const photo = drawing(40, 20).withExif(exif).withMetadata({ orientation: 6 }).jpeg()
    const original = await photo.toBuffer()
    expect(original.includes('SecretCam')).toBe(true)
    const file = await upload(new Blob([Uint8Array.from(original)]))
    expect(file).toMatchObject({ width: 20, height: 40 })
    const stored = await bytesAt(file.url)
    const { exif: kept, icc, xmp, orientation } = await sharp(stored).metadata()
    expect([kept, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(stored.includes('SecretCam')).toBe(false)
  })

  test.each(['gif', 'webp'] as const)('keeps an animated %s animated', async (format) => {
    const frames = await Promise.all(['red', 'green', 'blue'].map((color) => drawing(16, 16, color).png().toBuffer()))
    const moving = sharp(frames, { join: { animated: true } }).toFormat(format, { delay: [100, 200, 300], loop: 2 })
    const file = await upload(await blobOf(moving))
    expect(file).toMatchObject({ width: 16, height: 16 })
    expect(await sharp(await bytesAt(file.url), { animated: true }).metadata()).toMatchObject({
      format,
      pages: 3,
      loop: 2,
      delay: [100, 200, 300],
    })
  })

  test('goes by the content of a file, whatever its name', async () => {
    const page = '<!doctype html><script>alert(1)</script>'
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const heads = ['BM', 'PK\x03\x04', '%PDF-1.7\n', 'ID3\x03\0\0\0\0\0\0', '']
    for (const text of [page, svg, ...heads])
      expect(await refused(upload(new File([text], 'cat.png', { type: 'image/png' })))).toBe(
        '415 UNSUPPORTED_FILE_TYPE',
      )
    const png = await blobOf(drawing().png())
    expect((await upload(new File([png], 'page.html', { type: 'text/html' }))).url).toMatch(/\.png\?/)
  })

  test('removes data that is appended to a picture', async () => {
    const png = await drawing().png().toBuffer()
    const file = await upload(new Blob([Uint8Array.from(png), '<script>alert(1)</script>']))
    expect((await bytesAt(file.url)).includes('script')).toBe(false)
  })

  test('refuses files that only begin like a picture or a video', async () => {
    const png = await drawing(200, 200).png().toBuffer()
    expect(await refused(upload(new Blob([Uint8Array.from(png.subarray(0, 60))])))).toBe('415 UNSUPPORTED_FILE_TYPE')
    const mp4 = await (await makeVideo()).arrayBuffer()
    expect(await refused(upload(new Blob([mp4.slice(0, 40)])))).toBe('415 UNSUPPORTED_FILE_TYPE')
    const broken = new Blob([mp4.slice(0, 32), new Uint8Array(5_000).fill(0xff)])
    expect(await refused(upload(broken))).toBe('415 UNSUPPORTED_FILE_TYPE')
  })

  test('refuses a decompression bomb', async () => {
    const bomb = await blobOf(drawing(9_000, 6_000).png())
    expect(bomb.size).toBeLessThan(MB)
    expect(await refused(upload(bomb))).toBe('413 FILE_TOO_LARGE')
  })

  test('refuses a video of more than ten minutes', async () => {
    expect(await refused(upload(await makeVideo({ seconds: 601 })))).toBe('413 FILE_TOO_LARGE')
    expect((await upload(await makeVideo({ seconds: 600 }))).duration).toBeCloseTo(600, 0)
  })

  test('refuses a picture of more than 10 MB, and one of unknown type, while it is still arriving', async () => {
    const png = await drawing().png().toBuffer()
    expect(await refused(upload(new Blob([Uint8Array.from(png), new Uint8Array(10 * MB)])))).toBe('413 FILE_TOO_LARGE')
    expect(await answerWhileSending(png)).toBe('413 FILE_TOO_LARGE')
    expect(await answerWhileSending(Buffer.from('plain words'))).toBe('415 UNSUPPORTED_FILE_TYPE')
  })

  test('refuses a form whose declared length is too large before reading any of it', async () => {
    const headers = { 'Content-Length': String(600 * MB) }
    expect(await answerWhileSending(Buffer.alloc(0), headers, 1)).toBe('413 FILE_TOO_LARGE')
  })

  test('requires a form with a file in the right field', async () => {
    const form = (...parts: [string, string | Blob][]) => {
      const made = new FormData()
      for (const [name, value] of parts) {
        if (typeof value === 'string') made.append(name, value)
        else made.append(name, value)
      }
      return made
    }
    const png = await blobOf(drawing().png())
    const problem = await (await post(form(['type', 'image']))).json()
    expect(problem).toMatchObject({ code: 'INVALID_INPUT', details: [{ path: 'file', message: 'is required' }] })
    const unknown = await (await post(form(['note', 'no file here'], ['file', png]))).json()
    expect(unknown.message).toBe('You sent `note`, which is not known here; known is `file`.')
    expect(await answerTo(await post(form(['file', 'a text'])))).toBe('400 INVALID_INPUT')
    expect(await answerTo(await post(form(['picture', png])))).toBe('400 INVALID_INPUT')
    expect(await answerTo(await post(form(['file', png], ['file', png])))).toBe('413 PAYLOAD_TOO_LARGE')
    // Deployed clients say the kind, which the content decides.
    expect((await post(form(['type', 'video'], ['file', png]))).status).toBe(201)
    const json = { 'X-API-Key': alice.apiKey, 'Content-Type': 'application/json' }
    expect(await answerTo(await post('{}', json))).toBe('415 UNSUPPORTED_MEDIA_TYPE')
    expect(await answerTo(await post(undefined))).toBe('415 UNSUPPORTED_MEDIA_TYPE')
    const broken = { 'X-API-Key': alice.apiKey, 'Content-Type': 'multipart/form-data; boundary=x' }
    expect(await answerTo(await post('--x\r\nnonsense', broken))).toBe('400 INVALID_INPUT')
    expect(await answerTo(await post('--x', { ...broken, 'Content-Type': 'multipart/form-data' }))).toBe(
      '400 INVALID_INPUT',
    )
  })

  // The parser throws from a stream of its own when such a form ends inside a part beyond its limits.
  test.each([
    ['fields', 'Content-Disposition: form-data; name="note"', '413 PAYLOAD_TOO_LARGE'],
    ['files', 'Content-Disposition: form-data; name="file"; filename="a.png"', '415 UNSUPPORTED_FILE_TYPE'],
    ['parts without a name', 'Content-Type: text/plain', '400 INVALID_INPUT'],
  ])('survives a form of too many %s that ends too early', async (_, header, answer) => {
    const part = `--x\r\n${header}\r\n\r\ntext`
    const headers = { 'X-API-Key': alice.apiKey, 'Content-Type': 'multipart/form-data; boundary=x' }
    const note = '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\ntext\r\n'
    const form = note + Array.from({ length: 40 }, () => part).join('\r\n')
    // The end of the form may be noticed before the parts.
    expect([answer, '400 INVALID_INPUT']).toContain(await answerTo(await post(form, headers)))
  })

  test('is for verified agents, and refuses others before reading a file', async () => {
    const { carol } = await server.seed.pending('carol')
    const png = await blobOf(drawing().png())
    expect(await refused(server.client().uploadFile({ file: png }))).toBe('401 UNAUTHENTICATED')
    expect(await refused(upload(png, carol))).toBe('403 AGENT_NOT_VERIFIED')
    expect(await answerWhileSending(await drawing().png().toBuffer(), { 'X-API-Key': 'sk_wrong' })).toBe(
      '401 INVALID_API_KEY',
    )
  })

  test('repeats the stored answer for the same file and key, and refuses another file with that key', async () => {
    const call = { idempotencyKey: 'upload-1' }
    const [one, other] = [await blobOf(drawing(30, 30).png()), await blobOf(drawing(31, 31).png())]
    const first = await alice.client.uploadFile({ file: one }, call)
    expect(await alice.client.uploadFile({ file: one }, call)).toEqual(first)
    expect(await refused(alice.client.uploadFile({ file: other }, call))).toBe('409 IDEMPOTENCY_KEY_REUSED')
    expect((await bob.client.uploadFile({ file: other }, call)).width).toBe(31)
  })

  test('stores the same content once, whoever uploads it', async () => {
    const png = await blobOf(drawing(33, 33, 'plum').png())
    const [first, second] = await Promise.all([upload(png), upload(png, bob)])
    expect(second).toEqual(first)
    const name = new URL(first.url).pathname.split('/').at(-1)
    expect((await listFiles(config.DATA_DIR, 'files')).filter((file) => file === name)).toHaveLength(1)
  })

  test('leaves nothing behind when it is aborted or refused', async () => {
    const before = await listFiles(config.DATA_DIR, 'files')
    const mp4 = Buffer.from(await (await makeVideo()).arrayBuffer())
    const sending = beginUpload({ 'X-API-Key': alice.apiKey })
    sending.write(mp4)
    sending.write(Buffer.alloc(3 * MB))
    const scratch = () => listFiles(config.DATA_DIR, 'scratch')
    await expect.poll(async () => (await scratch()).length).toBe(1)
    sending.destroy()
    await expect.poll(scratch).toEqual([])
    await refusal(upload(new Blob(['not a picture'])))
    expect(await scratch()).toEqual([])
    expect(await listFiles(config.DATA_DIR, 'files')).toEqual(before)
    expect(await db.many(sql`select from file where stored_at is null`)).toEqual([])
    expect(server.logged.filter((line) => line.includes('"level":50'))).toEqual([])
  })

  test('can be repeated by a client that was disconnected', async () => {
    const png = await blobOf(drawing(50, 50).png())
    let calls = 0
    const flaky: typeof fetch = async (input, init) => {
      if (calls++ === 0) throw new TypeError('cut off')
      return fetch(input, init)
    }
    const client = createClient({ baseUrl: server.url, apiKey: alice.apiKey, fetch: flaky })
    expect((await client.uploadFile({ file: png })).width).toBe(50)
    expect(calls).toBe(2)
  })
})

const BOUNDARY = 'edge-of-the-form'

function beginUpload(headers: Record<string, string>) {
  const call = request(`${server.url}/v1/upload/file`, {
    method: 'POST',
    headers: { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`, ...headers },
  })
  call.on('error', () => {})
  call.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\nContent-Type: image/png\r\n\r\n`,
  )
  return call
}

/** Sends an endless file, and returns the answer that arrives nevertheless. */
async function answerWhileSending(
  head: Buffer,
  headers: Record<string, string> = {},
  pieces = Number.POSITIVE_INFINITY,
): Promise<string> {
  const call = beginUpload({ 'X-API-Key': alice.apiKey, ...headers })
  let answered = false
  const answer = new Promise<string>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', async (response) => {
      answered = true
      let body = ''
      for await (const chunk of response) body += chunk
      resolve(`${response.statusCode} ${(JSON.parse(body) as { code: string }).code}`)
    })
  })
  call.write(head)
  for (let sent = 0; !answered && sent < pieces; sent++)
    if (!call.write(Buffer.alloc(64 * 1024)))
      await Promise.race([new Promise((done) => call.once('drain', done)), answer])
  const end = await answer
  call.destroy()
  return end
}
