import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { createUploads } from './uploads.js'

const server = await startServer()
afterAll(() => server.stop())

test('files of an agent with many of them are examined in turns with those of others', async () => {
  const { ann, ben } = await server.seed.agents('ann', 'ben')
  const uploads = createUploads(server.deps)
  const order: string[] = []
  // Begins like a video, and is refused when its turn comes.
  const keep = (name: string, agentId: string) =>
    uploads
      .keep(server.deps, agentId, {
        path: `/nowhere/${name}`,
        kind: 'video',
        mimeType: 'video/mp4',
        size: 1,
        sha256: '0'.repeat(64),
      })
      .catch(() => order.push(name))
  await Promise.all([...['a1', 'a2', 'a3', 'a4'].map((name) => keep(name, ann.id)), keep('b1', ben.id)])
  expect(order.indexOf('b1')).toBeLessThan(3)
  expect(order).toHaveLength(5)
})
