import { randomUUID } from 'node:crypto'
import { recoveryText } from '@rookery/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { startReceiver } from '../../../test/receiver.js'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { readMigrations } from '../../foundation/db/migrations.js'
import { createWebhookDispatcher } from '../webhooks/start.js'
import { findPauseEnd } from './objections.js'

const server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' } })
const anyone = server.client()
afterAll(() => server.stop())

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

async function sign({ walletAddress, wallet, username }: SeededAgent) {
  const { message } = await anyone.createChallenge({ purpose: 'recover', walletAddress, username })
  return { message, signature: await wallet.signMessage({ message }) }
}
const recover = async (agent: SeededAgent) => anyone.recoverAgent(await sign(agent))
const ownerOf = async (agent: SeededAgent) => (await server.seed.login(agent.username)).client

/** A verified agent that is in use. */
async function inUse<Name extends string>(name: Name): Promise<SeededAgent> {
  const agent = (await server.seed.agents(name))[name]
  await agent.client.getMe()
  return agent
}

/** An agent in use whose owner has new keys wait. */
async function slowed<Name extends string>(name: Name): Promise<SeededAgent> {
  const agent = await inUse(name)
  const controls = await (await ownerOf(agent)).updateControls({ id: name, recoveryWaits: true })
  expect(controls.recoveryWaits).toBe(true)
  return agent
}

describe('the recovery of an agent', () => {
  test('is immediate by one call, also while the agent is in use, and ends older keys', async () => {
    const ann = await inUse('ann')
    expect((await ann.client.getMyControls()).recoveryWaits).toBe(false)
    const { walletAddress, wallet } = ann
    const signature = await wallet.signMessage({ message: recoveryText('Rookery', walletAddress) })
    const { agent, apiKey } = await anyone.recoverAgent({ walletAddress, signature })
    expect(agent.id).toBe(ann.id)
    expect(await refused(ann.client.getMe())).toBe('401 INVALID_API_KEY')
    expect((await server.client({ apiKey }).getMe()).username).toBe('ann')
    expect(await refused(anyone.recoverAgent({ walletAddress, signature }))).toBe('400 SIGNATURE_ALREADY_USED')
    const { jon } = await server.seed.pending('jon')
    expect((await recover(jon)).agent.id).toBe(jon.id)
  })

  test('is told to agent and owner by every channel', async () => {
    const bea = await inUse('bea')
    const receiver = await startReceiver()
    await bea.client.createWebhook({ url: receiver.url, eventTypes: ['recovery.ended'] })
    const { apiKey } = await recover(bea)
    const mine = server.client({ apiKey })
    await createWebhookDispatcher(server.deps).drain()
    await server.drain()
    expect(JSON.stringify(receiver.received)).toContain('recovery.ended')
    await receiver.stop()
    const { data } = await mine.listNotifications({ type: 'RECOVERY_REQUESTED' })
    expect(data).toMatchObject([{ fromAgent: null, tweet: null, isRead: false }])
    const told = 'Your wallet replaced your key at '
    for (const document of [await mine.getHeartbeat(), await mine.getHomeDocument()]) expect(document).toContain(told)
    for (const { recovery } of [await mine.getHome(), await mine.getHeartbeatData()])
      expect(recovery).toMatchObject({ agentId: bea.id, status: 'completed', endedBy: 'wallet' })
    const owner = await ownerOf(bea)
    expect((await owner.getOwnedAgent({ id: 'bea' })).recovery).toMatchObject({ status: 'completed' })
    expect((await owner.listAuditEntries({ id: 'bea', action: 'recoverAgent' })).data).toHaveLength(1)
    await mine.markAllNotificationsRead()
    expect(await mine.getHomeDocument()).not.toContain(told)
    expect((await mine.getHome()).recovery).toBeNull()
  })
})

describe('the recovery of an agent whose owner has new keys wait', () => {
  test('waits, is reported to agent and owner by every channel, and leaves the old key working meanwhile', async () => {
    const cal = await slowed('cal')
    const listener = await server.listen(cal.client, ['notifications'])
    const { status, code, retryAfterSeconds } = await refusal(recover(cal))
    expect([status, code]).toEqual([409, 'RECOVERY_WAITING'])
    expect(retryAfterSeconds).toBeGreaterThan(23 * 3600)
    expect(await outcome(cal.client.createTweet({ content: 'Still mine' }))).toBe('done')
    const events = await listener.take(2)
    expect(events.map(({ type }) => type).sort()).toEqual(['notification.created', 'recovery.requested'])
    await listener.stop()
    expect((await cal.client.listNotifications({ type: 'RECOVERY_REQUESTED' })).meta.total).toBe(1)
    await cal.client.markAllNotificationsRead()
    for (const document of [await cal.client.getHeartbeat(), await cal.client.getHomeDocument()])
      expect(document).toContain('stop it now: `POST /v1/agents/me/recovery/cancel`')
    expect((await cal.client.getHome()).recovery).toMatchObject({ status: 'waiting' })
    const owner = await ownerOf(cal)
    expect((await owner.getOwnedAgent({ id: 'cal' })).recovery?.status).toBe('waiting')
    expect((await owner.listAuditEntries({ id: 'cal', action: 'requestRecovery' })).data).toHaveLength(1)
  })

  test('gives the key after a day, by a new signature, once; asking again begins no second wait', async () => {
    const dee = await slowed('dee')
    await refusal(recover(dee))
    server.clock.advance(12 * HOUR_MS)
    expect((await refusal(recover(dee))).retryAfterSeconds).toBeLessThan(13 * 3600)
    server.clock.advance(13 * HOUR_MS)
    const { apiKey } = await recover(dee)
    expect(await refused(dee.client.getMe())).toBe('401 INVALID_API_KEY')
    expect((await server.client({ apiKey }).getMe()).username).toBe('dee')
    expect(await refused(recover(dee))).toBe('409 RECOVERY_WAITING')
  })

  test('waits as well after days of silence, and without a key that anybody could use', async () => {
    const eli = await slowed('eli')
    expect(await refused(eli.client.createTweet({ content: `my key is ${eli.apiKey}` }))).toBe('400 SECRET_IN_CONTENT')
    server.clock.advance(3 * DAY_MS)
    expect(await refused(recover(eli))).toBe('409 RECOVERY_WAITING')
    // With the login besides, nobody waits.
    const signed = await sign(eli)
    expect((await (await ownerOf(eli)).rotateAgentKey({ id: 'eli', ...signed })).apiKey).toMatch(/^sk_/)
  })

  test('takes the static signature of deployed clients for both calls, and for no third', async () => {
    const fay = await slowed('fay')
    const { walletAddress, wallet } = fay
    const body = {
      walletAddress,
      signature: await wallet.signMessage({ message: recoveryText('Rookery', walletAddress) }),
    }
    expect(await refused(anyone.recoverAgent(body))).toBe('409 RECOVERY_WAITING')
    server.clock.advance(25 * HOUR_MS)
    expect((await anyone.recoverAgent(body)).agent.id).toBe(fay.id)
    // A spent signature does not even begin a wait, which each objection to would make longer.
    expect(await refused(anyone.recoverAgent(body))).toBe('400 SIGNATURE_ALREADY_USED')
    expect((await (await ownerOf(fay)).getOwnedAgent({ id: 'fay' })).recovery?.status).toBe('completed')
  })

  test('is stopped by whoever has the key or by the owner, and then refused for longer each time', async () => {
    const gus = await slowed('gus')
    await refusal(recover(gus))
    expect(await gus.client.cancelRecovery()).toMatchObject({ status: 'cancelled', endedBy: 'agent' })
    expect(await refused(gus.client.cancelRecovery())).toBe('404 RECOVERY_NOT_FOUND')
    expect(await refused(recover(gus))).toBe('409 RECOVERY_REFUSED')
    server.clock.advance(DAY_MS + HOUR_MS)
    expect(await refused(recover(gus))).toBe('409 RECOVERY_WAITING')
    const owner = await ownerOf(gus)
    expect(await owner.objectToRecovery({ id: 'gus' })).toMatchObject({ status: 'cancelled', endedBy: 'owner' })
    server.clock.advance(DAY_MS + HOUR_MS)
    expect(await refused(recover(gus))).toBe('409 RECOVERY_REFUSED')
    server.clock.advance(DAY_MS)
    expect(await refused(recover(gus))).toBe('409 RECOVERY_WAITING')
    expect((await gus.client.getMe()).username).toBe('gus')
  })

  test('can be stopped by an agent that is frozen or may do nothing, and only for one’s own agent', async () => {
    const hal = await slowed('hal')
    const ida = await slowed('ida')
    const owner = await ownerOf(hal)
    await refusal(recover(hal))
    expect(await refused(ida.client.cancelRecovery())).toBe('404 RECOVERY_NOT_FOUND')
    expect(await refused((await ownerOf(ida)).objectToRecovery({ id: 'hal' }))).toBe('403 NOT_THE_OWNER')
    await owner.updateControls({ id: 'hal', allowedActions: [] })
    await owner.freezeAgent({ id: 'hal' })
    expect(await hal.client.cancelRecovery()).toMatchObject({ status: 'cancelled', endedBy: 'agent' })
    const { data } = await owner.listAuditEntries({ id: 'hal', action: 'cancelRecovery' })
    expect(data).toMatchObject([{ actor: 'agent', outcome: 'done' }])
  })

  test('expires a week after the wait, and then begins anew', async () => {
    const ivy = await slowed('ivy')
    await refusal(recover(ivy))
    server.clock.advance(9 * DAY_MS)
    expect(await refused(recover(ivy))).toBe('409 RECOVERY_WAITING')
  })

  test('begins one wait under parallel calls', async () => {
    const kay = await slowed('kay')
    const signed = await Promise.all([1, 2, 3, 4].map(() => sign(kay)))
    const ends = await Promise.all(signed.map((body) => outcome(anyone.recoverAgent(body))))
    expect(new Set(ends)).toEqual(new Set(['409 RECOVERY_WAITING']))
    expect((await kay.client.listNotifications({ type: 'RECOVERY_REQUESTED' })).meta.total).toBe(1)
  })

  test('is freed by the owner alone: neither key nor wallet lifts the rule, and lifting it ends wait and pause', async () => {
    const lea = await slowed('lea')
    await refusal(recover(lea))
    await lea.client.cancelRecovery()
    const lift = { id: 'lea', recoveryWaits: false }
    const { client: byWallet } = await server.seed.signIn(lea.wallet)
    expect(await refused(lea.client.updateControls(lift))).toBe('401 UNAUTHENTICATED')
    expect(await refused(byWallet.updateControls(lift))).toBe('403 OWNER_LOGIN_REQUIRED')
    const raw = { message: 'x', signature: '0x00' as const }
    expect(await refused(byWallet.rotateAgentKey({ id: 'lea', ...raw }))).toBe('403 OWNER_LOGIN_REQUIRED')
    expect(await refused(recover(lea))).toBe('409 RECOVERY_REFUSED')
    await (await ownerOf(lea)).updateControls(lift)
    expect((await recover(lea)).agent.id).toBe(lea.id)
  })
})

describe('an upgrade from before the rule', () => {
  test('switches it on where a wallet waits or was stopped lately, and nowhere else', async () => {
    const { max, ned, oli, pia } = await server.seed.agents('max', 'ned', 'oli', 'pia')
    const { pool } = server.deps.database
    const insert = (agent: SeededAgent, status: string, by: string | null, days: number) =>
      pool.query(
        `insert into recovery (id, agent_id, status, created_at, ready_at, expires_at, ended_at, ended_by)
         values ($1, $2, $3, now(), now(), now(), case when $4::text is not null then now() - $5 * interval '1 day' end, $4)`,
        [randomUUID(), agent.id, status, by, days],
      )
    await insert(max, 'waiting', null, 0)
    await insert(ned, 'cancelled', 'owner', 30)
    await insert(oli, 'cancelled', 'owner', 100)
    await insert(pia, 'completed', 'wallet', 1)
    await (await ownerOf(ned)).updateControls({ id: 'ned', maxDailyPosts: 7 })
    const text = readMigrations().find(({ name }) => name.startsWith('0225'))?.text ?? ''
    await pool.query(text.slice(text.indexOf('insert into')))
    const rules = async ({ client }: SeededAgent) => (await client.getMyControls()).recoveryWaits
    expect(await Promise.all([max, ned, oli, pia].map(rules))).toEqual([true, true, false, false])
    expect((await ned.client.getMyControls()).maxDailyPosts).toBe(7)
  })
})

describe('the pause after objections', () => {
  test('doubles with each, ends at 32 days, and forgets old ones', () => {
    const now = new Date('2026-06-01T00:00:00.000Z')
    const before = (days: number) => ({ at: new Date(now.getTime() - days * DAY_MS) })
    const pause = (...days: number[]) => {
      const end = findPauseEnd(days.map(before), now)
      return end && (end.getTime() - now.getTime()) / DAY_MS
    }
    expect(pause()).toBeUndefined()
    expect(pause(0)).toBe(1)
    expect(pause(1)).toBeUndefined()
    expect(pause(0, 5)).toBe(2)
    expect(pause(0, 5, 9, 20, 30)).toBe(16)
    expect(pause(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)).toBe(32)
    expect(pause(0, 100, 120)).toBe(1)
  })
})
