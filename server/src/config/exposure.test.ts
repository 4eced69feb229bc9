import { describe, expect, test } from 'vitest'
import { readConfig, variables } from './config.js'
import { allowsLoopbackWebhooks, hasStandIns, listDoubts, listReaches } from './exposure.js'

/** For each variable, values that name this machine alone, and values that name others, with what is said of them. */
const words: Readonly<Record<string, { here: (string | undefined)[]; others: (readonly [string, string])[] }>> = {
  HOST: {
    here: [undefined, '::1'],
    others: [
      ['0.0.0.0', 'others can reach HOST 0.0.0.0'],
      ['192.168.1.5', 'others can reach HOST 192.168.1.5'],
    ],
  },
  WEB_URL: {
    here: [undefined, 'http://localhost:3000', 'http://[::1]:3000'],
    others: [
      ['http://rookery.example', 'WEB_URL names rookery.example'],
      ['https://localhost', 'WEB_URL is an https address'],
      ['https://rookery.example', 'WEB_URL is an https address'],
    ],
  },
  WEB_ORIGINS: {
    here: [undefined, 'http://127.0.0.1:5173,https://localhost:5173'],
    others: [
      ['http://localhost:5173,http://192.168.1.5:5173', 'WEB_ORIGINS names 192.168.1.5'],
      ['https://page.example', 'WEB_ORIGINS names page.example'],
    ],
  },
  TRUST_PROXY: { here: [undefined, '0'], others: [['1', 'TRUST_PROXY says that a proxy is in front']] },
  ALLOWED_HOSTS: {
    here: [undefined, 'localhost'],
    others: [
      ['localhost,rookery', 'ALLOWED_HOSTS names rookery'],
      ['*', 'ALLOWED_HOSTS names *'],
    ],
  },
}

type Case = { readonly env: Readonly<Record<string, string | undefined>>; readonly reasons: readonly string[] }

/** Every combination of these values. */
const cases = Object.entries(words).reduce<Case[]>(
  (all, [name, { here, others }]) =>
    all.flatMap(({ env, reasons }) => [
      ...here.map((value) => ({ env: { ...env, [name]: value }, reasons })),
      ...others.map(([value, reason]) => ({ env: { ...env, [name]: value }, reasons: [...reasons, reason] })),
    ]),
  [{ env: {}, reasons: [] }],
)
const isOpen = ({ reasons }: Case) => reasons.length > 0
const within = (...more: Record<string, string>[]) => Object.assign({}, ...more)
const read = ({ env }: Case, more: Record<string, string> = {}) =>
  readConfig(within(env as Record<string, string>, more))
const failure = (start: () => unknown) => {
  try {
    start()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

// One word in one of five variables is enough for all that depends on who can reach the service.
describe(`in all ${cases.length} combinations of HOST, WEB_URL, WEB_ORIGINS, TRUST_PROXY and ALLOWED_HOSTS`, () => {
  test('others can reach the service if any of them names others, and the reasons say which', () => {
    for (const each of cases)
      expect([...listReaches(read(each, { SOCIAL_NETWORK: 'x-oembed' }))].sort()).toEqual([...each.reasons].sort())
  })

  test('login without passwords does not start where others can reach it, unless that is allowed by name', () => {
    for (const each of cases) {
      const message = failure(() => read(each))
      expect(message !== undefined, JSON.stringify(each.env)).toBe(isOpen(each))
      for (const reason of each.reasons) expect(message).toContain(reason)
      if (message)
        expect(message).toMatch(/^SOCIAL_NETWORK must not be local while .*ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes/)
      expect(read(each, { ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }).SOCIAL_NETWORK).toBe('local')
    }
  })

  test('the stand-ins and the faucet are there where it starts, and not beside a real network', () => {
    for (const each of cases) {
      expect(hasStandIns(read(each, { ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }))).toBe(true)
      expect(hasStandIns(read(each, { SOCIAL_NETWORK: 'x-oembed' }))).toBe(false)
    }
  })

  test('webhooks go to this machine only where nobody else can reach it', () => {
    for (const each of cases) {
      const config = read(each, { ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' })
      expect(allowsLoopbackWebhooks(config), JSON.stringify(each.env)).toBe(!isOpen(each))
      expect(allowsLoopbackWebhooks(read(each, { SOCIAL_NETWORK: 'x-oembed' }))).toBe(false)
    }
  })

  test('the time is told only where nobody else can reach it', () => {
    const told = { CLOCK: '2026-05-01T08:00:00Z', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }
    for (const each of cases) {
      const message = failure(() => read(each, told))
      expect(message !== undefined, JSON.stringify(each.env)).toBe(isOpen(each))
      if (message) expect(message).toMatch(/^CLOCK must be system while /)
      for (const reason of each.reasons) expect(message).toContain(reason)
    }
  })

  test('a default name is warned of where others can reach it', () => {
    const doubtsOf = (each: Case, more: Record<string, string> = {}) =>
      listDoubts(read(each, { SOCIAL_NETWORK: 'x-oembed', ...more }), variables.PLATFORM_NAME.default)
    for (const each of cases) {
      expect(doubtsOf(each)).toHaveLength(isOpen(each) ? 1 : 0)
      expect(doubtsOf(each, { PLATFORM_NAME: 'Nest' })).toEqual([])
      expect(doubtsOf(each, { REGISTRATION_TEXTS: 'challenge' })).toEqual([])
    }
    expect(doubtsOf({ env: { TRUST_PROXY: '1' }, reasons: [] })).toEqual([
      expect.stringMatching(/a proxy is in front.*PLATFORM_NAME is Rookery.*REGISTRATION_TEXTS=challenge\.$/),
    ])
  })
})

describe('a chain of play money that instances share', () => {
  const staging = { STAGING_CHAIN_URL: 'http://chain:8545', OPERATOR_PRIVATE_KEY: `0x${'1'.repeat(64)}` }
  const real = {
    CHAIN_ID: '56',
    CONTRACT_ADDRESS: `0x${'2'.repeat(40)}`,
    PRICE_FEED: `0x${'3'.repeat(40)}`,
    X_BEARER_TOKEN: 'token',
  }

  test('has the stand-ins of the embedded one', () => {
    expect(hasStandIns(readConfig(staging))).toBe(true)
  })

  test.each(Object.entries(real))('is refused beside %s', (name, value) => {
    expect(failure(() => readConfig({ ...staging, [name]: value }))).toContain(
      `STAGING_CHAIN_URL must not be set while ${name} is set`,
    )
  })

  test('is refused beside a real chain and a real network, and names both', () => {
    const env = {
      ...staging,
      ...real,
      CHAIN_RPC_URL: 'https://chain.example',
      SOCIAL_NETWORK: 'x',
    }
    const message = failure(() => readConfig(env))
    for (const reason of ['CHAIN_RPC_URL is set', 'SOCIAL_NETWORK is x']) expect(message).toContain(reason)
  })

  test('needs the key of its operator, and the permission that others may log in as anybody', () => {
    expect(failure(() => readConfig({ ...staging, OPERATOR_PRIVATE_KEY: '' }))).toContain(
      'OPERATOR_PRIVATE_KEY must be set',
    )
    const reached = { ...staging, WEB_URL: 'https://staging.example' }
    expect(failure(() => readConfig(reached))).toContain('ALLOW_LOCAL_NETWORK_IN_PUBLIC')
    expect(failure(() => readConfig({ ...reached, ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' }))).toBeUndefined()
  })
})

test('a chain of play money is in a private network', () => {
  const at = (host: string) =>
    failure(() => readConfig({ STAGING_CHAIN_URL: `http://${host}:8545`, OPERATOR_PRIVATE_KEY: `0x${'1'.repeat(64)}` }))
  for (const host of [
    'localhost',
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.5',
    '[::1]',
    '[fd00::1]',
    'chain',
    'chain.rookery.svc',
  ])
    expect(at(host), host).toBeUndefined()
  for (const host of ['bsc.example', '8.8.8.8', '172.32.0.1', '[2001:db8::1]'])
    expect(at(host)).toContain(`${host.replace(/[[\]]/g, '')} is not in a private network`)
})

describe('the secrets of the examples', () => {
  const secrets = {
    SERVER_SECRET: 'example-secret-that-everybody-can-read',
    OPERATOR_PRIVATE_KEY: `0x6578616d706c652d${'0'.repeat(47)}1`,
    DATABASE_URL: 'postgres://rookery:example-password@postgres/rookery',
    AWS_SECRET_ACCESS_KEY: 'example-secret-key',
  }
  const compose = {
    STAGING_CHAIN_URL: 'http://chain:8545',
    OPERATOR_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
    ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
    HOST: '0.0.0.0',
    TRUST_PROXY: '1',
    WEB_URL: 'http://localhost:8080',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }

  test('start where only this machine opens the pages, and nothing is real', () => {
    expect(readConfig({ ...compose, ...secrets }).WEB_URL).toBe('http://localhost:8080')
  })

  test.each(Object.entries(secrets))('stop the start elsewhere: %s', (name, value) => {
    for (const env of [
      { ...compose, WEB_URL: 'https://rookery.example' },
      { ...compose, WEB_URL: 'http://10.0.0.5' },
      { SOCIAL_NETWORK: 'x-oembed', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' },
    ])
      expect(failure(() => readConfig({ ...env, [name]: value }))).toContain(
        `${name} must not be the value of an example`,
      )
  })
})
