import { describe, expect, test } from 'vitest'
import { atPort, readConfig } from './config.js'

describe('configuration', () => {
  test('needs no variables at all', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: '.data',
      ROLE: 'all',
      SOCIAL_NETWORK: 'local',
      webUrl: 'http://localhost:3000',
      webOrigins: ['http://localhost:3000'],
      chainId: 31_337,
    })
    expect(config.DATABASE_URL).toBeUndefined()
  })

  test('treats an empty value as not set', () => {
    expect(readConfig({ PORT: '', REDIS_URL: ' ' })).toMatchObject({ PORT: 3000 })
  })

  test('reads a bucket and the prefix of its names', () => {
    const files = (FILES: string) => readConfig({ FILES, AWS_REGION: 'eu-central-1' }).FILES
    expect(files('s3://my.bucket')).toEqual({ bucket: 'my.bucket', prefix: '' })
    expect(files('s3://my.bucket/a/b/')).toEqual({ bucket: 'my.bucket', prefix: 'a/b/' })
  })

  test('derives the public address from the port unless it is given', () => {
    expect(atPort(readConfig({}), 4000).webUrl).toBe('http://localhost:4000')
    expect(atPort(readConfig({ WEB_URL: 'https://rookery.example/' }), 4000).webUrl).toBe('https://rookery.example')
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['WEB_URL', 'rookery'],
    ['WEB_ORIGINS', 'https://a.example,b'],
    ['DATABASE_URL', 'mysql://x'],
    ['REDIS_URL', 'http://x'],
    ['SERVER_SECRET', 'short'],
    ['CHAIN_RPC_URL', 'ws'],
    ['CONTRACT_ADDRESS', '0x12'],
    ['CHAIN_PORT', '8545x'],
    ['OPERATOR_PRIVATE_KEY', '0x12'],
    ['SOCIAL_NETWORK', 'myspace'],
    ['FILES', 's3://Not_A_Bucket'],
    ['FILES', 'tape'],
    ['S3_ENDPOINT', 'minio:9000'],
    ['VIDEO', 'camera'],
    ['VIDEO_QUEUE', '0'],
    ['ROLE', 'boss'],
    ['RATE_LIMIT_READS', '-1'],
    ['WRITES_REQUIRE', 'maybe'],
    ['PLATFORM_HANDLE', 'not a handle'],
    ['LOG_LEVEL', 'loud'],
  ])('stops the start and names the variable when %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must`))
  })

  test.each([
    [{ SOCIAL_NETWORK: 'x' }, 'X_BEARER_TOKEN'],
    [{ ROLE: 'web' }, 'ROLE'],
    [{ FILES: 's3://bucket' }, 'AWS_REGION'],
    [{ AWS_ACCESS_KEY_ID: 'key' }, 'AWS_SECRET_ACCESS_KEY'],
    [{ CHAIN_RPC_URL: 'http://localhost:8545' }, 'CHAIN_ID'],
    [{ CHAIN_RPC_URL: 'http://localhost:8545', CHAIN_ID: '56' }, 'CONTRACT_ADDRESS'],
  ])('stops the start when %o lacks what it needs', (env, name) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name} must`))
  })
})
