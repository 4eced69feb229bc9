import { afterAll, describe, expect, test } from 'vitest'
import { startS3Server } from '../../../test/s3-server.js'
import { ConfigError, readConfig } from '../../config/config.js'
import { checkFiles } from './check.js'

const s3 = await startS3Server()
afterAll(() => s3.close())

const configured = (env: Record<string, string> = {}) =>
  readConfig({
    FILES: 's3://bucket/media',
    S3_ENDPOINT: s3.url,
    AWS_REGION: 'test-region',
    AWS_ACCESS_KEY_ID: 'test-key',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
    ...env,
  })

async function refusal(env: Record<string, string> = {}): Promise<string> {
  const error = await checkFiles(configured(env)).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as Error).message
}

describe('checkFiles', () => {
  test('writes, reads and removes a file under the prefix, and leaves nothing behind', async () => {
    await checkFiles(configured())
    expect(s3.calls.map((call) => call.replace(/check-[\w-]+/, 'check'))).toEqual([
      'PUT /bucket/media/check.txt',
      'GET /bucket/media/check.txt',
      'DELETE /bucket/media/check.txt',
    ])
    expect(s3.objects.size).toBe(0)
  })

  test('says in one sentence that the bucket is missing', async () => {
    expect(await refusal({ FILES: 's3://elsewhere/media' })).toBe(
      'FILES: the bucket elsewhere cannot be used: a file could not be written (NoSuchBucket). Create the bucket, or correct FILES.',
    )
  })

  test('names what the key may not do, and removes what it has written', async () => {
    s3.forbid((call) => call.startsWith('PUT'))
    expect(await refusal()).toContain('could not be written (AccessDenied). The key needs s3:PutObject')
    s3.forbid((call) => call.startsWith('GET'))
    expect(await refusal()).toContain('could not be read (AccessDenied)')
    expect(s3.objects.size).toBe(0)
    s3.forbid((call) => call.startsWith('DELETE'))
    expect(await refusal()).toContain('could not be removed (AccessDenied)')
    s3.forbid(() => false)
  })

  test('says that nothing answers at S3_ENDPOINT', async () => {
    expect(await refusal({ S3_ENDPOINT: 'http://127.0.0.1:9' })).toMatch(/\(ECONNREFUSED\)\. Check S3_ENDPOINT/)
  })

  test('does nothing for a folder on disk', async () => {
    await checkFiles(readConfig({}))
  })
})
