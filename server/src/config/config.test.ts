import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { atPort, poolShare, processNames, readConfig } from './config.js'

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
      webOrigins: ['http://localhost:3000', 'http://127.0.0.1:3000'],
      chainId: 31_337,
    })
    expect(config.DATABASE_URL).toBeUndefined()
  })

  test('lets only the pages of a named address call', () => {
    const env = { WEB_URL: 'http://rookery.internal', SOCIAL_NETWORK: 'x-oembed' }
    expect(readConfig(env).webOrigins).toEqual(['http://rookery.internal'])
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
    expect(atPort(readConfig({ WEB_URL: 'https://rookery.example/', SOCIAL_NETWORK: 'x-oembed' }), 4000).webUrl).toBe(
      'https://rookery.example',
    )
  })

  test.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['WEB_URL', 'rookery'],
    ['WEB_ORIGINS', 'https://a.example,b'],
    ['DATABASE_URL', 'mysql://x'],
    ['DATABASE_URL', 'postgres://u:p@h1,h2/db?target_session_attrs=standby'],
    ['DATABASE_URL', 'postgres:///db?host=a,b,c&port=1,2'],
    ['DATABASE_URL', 'postgres://u:p@h1:x,h2/db'],
    ['DATABASE_URL', 'postgres://u:p/w@h1,h2/db'],
    ['DATABASE_URL', 'postgres://u:p#w@h1/db'],
    ['DATABASE_DIRECT_URL', 'h1:5432'],
    ['REDIS_URL', 'http://x'],
    ['SERVER_SECRET', 'short'],
    ['CHAIN_RPC_URL', 'ws'],
    ['CONTRACT_ADDRESS', '0x12'],
    ['CHAIN_PORT', '8545x'],
    ['OPERATOR_PRIVATE_KEY', '0x12'],
    ['VAPID_PUBLIC_KEY', 'short'],
    ['VAPID_PRIVATE_KEY', 'short'],
    ['VAPID_SUBJECT', 'operator'],
    ['PUSH_SERVICES', 'https://push.example'],
    ['SOCIAL_NETWORK', 'myspace'],
    ['FILES', 's3://Not_A_Bucket'],
    ['FILES', 'tape'],
    ['S3_ENDPOINT', 'minio:9000'],
    ['VIDEO', 'camera'],
    ['VIDEO_QUEUE', '0'],
    ['ROLE', 'boss'],
    ['RATE_LIMIT_READS', '-1'],
    ['WRITES_REQUIRE', 'maybe'],
    ['REGISTRATION_TEXTS', 'none'],
    ['PLATFORM_HANDLE', 'not a handle'],
    ['LOG_LEVEL', 'loud'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/v1/traces'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'one-secret'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'name=one-secret%0A'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '0'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=one-secret'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ])('stops the start and names the variable when %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must`))
  })

  test('reads lists of OpenTelemetry, and repeats none of what they hold when one is wrong', () => {
    const { OTEL_EXPORTER_OTLP_HEADERS: headers } = readConfig({
      OTEL_EXPORTER_OTLP_HEADERS: 'Key=a%2Cb%3D, x-two = 2,',
    })
    expect(headers).toEqual({ Key: 'a,b=', 'x-two': '2' })
    for (const wrong of ['one-secret', 'name=one-secret%0A', 'name=one-secret%', 'two words=one-secret'])
      expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: wrong })).toThrow(
        /^OTEL_EXPORTER_OTLP_HEADERS (?!.*one-secret)/,
      )
  })

  test.each([
    [{ SOCIAL_NETWORK: 'x' }, 'X_BEARER_TOKEN'],
    [{ ROLE: 'web' }, 'ROLE'],
    [{ VAPID_PUBLIC_KEY: `B${'A'.repeat(86)}` }, 'VAPID_PRIVATE_KEY'],
    [{ VAPID_PRIVATE_KEY: 'A'.repeat(43) }, 'VAPID_PUBLIC_KEY'],
    [{ FILES: 's3://bucket' }, 'AWS_REGION'],
    [{ AWS_ACCESS_KEY_ID: 'key' }, 'AWS_SECRET_ACCESS_KEY'],
    [{ CHAIN_RPC_URL: 'http://localhost:8545' }, 'CHAIN_ID'],
    [{ CHAIN_RPC_URL: 'http://localhost:8545', CHAIN_ID: '56' }, 'CONTRACT_ADDRESS'],
  ])('stops the start when %o lacks what it needs', (env, name) => {
    expect(() => readConfig(env)).toThrow(new RegExp(`^${name} must`))
  })
})

describe('the local network, where anybody can log in as anybody', () => {
  const CHAIN = {
    CHAIN_RPC_URL: 'http://127.0.0.1:8545',
    CHAIN_ID: '97',
    CONTRACT_ADDRESS: `0x${'11'.repeat(20)}`,
  }
  const exposed: [Record<string, string>, string][] = [
    [CHAIN, 'CHAIN_RPC_URL names a real chain'],
    [{ WEB_URL: 'https://rookery.example' }, 'WEB_URL is an https address'],
    ...['0.0.0.0', '::', '192.168.1.5', 'fd00::1', '::ffff:10.0.0.1', 'rookery.example', '1.127.0.1'].map(
      (HOST): [Record<string, string>, string] => [{ HOST }, `others can reach HOST ${HOST}`],
    ),
    [
      { ...CHAIN, HOST: '0.0.0.0', WEB_URL: 'https://a.example' },
      'CHAIN_RPC_URL names a real chain and WEB_URL is an https address and others can reach HOST 0.0.0.0',
    ],
  ]

  test.each(exposed)('stops the start with %o, unless it is allowed by name', (env, reason) => {
    expect(() => readConfig(env)).toThrow(
      `SOCIAL_NETWORK must not be local while ${reason}: it has no passwords, so anybody could log in as anybody. ` +
        'Set SOCIAL_NETWORK to x or x-oembed, or ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes if that is what you want.',
    )
    expect(() => readConfig({ ...env, ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'no' })).toThrow('SOCIAL_NETWORK must not')
    expect(() => readConfig({ ...env, ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'true' })).toThrow('must be one of no, yes')
    expect(readConfig({ ...env, ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }).SOCIAL_NETWORK).toBe('local')
    expect(readConfig({ ...env, SOCIAL_NETWORK: 'x-oembed' }).SOCIAL_NETWORK).toBe('x-oembed')
  })

  test.each(['127.0.0.1', '127.8.9.1', '::1', 'localhost', 'LocalHost', '::ffff:127.0.0.1'])(
    'starts on %s, which only this machine can reach',
    (HOST) => {
      expect(readConfig({ HOST }).SOCIAL_NETWORK).toBe('local')
    },
  )
})

describe('a clock that is told the time', () => {
  const CLOCK = '2026-05-01T08:00:00Z'

  test('begins in the past of a demo, where everything is embedded', () => {
    expect(readConfig({}).CLOCK).toBe('system')
    expect(readConfig({ CLOCK }).CLOCK).toEqual(new Date(CLOCK))
  })

  test.each([
    [{ DATABASE_URL: 'postgres://localhost/rookery' }, 'DATABASE_URL names a database'],
    [{ REDIS_URL: 'redis://localhost' }, 'REDIS_URL joins it'],
    [
      {
        CHAIN_RPC_URL: 'http://localhost:1',
        CHAIN_ID: '56',
        CONTRACT_ADDRESS: `0x${'1'.repeat(40)}`,
        SOCIAL_NETWORK: 'x-oembed',
      },
      'CHAIN_RPC_URL names a real chain',
    ],
    [{ SOCIAL_NETWORK: 'x-oembed' }, 'SOCIAL_NETWORK is real'],
    [{ HOST: '0.0.0.0', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }, 'others can reach HOST 0.0.0.0'],
    [{ WEB_URL: 'https://a.example', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }, 'WEB_URL is an https address'],
  ])('is refused with %j', (env, why) => {
    expect(() => readConfig({ CLOCK, ...env })).toThrow(`CLOCK must be system while ${why}`)
    expect(() => readConfig({ ...env })).not.toThrow()
  })

  test.each(['yesterday', '2026-05-01', '2026-13-01T00:00:00Z'])('does not begin %s', (time) => {
    expect(() => readConfig({ CLOCK: time })).toThrow('CLOCK must be system, or a time such as')
  })
})

describe('several processes at one port', () => {
  const DATABASE_URL = 'postgres://localhost/rookery'
  const names = (env: Record<string, string>) => processNames(readConfig(env))

  test('are as many as it says, with a worker where the program does everything, and one unless it says so', () => {
    expect(names({ DATABASE_URL })).toEqual(['web-1'])
    expect(names({ DATABASE_URL, ROLE: 'web', WEB_PROCESSES: '3' })).toEqual(['web-1', 'web-2', 'web-3'])
    expect(
      names({
        DATABASE_URL,
        WEB_PROCESSES: '2',
        SOCIAL_NETWORK: 'x-oembed',
        CHAIN_RPC_URL: 'http://localhost:1',
        CHAIN_ID: '1',
        CONTRACT_ADDRESS: `0x${'1'.repeat(40)}`,
      }),
    ).toEqual(['web-1', 'web-2', 'worker'])
    expect(names({ DATABASE_URL, ROLE: 'worker', WEB_PROCESSES: '3' })).toHaveLength(1)
    expect(names({ WEB_PROCESSES: 'auto' })).toHaveLength(1)
    expect(names({ DATABASE_URL, ROLE: 'web', WEB_PROCESSES: 'auto' })).toHaveLength(availableParallelism())
  })

  test('share the connections of the program, with three for each', () => {
    const share = (DATABASE_POOL: string, WEB_PROCESSES: string) =>
      poolShare(readConfig({ DATABASE_URL, ROLE: 'web', DATABASE_POOL, WEB_PROCESSES }))
    expect([share('10', '1'), share('64', '14'), share('10', '14')]).toEqual([10, 4, 3])
  })

  test.each([
    [{ WEB_PROCESSES: '2' }, 'WEB_PROCESSES must be 1 with the embedded database'],
    [{ WEB_PROCESSES: '2', DATABASE_URL }, 'WEB_PROCESSES must be 1 with the embedded chain'],
    [{ WEB_PROCESSES: 'all' }, 'WEB_PROCESSES must be auto or a whole number above 0'],
    [{ WEB_PROCESSES: '0' }, 'WEB_PROCESSES must be auto or a whole number above 0'],
  ])('are refused with %j', (env, why) => {
    expect(() => readConfig(env)).toThrow(why)
  })
})
