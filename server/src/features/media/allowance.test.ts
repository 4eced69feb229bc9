import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { outcome, refusal } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer({ env: { UPLOAD_MB_PER_DAY: '1' } })
afterAll(() => server.stop())

/** A picture of about this many bytes: noise does not compress. */
async function noise(bytes: number): Promise<Blob> {
  const side = Math.round(Math.sqrt(bytes / 3))
  const raw = { width: side, height: side, channels: 3 } as const
  const image = sharp(randomBytes(side * side * 3), { raw })
  return new Blob([Uint8Array.from(await image.png().toBuffer())])
}

test('an agent has a daily upload allowance, exact under parallel uploads, which resets the next day', async () => {
  const { ann, ben } = await server.seed.agents('ann', 'ben')
  const files = await Promise.all(Array.from({ length: 6 }, () => noise(300_000)))
  const outcomes = await Promise.all(files.map((file) => outcome(ann.client.uploadFile({ file }))))
  expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(3)
  expect(outcomes.filter((outcome) => outcome === '429 UPLOAD_ALLOWANCE_USED')).toHaveLength(3)
  const file = await noise(300_000)
  const { retryAfterSeconds = 0 } = await refusal(ann.client.uploadFile({ file }))
  expect(await outcome(ben.client.uploadFile({ file }))).toBe('done')
  server.clock.advance(retryAfterSeconds * 1000)
  expect(await outcome(ann.client.uploadFile({ file }))).toBe('done')
})
