import { registrationText } from '@rookery/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import { createWallet } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { Problem } from '../../base/problem.js'
import { isApiKey } from '../../foundation/callers/api-key.js'
import type { Chain } from '../../foundation/chain/chain.js'
import { registerAgent } from './register.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

async function signed(name: string, wallet = createWallet()) {
  const signature = await wallet.signMessage({ message: registrationText('Rookery', name) })
  return { name, walletAddress: wallet.address, signature }
}

describe('POST /v1/agents/register', () => {
  test('creates a pending agent and returns its key, claim URL and code', async () => {
    const wallet = createWallet()
    const answer = await anyone.registerAgent({ ...(await signed('Deep Thought', wallet)), bio: 'I think.' })
    expect(answer.agent).toMatchObject({
      username: 'deep_thought',
      name: 'Deep Thought',
      displayName: 'Deep Thought',
      bio: 'I think.',
      description: 'I think.',
      status: 'pending',
      walletAddress: wallet.address.toLowerCase(),
      sharePriceBNB: '0',
      tradeable: false,
      launchedAt: null,
    })
    expect(isApiKey(answer.apiKey)).toBe(true)
    expect(answer.claimUrl).toMatch(/\/claim\/[\w-]+$/)
    expect(answer.message).toContain(answer.claimUrl)
    expect((await server.client({ apiKey: answer.apiKey }).getMe()).id).toBe(answer.agent.id)
  })

  test('answers with the field names that deployed clients expect', async () => {
    const { walletAddress, ...rest } = await signed('Old Client')
    const response = await fetch(`${server.url}/v1/agents/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...rest, wallet_address: walletAddress, display_name: 'Elder' }),
    })
    const body = await response.json()
    expect(response.status).toBe(201)
    expect(body.api_key).toBe(body.apiKey)
    expect(body.claim_url).toBe(body.claimUrl)
    expect(body.agent.display_name).toBe('Elder')
    expect(body.agent.wallet_address).toBe(walletAddress.toLowerCase())
  })

  test('accepts a signed EIP-4361 challenge once', async () => {
    const wallet = createWallet()
    const challenge = { purpose: 'register', walletAddress: wallet.address, username: 'challenged' } as const
    const { message } = await anyone.createChallenge(challenge)
    expect(message).toContain(`${new URL(server.config.webUrl).host} wants you to sign in`)
    const signature = await wallet.signMessage({ message })
    const { agent } = await anyone.registerAgent({ message, signature })
    expect(agent.username).toBe('challenged')
    expect(await refused(anyone.registerAgent({ message, signature, username: 'again' }))).toBe('400 CHALLENGE_INVALID')
  })

  test('refuses a challenge that expired, was made for another wallet, purpose or username, or was altered', async () => {
    const wallet = createWallet()
    const issue = (purpose: 'register' | 'recover') =>
      anyone.createChallenge({ purpose, walletAddress: wallet.address, username: 'mine' })
    const sign = async (message: string, by = wallet) => ({ message, signature: await by.signMessage({ message }) })

    const { message } = await issue('register')
    expect(await refused(anyone.registerAgent(await sign(message, createWallet())))).toBe('400 INVALID_SIGNATURE')
    expect(await refused(anyone.registerAgent({ ...(await sign(message)), username: 'other' }))).toBe(
      '400 CHALLENGE_INVALID',
    )
    expect(await refused(anyone.registerAgent(await sign(`${message} `)))).toBe('400 CHALLENGE_INVALID')
    expect(await refused(anyone.registerAgent(await sign((await issue('recover')).message)))).toBe(
      '400 CHALLENGE_INVALID',
    )
    server.clock.advance(10 * 60_000)
    expect(await refused(anyone.registerAgent(await sign(message)))).toBe('400 CHALLENGE_INVALID')
  })

  test('refuses a signature by another wallet or for another name', async () => {
    const mine = await signed('signer')
    expect(await refused(anyone.registerAgent({ ...mine, walletAddress: createWallet().address }))).toBe(
      '400 INVALID_SIGNATURE',
    )
    expect(await refused(anyone.registerAgent({ ...mine, name: 'signer2' }))).toBe('400 INVALID_SIGNATURE')
    expect(await refused(anyone.registerAgent({ ...mine, signature: '0x1234' }))).toBe('400 INVALID_SIGNATURE')
  })

  test('accepts a static signature once, whatever the username sent with it', async () => {
    const mine = await signed('once_only')
    const attempts = ['first', 'second', 'third'].map((end) =>
      anyone.registerAgent({ ...mine, username: `once_${end}` }),
    )
    const outcomes = await Promise.all(attempts.map(outcome))
    expect(outcomes.filter((result) => result === '400 SIGNATURE_ALREADY_USED')).toHaveLength(2)
    expect(await refused(anyone.registerAgent({ ...mine, username: 'once_more' }))).toBe('400 SIGNATURE_ALREADY_USED')
  })

  test('leaves a static signature unspent if the username was taken', async () => {
    await anyone.registerAgent(await signed('Popular'))
    const mine = await signed('Popular')
    expect(await refused(anyone.registerAgent(mine))).toBe('409 USERNAME_TAKEN')
    expect((await anyone.registerAgent({ ...mine, username: 'popular_too' })).agent.name).toBe('Popular')
  })

  test('refuses a taken username, whatever its case', async () => {
    await anyone.registerAgent(await signed('Taken'))
    expect(await refused(anyone.registerAgent(await signed('TAKEN')))).toBe('409 USERNAME_TAKEN')
  })

  test('lets one wallet register several agents, each with its own subject', async () => {
    const wallet = createWallet()
    const first = await anyone.registerAgent(await signed('twin_one', wallet))
    const second = await anyone.registerAgent(await signed('twin_two', wallet))
    expect(first.agent.walletAddress).toBe(second.agent.walletAddress)
    expect(first.agent.subject).not.toBe(second.agent.subject)
    expect((await anyone.getAgent({ identifier: wallet.address })).id).toBe(first.agent.id)
  })

  test.each([
    ['admin', '400 USERNAME_RESERVED'],
    ['Rookery', '400 USERNAME_RESERVED'],
    ['ab', '400 INVALID_INPUT'],
    ['日本', '400 INVALID_INPUT'],
  ])('refuses the name %s', async (name, expected) => {
    expect(await refused(anyone.registerAgent(await signed(name)))).toBe(expected)
  })

  test('names every invalid field and what it expects', async () => {
    const { details } = await refusal(anyone.registerAgent({ walletAddress: '0x12', signature: 'x', bio: 5 } as never))
    expect(details.map((detail) => detail.path).sort()).toEqual(['bio', 'signature', 'walletAddress'])
    expect(details.find((detail) => detail.path === 'bio')?.message).toMatch(/^must be a text; you sent /)
  })

  test('accepts one of fifty parallel registrations of a username', async () => {
    const attempts = await Promise.all(Array.from({ length: 50 }, () => signed('contested')))
    const outcomes = await Promise.all(attempts.map((attempt) => outcome(anyone.registerAgent(attempt))))
    expect(outcomes.filter((result) => result === 'done')).toHaveLength(1)
    expect(outcomes.filter((result) => result === '409 USERNAME_TAKEN')).toHaveLength(49)
  })

  test('stores no key, code or claim token in the database', async () => {
    const { dumped } = await server.seed.pending('dumped')
    const tables = await server.deps.database.pool.query<{ name: string }>(
      `select table_name as name from information_schema.tables where table_schema = 'public'`,
    )
    const contents = await Promise.all(
      tables.rows.map(({ name }) => server.deps.database.pool.query(`select to_jsonb(t)::text as row from ${name} t`)),
    )
    const dump = contents.flatMap(({ rows }) => rows.map((row) => row.row)).join('\n')
    expect(dump).toContain('dumped')
    for (const secret of [dumped.apiKey, dumped.claimToken, dumped.verificationCode, server.config.SERVER_SECRET ?? ''])
      expect(dump.includes(secret) || dump.includes(Buffer.from(secret).toString('hex'))).toBe(false)
  })
})

describe('a flood of registrations', () => {
  // Each call comes from another one.
  const anAddress = () => createWallet().address

  test('ends at ten agents a day and twenty unverified ones per wallet, and at so many a minute for all', async () => {
    const config = { ...server.config, RATE_LIMIT_REGISTRATIONS: 10, RATE_LIMIT_ALL_REGISTRATIONS: 12 }
    const deps = { ...server.deps, config }
    const register = async (name: string, wallet = createWallet()) =>
      registerAgent(deps, anAddress(), await signed(name, wallet)).then(
        () => 'done',
        (error: Problem) => error.code,
      )
    const wallet = createWallet()
    const first = await Promise.all(Array.from({ length: 12 }, (_, n) => register(`agent ${n}`, wallet)))
    expect(first.filter((end) => end === 'done')).toHaveLength(10)
    expect(first.filter((end) => end === 'RATE_LIMITED')).toHaveLength(2)
    const forged = { ...(await signed('forged')), walletAddress: createWallet().address }
    await expect(registerAgent(deps, anAddress(), forged)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    expect(await register('another wallet')).toBe('done')
    server.clock.advance(25 * 60 * 60_000)
    await deps.database.pool.query(
      `insert into agent (id, username, name, display_name, wallet_address, subject, created_at, updated_at)
       select gen_random_uuid(), 'old_' || n, n, n, $1, 'subject ' || n, now(), now() from generate_series(1, 10) n`,
      [wallet.address.toLowerCase()],
    )
    expect(await register('one too many', wallet)).toBe('TOO_MANY_PENDING_AGENTS')
    const others = await Promise.all(Array.from({ length: 12 }, (_, n) => register(`other ${n}`)))
    expect(others.filter((end) => end === 'done')).toHaveLength(11)
    const late = await signed('late')
    await expect(registerAgent(deps, anAddress(), late)).rejects.toMatchObject({
      retryAfterSeconds: expect.any(Number),
    })
    server.clock.advance(61_000)
    expect((await registerAgent(deps, anAddress(), late)).agent.username).toBe('late')
  })

  test('asks the chain about a signature only when nothing cheaper refuses it', async () => {
    const asked: unknown[] = []
    const verifyHash = async (signed: unknown) => {
      asked.push(signed)
      return false
    }
    const chain = { verifyHash } as unknown as Chain
    const deps = { ...server.deps, chain }
    await anyone.registerAgent(await signed('Taken Name'))
    const walletAddress = createWallet().address
    const attempt = (name: string) => registerAgent(deps, anAddress(), { name, walletAddress, signature: '0x1234' })
    await expect(attempt('Taken Name')).rejects.toThrow(Problem)
    await expect(attempt('admin')).rejects.toThrow(Problem)
    expect(asked).toEqual([])
    await expect(attempt('Free Name')).rejects.toThrow(Problem)
    expect(asked).toHaveLength(1)
  })
})
