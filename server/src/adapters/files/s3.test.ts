import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { startS3Server } from '../../../test/s3-server.js'
import { filesContract } from './files.contract.js'
import { FilesUnavailable } from './files.js'
import { openS3Files } from './s3.js'

const s3 = await startS3Server()
const folder = await mkdtemp(join(tmpdir(), 'rookery-s3-'))
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true })
})

const credentials = { accessKeyId: 'test-key', secretAccessKey: 'test-secret' }
const open = (prefix = 'media/') =>
  openS3Files({ bucket: 'bucket', prefix, endpoint: s3.url, region: 'test-region', credentials })

filesContract('S3', () => open())

describe('S3 files', () => {
  test('are stored under the prefix with their type, large ones in parts', async () => {
    expect(s3.objects.get('media/aa-letters.png')).toMatchObject({ type: 'image/png' })
    expect(s3.objects.get('media/ee-large.mp4')).toMatchObject({ type: 'image/png' })
    expect(s3.calls.filter((call) => call === 'PUT /bucket/media/ee-large.mp4 partNumber')).toHaveLength(3)
  })

  test('that fail halfway leave no parts behind', async () => {
    const files = await open()
    const path = join(folder, 'large')
    await writeFile(path, Buffer.alloc(20 * 1024 * 1024))
    s3.fail((call) => call.endsWith('partNumber'))
    await expect(files.keep('ff-broken.mp4', path, 'video/mp4')).rejects.toBeInstanceOf(FilesUnavailable)
    s3.fail(() => false)
    expect([...s3.unfinished.keys()]).toEqual([])
    expect(s3.objects.has('media/ff-broken.mp4')).toBe(false)
  })

  test('are unavailable when the service is down or rejects our credentials', async () => {
    const files = await open()
    s3.fail(() => true)
    await expect(files.read('aa-letters.png')).rejects.toBeInstanceOf(FilesUnavailable)
    await expect(files.remove('aa-letters.png')).rejects.toBeInstanceOf(FilesUnavailable)
    s3.fail(() => false)
    const stranger = await openS3Files({
      bucket: 'bucket',
      prefix: '',
      endpoint: s3.url,
      region: 'test-region',
      credentials: { ...credentials, accessKeyId: 'other' },
    })
    await expect(stranger.read('aa-letters.png')).rejects.toBeInstanceOf(FilesUnavailable)
  })
})
