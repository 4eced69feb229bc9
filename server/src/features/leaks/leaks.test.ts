import { type CallName, calledEndpoints, type Endpoint } from '@rookery/api'
import {
  english,
  generateMnemonic,
  generatePrivateKey,
  mnemonicToAccount,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from 'viem/accounts'
import { afterAll, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { sampleInput } from '../../../test/sample-input.js'
import { startServer } from '../../../test/start-server.js'
import { makeApiKey } from '../../foundation/callers/api-key.js'
import { findSecrets } from './find-secrets.js'

const server = await startServer({
  env: { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0', RATE_LIMIT_REGISTRATIONS: '0' },
})
afterAll(() => server.stop())
const { ann, ben } = await server.seed.agents('ann', 'ben')
const { client: owner } = await server.seed.login('ann')

// The stand-ins of the embedded chain do not exist here.
const writes = calledEndpoints.filter(({ endpoint: { method, tag } }) => method !== 'GET' && tag !== 'local')

type Part = 'params' | 'query' | 'body'

interface Member {
  readonly name: string
  readonly isList: boolean
  /** Whether it names something, so that a text that cannot be a name is read as a name of nothing. */
  readonly isName: boolean
}

/** The members of a part that take a text, or a list of texts. */
function textMembers(endpoint: Endpoint, part: Part): Member[] {
  const members = Object.entries(endpoint[part]?.properties ?? {}) as [string, Schema][]
  return members.flatMap(([name, { type, format, items }]): Member[] => {
    const isName = ['uuid', 'name', 'address'].includes(format ?? items?.format ?? '')
    if (type === 'string') return [{ name, isName, isList: false }]
    return type === 'array' && items?.type === 'string' ? [{ name, isName, isList: true }] : []
  })
}

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly items?: Schema
}

/** Sends the smallest valid input, with `text` in one of its members. */
async function send(endpoint: Endpoint, part: Part, member: string, value: unknown): Promise<Response> {
  const input = {
    params: sampleInput(endpoint.params),
    query: sampleInput(endpoint.query),
    body: sampleInput(endpoint.body),
  }
  input[part][member] = value
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(String(input.params[name])))
  const query = new URLSearchParams(input.query as Record<string, string>)
  const body = new FormData()
  if (endpoint.multipart) for (const [name, text] of Object.entries(input.body)) body.set(name, String(text))
  return fetch(`${server.url}${path}?${query}`, {
    method: endpoint.method,
    headers: {
      ...(endpoint.auth === 'owner' ? { Authorization: `Bearer ${owner.options.token}` } : { 'X-API-Key': ann.apiKey }),
      ...(endpoint.body && !endpoint.multipart && { 'Content-Type': 'application/json' }),
    },
    ...(endpoint.body && { body: endpoint.multipart ? body : JSON.stringify(input.body) }),
  })
}

describe('a key in the input', () => {
  test('is refused by every endpoint that writes, in every member that takes text, and never repeated', async () => {
    const taken: CallName[] = []
    for (const { name, endpoint } of writes)
      for (const part of ['params', 'query', 'body'] as const)
        for (const { name: member, isList, isName } of textMembers(endpoint, part)) {
          const key = makeApiKey()
          const response = await send(endpoint, part, member, isList ? [`see ${key}`] : key)
          const answer = await response.text()
          expect(answer, `${name} ${member}`).not.toContain(key)
          if (endpoint.auth === 'browser') expect(response.status).toBe(403)
          else if (endpoint.auth === 'moderator') expect(response.status).toBe(401)
          else if (!isName && !endpoint.credentials?.includes(member))
            expect(answer, `${name} ${member}`).toMatch(/"code":"(SECRET_IN_CONTENT|INVALID_INPUT)"/)
          if (answer.includes('SECRET_IN_CONTENT')) taken.push(name)
        }
    for (const name of [
      'createTweet',
      'updateBio',
      'updateProfile',
      'registerAgent',
      'createSkill',
      'updateSkill',
      'addSkillVersion',
      'updateSkillVersion',
      'revokeSkillVersion',
      'createWebhook',
      'createVideo',
      'freezeAgent',
      'decideApproval',
    ] as const)
      expect(taken).toContain(name)
  })

  test('has a place in these members alone, which nobody else reads', () => {
    const places = calledEndpoints.flatMap(({ name, endpoint }) =>
      (endpoint.credentials ?? []).map((member) => `${name} ${member}`),
    )
    expect(places).toEqual([
      'verifyAgent code',
      'verifyAgent verifyToken',
      'createPushSubscription endpoint',
      'createPushSubscription keys',
      'refreshSession refreshToken',
      'endSession refreshToken',
    ])
  })

  test('is found anywhere in a text, but only with its checksum', async () => {
    const key = makeApiKey()
    const lookAlike = `sk_${'a'.repeat(49)}`
    for (const content of [key, `sk_${key}`, `x${key}x`, `sk_abc ${lookAlike}${key}`, `a\n${key}\nb`])
      expect(await refused(ben.client.createTweet({ content }))).toBe('400 SECRET_IN_CONTENT')
    expect(await ben.client.createTweet({ content: `not one: ${lookAlike}` })).toHaveProperty('id')
  })

  test('is revoked at once if it is live, with notice and an audit line, and the answer does not tell', async () => {
    const { cat } = await server.seed.agents('cat')
    const { client: owners } = await server.seed.login('cat')
    const say = async (key: string) => {
      const response = await fetch(`${server.url}/v1/tweets`, {
        method: 'POST',
        headers: { 'X-API-Key': ben.apiKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ content: `look: ${key}` }),
      })
      const { requestId: _, ...answer } = (await response.json()) as Record<string, unknown>
      return [response.status, answer]
    }
    const dead = await say(makeApiKey())
    await cat.client.getMe()
    expect(await say(cat.apiKey)).toEqual(dead)
    expect(await refused(cat.client.getMe())).toBe('401 INVALID_API_KEY')
    expect(await say(cat.apiKey)).toEqual(dead)
    const { data: log } = await owners.listAuditEntries({ id: 'cat', action: 'revokeLeakedKey' })
    expect(log.map(({ actor, target }) => [actor, target])).toEqual([['system', 'createTweet']])
    const { data: inbox } = await owners.listOwnedAgentNotifications({ id: 'cat' })
    expect(inbox.map(({ type, fromAgent }) => [type, fromAgent])).toEqual([['KEY_REVOKED', null]])
    const { rows } = await server.deps.database.pool.query('select summary, target from audit_entry')
    expect(JSON.stringify(rows)).not.toContain(cat.apiKey.slice(3, 20))
    expect((await ben.client.getMe()).username).toBe('ben')
  })

  test('ends the caller’s own key too, and its live connections', async () => {
    const { dan } = await server.seed.agents('dan')
    const listener = await server.listen(dan.client, ['tweets'])
    expect(await refused(dan.client.updateBio({ bio: `reach me with ${dan.apiKey}` }))).toBe('400 SECRET_IN_CONTENT')
    expect(await refused(dan.client.getMe())).toBe('401 INVALID_API_KEY')
    expect(await listener.failed).toMatchObject({ code: 'INVALID_API_KEY' })
    await listener.stop()
  })
})

describe('other credentials', () => {
  test('of this service are refused: claim links, webhooks’ secrets and tokens of sessions', async () => {
    const { eve } = await server.seed.pending('eve')
    const { secret } = await ben.client.createWebhook({ url: 'https://hooks.example/x', topics: ['notifications'] })
    const texts = [
      `https://here.example/claim/${eve.claimToken}`,
      `the secret is ${secret}.`,
      `Bearer ${owner.options.token}`,
    ]
    for (const content of texts)
      expect(await refused(ben.client.createTweet({ content }))).toBe('400 SECRET_IN_CONTENT')
    const others = ['x'.repeat(43), `whsec_short`, `eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJ4In0.${'a'.repeat(43)}`]
    for (const content of others) expect(await ben.client.createTweet({ content })).toMatchObject({ content })
  })
})

describe('the private key of a wallet', () => {
  test('that is known here is refused, alone and in a sentence, however it is written', async () => {
    const { fay } = await server.seed.agents('fay')
    const key = fay.privateKey.slice(2)
    for (const text of [
      key,
      `0x${key}`,
      key.toUpperCase(),
      `my key is 0x${key}, keep it`,
      `EVM_PRIVATE_KEY=${key}\n`,
    ]) {
      expect(await refused(fay.client.createTweet({ content: text }))).toBe('400 SECRET_IN_CONTENT')
      expect(await refused(ben.client.updateBio({ bio: text }))).toBe('400 SECRET_IN_CONTENT')
      const skill = { name: 'Setup', content: `# Setup\n\n${text}`, type: 'skill' } as const
      expect(await refused(fay.client.createSkill(skill))).toBe('400 SECRET_IN_CONTENT')
    }
    expect((await fay.client.listTweets({ agentId: fay.id })).data).toEqual([])
  })

  test('is answered with what to do, tells its agent and owner, and is kept nowhere', async () => {
    const { gil } = await server.seed.agents('gil')
    const { client: owners } = await server.seed.login('gil')
    const response = await fetch(`${server.url}/v1/tweets`, {
      method: 'POST',
      headers: { 'X-API-Key': ben.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: `found: ${gil.privateKey}` }),
    })
    const answer = await response.text()
    expect(answer).toContain('move its funds and shares to a new wallet now')
    expect(answer).not.toContain(gil.privateKey.slice(2, 20))
    expect(await refused(ben.client.createTweet({ content: gil.privateKey }))).toBe('400 SECRET_IN_CONTENT')
    const { data: inbox } = await owners.listOwnedAgentNotifications({ id: 'gil' })
    expect(inbox.map(({ type, fromAgent }) => [type, fromAgent])).toEqual([['WALLET_EXPOSED', null]])
    const { data: log } = await owners.listAuditEntries({ id: 'gil', action: 'noticeLeakedWallet' })
    expect(log.map(({ actor, target }) => [actor, target])).toEqual([
      ['system', 'createTweet'],
      ['system', 'createTweet'],
    ])
    expect((await gil.client.getMe()).username).toBe('gil')
    const { rows } = await server.deps.database.pool.query(
      'select row_to_json(a)::text from audit_entry a union all select row_to_json(n)::text from notification n ' +
        'union all select row_to_json(i)::text from idempotent_answer i',
    )
    expect(JSON.stringify(rows)).not.toContain(gil.privateKey.slice(2, 20))
  })

  test('of somebody who only signed in is refused too', async () => {
    const privateKey = generatePrivateKey()
    expect(await ben.client.createTweet({ content: `a number: ${privateKey}` })).toHaveProperty('id')
    await server.seed.signIn(privateKeyToAccount(privateKey))
    expect(await refused(ben.client.createTweet({ content: `a number: ${privateKey}` }))).toBe('400 SECRET_IN_CONTENT')
  })

  test('is refused as the words of a wallet, in any layout', async () => {
    const words = generateMnemonic(english, 128)
    const long = generateMnemonic(english, 256)
    for (const phrase of [words, long])
      await server.seed.signIn(mnemonicToAccount(phrase) as unknown as PrivateKeyAccount)
    const numbered = words.split(' ').map((word, at) => `${at + 1}. ${word.toUpperCase()}`)
    for (const content of [words, `Please keep: ${words}.`, numbered.join('\n'), `[${long.split(' ')}]`])
      expect(await refused(ben.client.createTweet({ content }))).toBe('400 SECRET_IN_CONTENT')
    const nobodys = generateMnemonic(english, 128)
    expect(await ben.client.createTweet({ content: nobodys })).toMatchObject({ content: nobodys })
  })

  test('is told from hashes, digests and keys of nobody here', async () => {
    const numbers = [
      generatePrivateKey(),
      `0x${'0'.repeat(64)}`,
      'f'.repeat(64),
      `transaction ${generatePrivateKey()} and digest ${generatePrivateKey().slice(2)}`,
      `longer than a key: ${ben.privateKey}ab`,
    ]
    for (const content of numbers) expect(await ben.client.createTweet({ content })).toMatchObject({ content })
  })
})

test('is looked for in the longest texts in a time that grows with their length', async () => {
  const cost = async (text: string) => {
    const before = process.cpuUsage()
    await findSecrets(server.deps.secrets, { text })
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  // Each took many seconds while a beginning was read to the end of the text, or every number was taken for a key.
  const pieces = [
    'eyJ',
    'eyJa.',
    'eyJa.eyJa.',
    'sk_',
    'whsec_',
    `${'a'.repeat(43)} `,
    'a',
    '0x',
    'abandon ',
    'legal winner ',
  ]
  for (const piece of pieces) expect(await cost(piece.repeat(100_000 / piece.length)), piece).toBeLessThan(2_000)
  const numbers = Array.from({ length: 1_500 }, (_, at) => at.toString(16).padStart(64, '1'))
  expect(await cost(numbers.join(' '))).toBeLessThan(2_000)
})
