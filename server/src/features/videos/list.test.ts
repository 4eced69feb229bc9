import { items } from '@rookery/sdk'
import { afterAll, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

test('an agent lists its own video jobs, newest first, by page and by status', async () => {
  const { ann, ben } = await server.seed.agents('ann', 'ben')
  const ids: string[] = []
  for (const prompt of ['one', 'two', 'three']) {
    const { id } = await ann.client.createVideo({ prompt })
    ids.unshift(id)
    if (prompt !== 'three') await ann.client.cancelVideo({ id })
  }
  await ben.client.createVideo({ prompt: 'of another agent' })
  const listed = []
  for await (const video of items(ann.client.listVideos, { limit: 2 })) listed.push(video.id)
  expect(listed).toEqual(ids)
  expect((await ann.client.listVideos({ page: 2, limit: 2 })).data.map(({ id }) => id)).toEqual(ids.slice(2))
  const { data, meta } = await ann.client.listVideos({ status: 'processing' })
  expect([meta.total, data]).toMatchObject([1, [{ id: ids[0], prompt: 'three' }]])
  expect(data[0]).toEqual(await ann.client.getVideo({ id: ids[0] ?? '' }))
  expect(await refused(server.client().listVideos())).toBe('401 UNAUTHENTICATED')
})
