import { randomBytes } from 'node:crypto'
import { type ClientRequest, request } from 'node:http'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refusal } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const WITHIN = { timeout: 20_000 }
const server = await startServer({ env: { UPLOAD_MB_PER_DAY: '1' } })
afterAll(() => server.stop())

/** A picture of about this many bytes: noise does not compress. */
async function noise(bytes: number): Promise<Blob> {
  const side = Math.round(Math.sqrt(bytes / 3))
  const raw = { width: side, height: side, channels: 3 } as const
  const image = sharp(randomBytes(side * side * 3), { raw })
  return new Blob([Uint8Array.from(await image.png().toBuffer())])
}

/** Begins to send a file, and sends no more than its beginning. */
function beginUpload({ apiKey }: SeededAgent, announced: number | undefined) {
  const upload: ClientRequest = request(`${server.url}/v1/upload/file`, {
    method: 'POST',
    headers: {
      'X-API-Key': apiKey,
      'Content-Type': 'multipart/form-data; boundary=x',
      ...(announced === undefined ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': announced }),
    },
  })
  const status = new Promise<number>((resolve) => {
    upload.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    upload.on('error', () => resolve(0))
  })
  upload.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG\r\n\x1a\n')
  return { status, abort: () => upload.destroy() }
}

const usedBy = async ({ id }: SeededAgent) => {
  const row = await server.deps.db.find<{ uploaded_bytes: bigint }>(
    sql`select uploaded_bytes from agent_usage where agent_id = ${id} order by day desc limit 1`,
  )
  return Number(row?.uploaded_bytes ?? 0)
}

describe('the daily upload allowance', () => {
  test('is exact under parallel uploads, and resets the next day', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    const files = await Promise.all(Array.from({ length: 6 }, () => noise(300_000)))
    const outcomes: string[] = []
    for (let index = 0; index < 6; index += 2)
      outcomes.push(
        ...(await Promise.all(files.slice(index, index + 2).map((file) => outcome(ann.client.uploadFile({ file }))))),
      )
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3)
    expect(outcomes.filter((outcome) => outcome === '429 UPLOAD_ALLOWANCE_USED')).toHaveLength(3)
    const sizes = (await ann.client.listUploads({})).meta.total
    expect(sizes).toBe(3)
    expect(await usedBy(ann)).toBeLessThanOrEqual(1_000_000)
    const file = await noise(300_000)
    const { retryAfterSeconds = 0 } = await refusal(ann.client.uploadFile({ file }))
    expect(await outcome(ben.client.uploadFile({ file }))).toBe('done')
    expect(await usedBy(ben)).toBe(file.size)
    server.clock.advance(retryAfterSeconds * 1000)
    expect(await outcome(ann.client.uploadFile({ file }))).toBe('done')
  })

  test('is reserved when a file is announced, and given back when it does not arrive', async () => {
    const { cat } = await server.seed.agents('cat')
    const file = await noise(300_000)
    const slow = beginUpload(cat, 900_000)
    await expect.poll(() => usedBy(cat), WITHIN).toBe(900_000)
    expect(await outcome(cat.client.uploadFile({ file }))).toBe('429 UPLOAD_ALLOWANCE_USED')
    slow.abort()
    await expect.poll(() => usedBy(cat), WITHIN).toBe(0)
    expect(await outcome(cat.client.uploadFile({ file }))).toBe('done')
    expect(await usedBy(cat)).toBe(file.size)
  })

  test('does not count a repeated upload with the same Idempotency-Key', async () => {
    const { dan } = await server.seed.agents('dan')
    const file = await noise(100_000)
    const upload = () => dan.client.uploadFile({ file }, { idempotencyKey: 'the-same-upload' })
    expect(await upload()).toEqual(await upload())
    expect(await usedBy(dan)).toBe(file.size)
  })

  test('is not passed by leaving the length out', async () => {
    const { eve } = await server.seed.agents('eve')
    await eve.client.uploadFile({ file: await noise(100_000) })
    const unknown = beginUpload(eve, undefined)
    expect(await unknown.status).toBe(429)
    unknown.abort()
  })
})

describe('uploads of one agent', () => {
  test('are two at a time, and those of another agent are not affected', async () => {
    const { fay, gus } = await server.seed.agents('fay', 'gus')
    const file = await noise(10_000)
    const slow = [beginUpload(fay, 100_000), beginUpload(fay, 100_000)]
    await expect.poll(() => usedBy(fay), WITHIN).toBe(200_000)
    const busy = await refusal(fay.client.uploadFile({ file }))
    expect([busy.status, busy.code]).toEqual([429, 'UPLOADS_BUSY'])
    expect(busy.retryAfterSeconds).toBeGreaterThan(0)
    expect(await outcome(gus.client.uploadFile({ file }))).toBe('done')
    slow[0]?.abort()
    await expect.poll(() => outcome(fay.client.uploadFile({ file })), WITHIN).toBe('done')
    slow[1]?.abort()
    await expect.poll(() => usedBy(fay), WITHIN).toBe(file.size)
  })
})

describe('a disk that is nearly full', () => {
  test('refuses uploads and videos, and degrades health with a reason', async () => {
    const full = await startServer({ env: { MIN_FREE_DISK_MB: '100000000' } })
    const { hal } = await full.seed.agents('hal')
    expect(await outcome(hal.client.uploadFile({ file: await noise(1_000) }))).toBe('503 STORAGE_LOW')
    expect(await outcome(hal.client.createVideo({ prompt: 'a rookery' }))).toBe('503 STORAGE_LOW')
    const { status, reasons } = await full.client().getHealth()
    expect(status).toBe('degraded')
    expect(reasons.join(' ')).toContain('Disk space is low')
    await full.stop()
  })
})
