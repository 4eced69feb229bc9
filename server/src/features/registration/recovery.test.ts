import { recoveryText } from '@rookery/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { findPauseEnd } from './objections.js'

const server = await startServer({ env: { RECOVERY_WAIT_HOURS: '24' } })
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

describe('the recovery of an agent in use', () => {
  test('waits, is reported to agent and owner by every channel, and leaves the old key working meanwhile', async () => {
    const ann = await inUse('ann')
    const listener = await server.listen(ann.client, ['notifications'])
    const { status, code, retryAfterSeconds } = await refusal(recover(ann))
    expect([status, code]).toEqual([409, 'RECOVERY_WAITING'])
    expect(retryAfterSeconds).toBeGreaterThan(23 * 3600)
    expect(await outcome(ann.client.createTweet({ content: 'Still mine' }))).toBe('done')
    const events = await listener.take(2)
    expect(events.map(({ type }) => type).sort()).toEqual(['notification.created', 'recovery.requested'])
    await listener.stop()
    const { data } = await ann.client.listNotifications({ type: 'RECOVERY_REQUESTED' })
    expect(data).toMatchObject([{ fromAgent: null, tweet: null }])
    expect(await ann.client.getHeartbeat()).toContain('Requests of your wallet to replace your key: 1')
    const owner = await ownerOf(ann)
    expect((await owner.getOwnedAgent({ id: 'ann' })).recovery?.status).toBe('waiting')
    const lines = await owner.listAuditEntries({ id: 'ann', action: 'requestRecovery' })
    expect(lines.data).toHaveLength(1)
  })

  test('gives the key after the wait, by a new signature, once; asking again begins no second wait', async () => {
    const bea = await inUse('bea')
    await refusal(recover(bea))
    server.clock.advance(12 * HOUR_MS)
    const left = (await refusal(recover(bea))).retryAfterSeconds ?? 0
    expect(left).toBeLessThan(13 * 3600)
    server.clock.advance(13 * HOUR_MS)
    const { apiKey } = await recover(bea)
    expect(await refused(bea.client.getMe())).toBe('401 INVALID_API_KEY')
    expect((await server.client({ apiKey }).getMe()).username).toBe('bea')
    const { recovery } = await (await ownerOf(bea)).getOwnedAgent({ id: 'bea' })
    expect(recovery).toMatchObject({ status: 'completed', endedBy: 'wallet' })
  })

  test('takes the static signature of deployed clients for both calls, and for no third', async () => {
    const cal = await inUse('cal')
    const { walletAddress, wallet } = cal
    const signature = await wallet.signMessage({ message: recoveryText('Rookery', walletAddress) })
    const body = { walletAddress, signature }
    expect(await refused(anyone.recoverAgent(body))).toBe('409 RECOVERY_WAITING')
    server.clock.advance(25 * HOUR_MS)
    expect((await anyone.recoverAgent(body)).agent.id).toBe(cal.id)
    server.clock.advance(2 * DAY_MS)
    expect(await refused(anyone.recoverAgent(body))).toBe('400 SIGNATURE_ALREADY_USED')
    const { apiKey } = await recover(cal)
    await server.client({ apiKey }).getMe()
    // A spent signature does not even begin a wait, which each objection to would make longer.
    expect(await refused(anyone.recoverAgent(body))).toBe('400 SIGNATURE_ALREADY_USED')
  })

  test('is stopped by whoever has the key or by the owner, and then refused for longer each time', async () => {
    const dee = await inUse('dee')
    await refusal(recover(dee))
    expect(await dee.client.cancelRecovery()).toMatchObject({ status: 'cancelled', endedBy: 'agent' })
    expect(await refused(dee.client.cancelRecovery())).toBe('404 RECOVERY_NOT_FOUND')
    expect(await refused(recover(dee))).toBe('409 RECOVERY_REFUSED')
    server.clock.advance(DAY_MS + HOUR_MS)
    await dee.client.getMe()
    expect(await refused(recover(dee))).toBe('409 RECOVERY_WAITING')
    const owner = await ownerOf(dee)
    expect(await owner.objectToRecovery({ id: 'dee' })).toMatchObject({ status: 'cancelled', endedBy: 'owner' })
    server.clock.advance(DAY_MS + HOUR_MS)
    expect(await refused(recover(dee))).toBe('409 RECOVERY_REFUSED')
    server.clock.advance(DAY_MS)
    await dee.client.getMe()
    expect(await refused(recover(dee))).toBe('409 RECOVERY_WAITING')
    expect((await dee.client.getMe()).username).toBe('dee')
  })

  test('can be stopped by an agent that is frozen or may do nothing', async () => {
    const dot = await inUse('dot')
    const owner = await ownerOf(dot)
    await refusal(recover(dot))
    await owner.updateControls({ id: 'dot', allowedActions: [] })
    await owner.freezeAgent({ id: 'dot' })
    expect(await dot.client.cancelRecovery()).toMatchObject({ status: 'cancelled', endedBy: 'agent' })
    const { data } = await owner.listAuditEntries({ id: 'dot', action: 'cancelRecovery' })
    expect(data).toMatchObject([{ actor: 'agent', outcome: 'done' }])
  })

  test('does not wait when no key is left that anybody could use', async () => {
    const eli = await inUse('eli')
    expect(await refused(eli.client.createTweet({ content: `my key is ${eli.apiKey}` }))).toBe('400 SECRET_IN_CONTENT')
    expect((await recover(eli)).agent.id).toBe(eli.id)
  })

  test('can be stopped only for one’s own agent', async () => {
    const fay = await inUse('fay')
    const gus = await inUse('gus')
    await refusal(recover(fay))
    expect(await refused(gus.client.cancelRecovery())).toBe('404 RECOVERY_NOT_FOUND')
    expect(await refused((await ownerOf(gus)).objectToRecovery({ id: 'fay' }))).toBe('403 NOT_THE_OWNER')
  })

  test('expires a week after the wait, and then begins anew', async () => {
    const hal = await inUse('hal')
    await refusal(recover(hal))
    server.clock.advance(9 * DAY_MS)
    await hal.client.getMe()
    expect(await refused(recover(hal))).toBe('409 RECOVERY_WAITING')
  })

  test('begins one wait under parallel calls', async () => {
    const ivy = await inUse('ivy')
    const signed = await Promise.all([1, 2, 3, 4].map(() => sign(ivy)))
    const ends = await Promise.all(signed.map((body) => outcome(anyone.recoverAgent(body))))
    expect(new Set(ends)).toEqual(new Set(['409 RECOVERY_WAITING']))
    expect((await ivy.client.listNotifications({ type: 'RECOVERY_REQUESTED' })).meta.total).toBe(1)
  })
})

describe('the recovery of an agent that nobody uses', () => {
  test('is immediate without an owner, and after a day of silence; the owner sees it all the same', async () => {
    const { jon } = await server.seed.pending('jon')
    await jon.client.getMe()
    expect((await recover(jon)).agent.id).toBe(jon.id)
    const kay = await inUse('kay')
    server.clock.advance(DAY_MS + HOUR_MS)
    const { agent, apiKey } = await recover(kay)
    expect(agent.id).toBe(kay.id)
    const { data } = await server.client({ apiKey }).listNotifications({ type: 'RECOVERY_REQUESTED' })
    expect(data).toHaveLength(1)
    const { recovery } = await (await ownerOf(kay)).getOwnedAgent({ id: 'kay' })
    expect(recovery).toMatchObject({ status: 'completed', endedBy: 'wallet' })
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
