import { registrationText } from '@rookery/api'
import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { outcome, refused } from '../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../test/seed.js'
import { startServer } from '../../test/start-server.js'
import { openSession } from '../features/owners/sessions.js'
import { openSecrets } from '../foundation/secret-list.js'
import { findCommand } from './commands.js'

// Each command runs as the program runs it: in a process of its own, as far as the service can tell, beside the service.
const moderator = createWallet()
const server = await startServer({ env: { MODERATOR_WALLETS: moderator.address } })
afterAll(() => server.stop())

interface Result {
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: each command has a shape of its own.
  readonly data: any
  readonly exitCode: number
}

async function operate(...words: string[]): Promise<Result> {
  const asked = findCommand(words)
  if (!asked) throw new Error(`not a command: ${words.join(' ')}`)
  const outcome = await asked.command.run(server.config, asked.args, asked.options)
  return typeof outcome === 'string' ? { text: outcome, data: undefined, exitCode: 0 } : { data: undefined, ...outcome }
}

describe('jobs', () => {
  test('are counted by kind, shown without secrets, retried one by one and cancelled', async () => {
    const { db, queue } = server.deps
    await db.run(sql`delete from job`)
    await queue.enqueue(db, 'embed_agent', { id: '00000000-0000-7000-8000-000000000001' })
    await queue.enqueue(db, 'embed_tweet', { id: 'x', token: 'sk_secret' } as never)
    await db.run(sql`update job set failed_at = now(), attempts = 10, last_error = 'no model'`)
    await queue.enqueue(db, 'build_map', {})
    expect((await operate('jobs')).data).toEqual([
      { kind: 'build_map', waiting: 1, running: 0, failed: 0 },
      { kind: 'embed_agent', waiting: 0, running: 0, failed: 1 },
      { kind: 'embed_tweet', waiting: 0, running: 0, failed: 1 },
    ])
    expect((await operate('jobs', '--failed')).data).toHaveLength(2)
    const [failed] = (await operate('jobs', 'embed_tweet', '--failed')).data
    const shown = await operate('job', failed.id)
    expect(shown.data).toMatchObject({
      state: 'failed',
      attempts: 10,
      lastError: 'no model',
      payload: { token: '***' },
    })
    expect(shown.text).not.toContain('sk_secret')
    expect((await operate('retry-jobs', failed.id)).text).toBe('1 jobs are due again.')
    expect((await operate('retry-jobs', 'embed_tweet')).text).toBe('0 jobs are due again.')
    expect((await operate('jobs', '--waiting')).data).toHaveLength(2)
    expect((await operate('cancel-job', failed.id)).text).toContain('(embed_tweet) is cancelled')
    await expect(operate('job', failed.id)).rejects.toThrow('does not exist')
    await expect(operate('job', 'x')).rejects.toThrow('must be the id of a job')
    expect((await operate('retry-jobs')).data).toEqual({ due: 1 })
    await db.run(sql`update job set locked_until = now() + interval '1 day'`)
    const [running] = (await operate('jobs', '--running')).data
    await expect(operate('cancel-job', running.id)).rejects.toThrow('is running')
    await db.run(sql`delete from job`)
  })
})

describe('hide', () => {
  test('takes a tweet or an item down with a notice for its author, and unhide brings it back', async () => {
    const { hal } = await server.seed.agents('hal')
    const { id } = await hal.client.createTweet({ content: 'out of bounds' })
    const { slug } = await hal.client.createSkill({
      name: 'Cheat',
      description: 'At it.',
      content: 'Cheat.',
      type: 'skill',
    })
    const read = () => outcome(server.client().getTweet({ id }))
    await operate('hide', id, '--reason', 'It names a private person.')
    await operate('hide', id)
    expect(await read()).toBe('403 TAKEN_DOWN')
    const { data } = await hal.client.listModerationNotices()
    expect(data).toMatchObject([{ decision: 'hide', reason: 'It names a private person.' }])
    await operate('unhide', id)
    expect(await read()).toBe('done')
    const listed = async () => (await server.client().listSkills({ creator: 'hal' })).data.length
    expect(await listed()).toBe(1)
    expect((await operate('hide', slug)).data).toMatchObject({ targetType: 'skill' })
    expect(await listed()).toBe(0)
    await operate('unhide', slug)
    expect(await listed()).toBe(1)
    await expect(operate('hide', 'nothing-of-this-name')).rejects.toThrow('neither a tweet nor an item')
  })
})

describe('a banned wallet', () => {
  const register = async ({ wallet }: Pick<SeededAgent, 'wallet'>, name: string) =>
    server.client().registerAgent({
      name,
      walletAddress: wallet.address,
      signature: await wallet.signMessage({ message: registrationText('Rookery', name) }),
    })
  const recover = async ({ wallet }: SeededAgent) => {
    const { message } = await server.client().createChallenge({ purpose: 'recover', walletAddress: wallet.address })
    return server.client().recoverAgent({ message, signature: await wallet.signMessage({ message }) })
  }
  const tweet = ({ client }: SeededAgent) => client.createTweet({ content: 'still here' })

  test('is out at once, with its agents and sessions, and neither it nor its account gets back in', async () => {
    const { eve, may } = await server.seed.agents('eve', 'may')
    const session = await server.seed.signIn(eve.wallet)
    await tweet(eve)
    const address = eve.wallet.address.toLowerCase()
    const ban = await operate('ban-wallet', eve.wallet.address, '--reason', 'It sold forged signatures.')
    expect(ban.data).toMatchObject({ wallet: address, agents: ['eve'], liftedAt: null })

    expect(await refused(tweet(eve))).toBe('403 AGENT_SUSPENDED')
    expect(await refused(session.client.listAlerts())).toBe('401 INVALID_TOKEN')
    expect(await refused(register(eve, 'eve_again'))).toBe('403 WALLET_BANNED')
    expect(await refused(recover(eve))).toBe('403 WALLET_BANNED')
    expect(await refused(server.seed.signIn(eve.wallet))).toBe('403 WALLET_BANNED')
    // Another wallet with the same account.
    const { mallory } = await server.seed.pending('mallory')
    const { postText } = await server.client().getAgentByClaim({ code: mallory.claimToken })
    const { url } = await server.client().createLocalPost({ handle: 'x_eve', text: postText })
    expect(await refused(mallory.client.verifyAgent({ tweetUrl: url }))).toBe('409 SOCIAL_ACCOUNT_ALREADY_LINKED')
    await tweet(may)

    const listed = await operate('bans')
    expect(listed.data).toMatchObject([{ wallet: address, reason: 'It sold forged signatures.', agents: ['eve'] }])
    expect(listed.text).toContain('@eve')
    expect((await operate('ban-wallet', address)).data.agents).toEqual(['eve'])

    await operate('unban-wallet', address)
    await tweet(eve)
    await server.seed.signIn(eve.wallet)
    expect((await operate('bans')).data).toEqual([])
    expect((await operate('bans', '--all')).data).toMatchObject([{ wallet: address, liftedAt: expect.any(String) }])
    await expect(operate('unban-wallet', address)).rejects.toThrow('is not banned')
    await expect(operate('ban-wallet', 'eve')).rejects.toThrow('must be an address')
    const { data } = await (await server.seed.login('eve')).client.listAuditEntries({ id: 'eve', actor: 'operator' })
    expect(data.map(({ action }) => action)).toEqual(['unsuspendAgent', 'suspendAgent'])
  })

  test('is not in the session of a login that continued one of its own at that moment', async () => {
    const wallet = createWallet()
    const { session } = await server.seed.signIn(wallet)
    await server.seed.agents('oda')
    await server.seed.login('oda')
    const { id: ownerId } = await server.deps.db.one<{ id: string }>(sql`select id from owner limit 1`)
    const address = wallet.address.toLowerCase()
    const client = new Client({ connectionString: server.config.DATABASE_URL })
    await client.connect()
    // A ban that has looked for sessions and is not committed.
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock(4217, hashtext($1))', [address])
    await client.query(
      `insert into wallet_ban (id, wallet, reason, banned_at, decision_ids) values (gen_random_uuid(), $1, 'x', now(), '{}')`,
      [address],
    )
    let isOver = false
    const continuing = openSession(server.deps, { ownerId }, { continued: session.refreshToken }).finally(() => {
      isOver = true
    })
    const waiting = `select from pg_locks where locktype = 'advisory' and classid = 4217 and not granted`
    await vi.waitFor(async () => expect(isOver || (await client.query(waiting)).rowCount === 1).toBe(true), {
      timeout: 20_000,
    })
    await client.query('commit')
    await client.end()
    expect((await continuing).wallet).toBeNull()
  })

  test('is let in again when a moderator grants the appeal of its agent', async () => {
    const { pip } = await server.seed.agents('pip')
    const { data } = await operate('suspend', 'pip', '--with-wallet')
    expect(data).toMatchObject({ username: 'pip', status: 'suspended', ban: { agents: ['pip'] } })
    expect(await refused(server.seed.signIn(pip.wallet))).toBe('403 WALLET_BANNED')
    const [notice] = (await pip.client.listModerationNotices()).data
    const appeal = await pip.client.createAppeal({ decisionId: notice?.id ?? '', text: 'It was not me.' })
    const { client } = await server.seed.signIn(moderator)
    await client.answerAppeal({ id: appeal.id, outcome: 'overturn', reason: 'It was not.' })
    await tweet(pip)
    await server.seed.signIn(pip.wallet)
  })
})

describe('moderators', () => {
  test('are added and removed while the service runs', async () => {
    const wallet = createWallet()
    const { client } = await server.seed.signIn(wallet)
    const work = () => outcome(client.listModerationCases())
    expect(await work()).toBe('403 MODERATOR_REQUIRED')
    await operate('moderators', 'add', wallet.address, 'Mo of the night shift')
    expect(await work()).toBe('done')
    expect((await operate('moderators')).data).toEqual([
      { wallet: moderator.address.toLowerCase(), name: '', addedAt: null, isConfigured: true },
      {
        wallet: wallet.address.toLowerCase(),
        name: 'Mo of the night shift',
        addedAt: expect.any(String),
        isConfigured: false,
      },
    ])
    await operate('moderators', 'remove', wallet.address)
    expect(await work()).toBe('403 MODERATOR_REQUIRED')
    await expect(operate('moderators', 'remove', wallet.address)).rejects.toThrow('does not moderate')
    await expect(operate('moderators', 'remove', moderator.address)).rejects.toThrow('MODERATOR_WALLETS')
    await expect(operate('moderators', 'add', 'mo')).rejects.toThrow('must be an address')
  })
})

describe('instances', () => {
  test('are listed, and one that is told to drain is not ready until it is told otherwise', async () => {
    const { data } = await operate('instances')
    expect(data).toMatchObject([{ role: 'all', version: server.config.version, isAlive: true, drainingSince: null }])
    const [{ id }] = data
    const isReady = async () => (await fetch(`${server.url}/v1/ready`)).status
    await operate('drain', id)
    await vi.waitFor(async () => expect(await isReady()).toBe(503), { timeout: 20_000, interval: 50 })
    expect((await operate('instances')).text).toContain('draining')
    await operate('undrain', id.slice(0, 30))
    await vi.waitFor(async () => expect(await isReady()).toBe(200), { timeout: 20_000, interval: 50 })
    await expect(operate('drain', 'nowhere')).rejects.toThrow('fits no instance')
  })
})

describe('renew-claims', () => {
  test('does nothing while an instance runs, which would go on with the old links', async () => {
    const { rob } = await server.seed.pending('rob')
    const { id } = await server.client().getAgentByClaim({ code: rob.claimToken })
    const [instance] = (await operate('instances')).data
    await expect(operate('renew-claims')).rejects.toThrow(
      `Stop all instances first, and wait five seconds: ${instance.id}`,
    )
    const { given, now } = { given: server.config.SERVER_SECRET ?? '', now: server.clock.now() }
    const secrets = await openSecrets(server.deps.db, { given, now, findDependents: async () => [] })
    expect(secrets.key('claim-token')).toEqual(server.deps.secrets.key('claim-token'))
    expect((await server.client().getAgentByClaim({ code: rob.verificationCode })).id).toBe(id)
  })
})

describe('why', () => {
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, { headers })
    return { requestId: response.headers.get('x-request-id') ?? '', status: response.status }
  }

  test('says why a call was refused, by the id of its request, without what it carried', async () => {
    const { wyn } = await server.seed.agents('wyn')
    const call = await ask('/v1/tweets/00000000-0000-7000-8000-000000000000?secret=1', { 'X-API-Key': wyn.apiKey })
    expect(call.status).toBe(404)
    await server.deps.refusals.flush()
    const { text, data, exitCode } = await operate('why', call.requestId)
    expect(exitCode).toBe(0)
    expect(data.refusals).toMatchObject([
      {
        method: 'GET',
        route: '/v1/tweets/:id',
        status: 404,
        code: 'TWEET_NOT_FOUND',
        limitClass: 'read',
        agent: { username: 'wyn' },
        network: '127.0.0.0/24',
        instanceId: (await operate('instances')).data[0].id,
      },
    ])
    expect(text).toContain('@wyn')
    expect(text).not.toContain(wyn.apiKey)
  })

  test('says so when nothing is kept', async () => {
    const { requestId } = await ask('/v1/tweets')
    await server.deps.refusals.flush()
    const { text, exitCode } = await operate('why', requestId)
    expect(exitCode).toBe(1)
    expect(text).toMatch(
      /Nothing is kept about .+: it was not refused, or before 20.+ refused calls are kept since then\./,
    )
  })

  test('keeps some calls of one who is refused all the time, and the number of the others', async () => {
    const { ivy } = await server.seed.agents('ivy')
    server.clock.advance(60_000)
    const kept = async () =>
      server.deps.db.one<{ calls: number; left_out: number }>(sql`
        select count(request_id)::int as calls, coalesce(sum(left_out), 0)::int as left_out from refused_call`)
    const before = await kept()
    for (let i = 0; i < 30; i++) expect((await ask('/v1/agents/nobody', { 'X-API-Key': ivy.apiKey })).status).toBe(404)
    await server.deps.refusals.flush()
    const after = await kept()
    expect([after.calls - before.calls, after.left_out - before.left_out]).toEqual([20, 10])
  })

  test('keeps no more than its ring has slots, and nothing for longer than a week', async () => {
    const { db, refusals } = server.deps
    const slots = () => db.one<{ slots: number }>(sql`select count(*)::int as slots from refused_call`)
    await db.run(sql`select setval('refused_call_slot', 50000)`)
    await ask('/v1/agents/nobody')
    await refusals.flush()
    expect(await db.find(sql`select from refused_call where slot = 1 and code = 'AGENT_NOT_FOUND'`)).toBeDefined()
    expect((await slots()).slots).toBeLessThan(100)
    server.clock.advance(8 * 24 * 60 * 60_000)
    await server.deps.queue.enqueue(db, 'delete_expired', {})
    await server.drain()
    expect(await slots()).toEqual({ slots: 0 })
  })
})
