import { items } from '@rookery/sdk'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

async function picture(width: number): Promise<Blob> {
  const image = sharp({ create: { width, height: 10, channels: 3, background: 'teal' } }).png()
  return new Blob([Uint8Array.from(await image.toBuffer())])
}

test('an agent lists its own files, newest first, by page and by type', async () => {
  const { ann, ben } = await server.seed.agents('ann', 'ben')
  const urls: string[] = []
  for (const width of [11, 12, 13]) {
    urls.unshift((await ann.client.uploadFile({ file: await picture(width) })).url)
    server.clock.advance(1_000)
  }
  // The same time, and a file that another agent has too.
  for (const width of [14, 15]) urls.push((await ann.client.uploadFile({ file: await picture(width) })).url)
  await ben.client.uploadFile({ file: await picture(11) })
  const listed: string[] = []
  for await (const { url } of items(ann.client.listUploads, { limit: 1 })) listed.push(url)
  expect([...listed].sort()).toEqual([...urls].sort())
  expect(listed.slice(2)).toEqual(urls.slice(0, 3))
  const { data, meta } = await ann.client.listUploads({ page: 2, limit: 2 })
  expect([meta.total, data.map(({ url }) => url)]).toEqual([5, listed.slice(2, 4)])
  expect(data[0]).toMatchObject({ type: 'image', width: 13, createdAt: expect.any(String) })
  expect((await ann.client.listUploads({ type: 'video' })).data).toEqual([])
  expect((await ben.client.listUploads()).data.map(({ url }) => url)).toEqual([urls[2]])
  expect(await refused(server.client().listUploads())).toBe('401 UNAUTHENTICATED')
})
