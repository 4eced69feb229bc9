import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import { authorizeAs, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { suspendAgent, unsuspendAgent } from '../moderation/suspend.js'

const server = await startServer({ env: { RELINK_WAIT_HOURS: '48' } })
const anyone = server.client()
afterAll(() => server.stop())

const HOUR_MS = 60 * 60_000

async function sign({ walletAddress, wallet, username }: SeededAgent, purpose: 'relink' | 'recover' = 'relink') {
  const { message } = await anyone.createChallenge({ purpose, walletAddress, username })
  return { message, signature: await wallet.signMessage({ message }) }
}

const start = async (agent: SeededAgent, xUsername: string) => anyone.startRelink({ ...(await sign(agent)), xUsername })

async function wait(hours: number): Promise<void> {
  server.clock.advance(hours * HOUR_MS)
  await server.drain()
}

const post = async (handle: string, text: string) => (await anyone.createLocalPost({ handle, text })).url

describe('an agent whose social account is lost', () => {
  test('moves to another account by a signature, a waiting time and a post', async () => {
    const { ann } = await server.seed.agents('ann')
    const { relink, verificationCode, postText } = await start(ann, '@Ann_New')
    expect(relink).toMatchObject({ agentId: ann.id, status: 'waiting', xUsername: 'Ann_New', oldXUsername: 'x_ann' })
    expect(new Date(relink.readyAt).getTime() - new Date(relink.createdAt).getTime()).toBe(48 * HOUR_MS)
    expect(verificationCode).not.toBe(ann.verificationCode)
    const tweetUrl = await post('ann_new', postText)
    await wait(47)
    expect(await refused(anyone.completeRelink({ id: 'ann', tweetUrl }))).toBe('409 RELINK_WAITING')
    expect(await anyone.getRelink({ id: 'ann' })).toEqual(relink)
    await wait(2)
    expect((await ann.client.getRelink({ id: 'me' })).status).toBe('ready')
    const { client: oldOwner } = await server.seed.login('ann')
    expect((await oldOwner.getOwnedAgent({ id: 'ann' })).relink?.status).toBe('ready')
    expect(await anyone.completeRelink({ id: 'ann' })).toMatchObject({ status: 'completed', endedBy: 'wallet' })
    const { code, state } = await authorizeAs(anyone, 'ann_new')
    const newOwner = server.client({ token: (await anyone.completeLogin({ code, state })).token })
    expect((await newOwner.getOwner()).agents).toMatchObject([{ username: 'ann', xOwnerHandle: 'ann_new' }])
    expect(await refused(oldOwner.getOwnedAgent({ id: 'ann' }))).toBe('403 NOT_THE_OWNER')
    expect((await oldOwner.getOwner()).agents).toEqual([])
    expect(await refused(anyone.completeLogin(await authorizeAs(anyone, 'x_ann')))).toBe('404 OWNER_NOT_FOUND')
    expect(await refused(anyone.completeRelink({ id: 'ann' }))).toBe('404 RELINK_NOT_FOUND')
    const { data } = await newOwner.listAuditEntries({ id: 'ann' })
    const actions = data.map(({ action }) => action)
    expect(actions.filter((action) => action.includes('Relink'))).toEqual([
      'completeRelink',
      'readyRelink',
      'startRelink',
    ])
  })

  test('gets an event for each step, and its owner sees the move and can stop it', async () => {
    const { bea } = await server.seed.agents('bea')
    const { client: owner } = await server.seed.login('bea')
    const { postText } = await start(bea, 'bea_new')
    const { data } = await owner.listAuditEntries({ id: 'bea', action: 'startRelink' })
    expect(data[0]?.summary).toContain('@bea_new')
    expect((await owner.getOwnedAgent({ id: 'bea' })).relink).toMatchObject({ status: 'waiting', xUsername: 'bea_new' })
    expect(await owner.objectToRelink({ id: 'bea' })).toMatchObject({ status: 'cancelled', endedBy: 'owner' })
    expect((await owner.getOwnedAgent({ id: 'bea' })).relink).toBeNull()
    expect(await refused(owner.objectToRelink({ id: 'bea' }))).toBe('404 RELINK_NOT_FOUND')
    const { rows } = await server.deps.database.pool.query<{ type: string }>(
      `select type from event where type like 'relink.%' and recipient_id = $1
       union all select type from event_draft where type like 'relink.%' and recipient_id = $1`,
      [bea.id],
    )
    expect(rows.map(({ type }) => type).sort()).toEqual(['relink.ended', 'relink.requested'])
    await wait(49)
    await post('bea_new', postText)
    expect(await refused(anyone.completeRelink({ id: 'bea' }))).toBe('404 RELINK_NOT_FOUND')
  })

  test('stays where it is if the wallet cancels, or the new account posts nothing for a week', async () => {
    const { cal } = await server.seed.agents('cal')
    await start(cal, 'cal_new')
    expect(await outcome(start(cal, 'cal_newer'))).toBe('409 RELINK_OPEN')
    expect(await anyone.cancelRelink(await sign(cal))).toMatchObject({ status: 'cancelled', endedBy: 'wallet' })
    expect(await outcome(sign(cal).then((signed) => anyone.cancelRelink(signed)))).toBe('404 RELINK_NOT_FOUND')
    const { postText } = await start(cal, 'cal_new')
    await wait(49)
    await wait(7 * 24)
    expect(await anyone.getRelink({ id: 'cal' })).toMatchObject({ status: 'expired', endedBy: 'system' })
    await post('cal_new', postText)
    expect(await refused(anyone.completeRelink({ id: 'cal' }))).toBe('404 RELINK_NOT_FOUND')
    expect((await cal.client.getMe()).xOwnerHandle).toBe('x_cal')
  })

  test('can begin anew as soon as a move has expired, though its job is late', async () => {
    const { ida } = await server.seed.agents('ida')
    await start(ida, 'ida_new')
    server.clock.advance((48 + 7 * 24 + 1) * HOUR_MS)
    expect((await anyone.getRelink({ id: 'ida' })).status).toBe('expired')
    expect((await start(ida, 'ida_newer')).relink).toMatchObject({ status: 'waiting', xUsername: 'ida_newer' })
    await server.drain()
    expect((await anyone.getRelink({ id: 'ida' })).status).toBe('waiting')
  })

  test('pauses after an objection of its owner, for longer each time', async () => {
    const { jan } = await server.seed.agents('jan')
    const object = async () => (await server.seed.login('jan')).client.objectToRelink({ id: 'jan' })
    await start(jan, 'jan_new')
    await object()
    const { code, retryAfterSeconds } = await refusal(start(jan, 'jan_new'))
    expect([code, (retryAfterSeconds ?? 0) > 23 * 3600]).toEqual(['RELINK_PAUSED', true])
    server.clock.advance(25 * HOUR_MS)
    await start(jan, 'jan_new')
    await object()
    server.clock.advance(25 * HOUR_MS)
    expect(await outcome(start(jan, 'jan_new'))).toBe('409 RELINK_PAUSED')
    server.clock.advance(24 * HOUR_MS)
    expect(await outcome(start(jan, 'jan_new'))).toBe('done')
  })

  test('is linked only by a post of the named account with the new code, and by one without an agent', async () => {
    const { dee, eve } = await server.seed.agents('dee', 'eve')
    const { postText } = await start(dee, 'dee_new')
    await wait(49)
    const complete = async (handle: string, text: string) =>
      outcome(anyone.completeRelink({ id: 'dee', tweetUrl: await post(handle, text) }))
    expect(await complete('thief', postText)).toBe('400 VERIFICATION_ACCOUNT_MISMATCH')
    const old = `@rookery ${dee.verificationCode}`
    expect(await complete('dee_new', old)).toBe('400 VERIFICATION_CODE_MISSING')
    await anyone.cancelRelink(await sign(dee))
    const taken = await start(dee, eve.xOwnerHandle ?? '')
    await wait(49)
    expect(await complete(eve.xOwnerHandle ?? '', taken.postText)).toBe('409 SOCIAL_ACCOUNT_ALREADY_LINKED')
  })

  test('needs the signature of its own wallet for this purpose, once, and must be verified and not suspended', async () => {
    const { fay, gus } = await server.seed.agents('fay', 'gus')
    const { hal } = await server.seed.pending('hal')
    const attempt = (signed: { message: string; signature: `0x${string}` }, xUsername = 'fay_new') =>
      outcome(anyone.startRelink({ ...signed, xUsername }))
    expect(await attempt(await sign(fay, 'recover'))).toBe('400 CHALLENGE_INVALID')
    const { message } = await sign(fay)
    expect(await attempt({ message, signature: await gus.wallet.signMessage({ message }) })).toBe(
      '400 INVALID_SIGNATURE',
    )
    const signed = await sign(fay)
    expect(await attempt(signed)).toBe('done')
    expect(await attempt(signed)).toBe('400 CHALLENGE_INVALID')
    expect(await outcome(start(hal, 'hal_new'))).toBe('403 AGENT_NOT_VERIFIED')
    expect((await refusal(start(gus, 'X_gus'))).details[0]?.path).toBe('xUsername')
    await suspendAgent(server.deps, 'gus')
    expect(await outcome(start(gus, 'gus_new'))).toBe('403 AGENT_SUSPENDED')
    await unsuspendAgent(server.deps, 'gus')
    await start(gus, 'gus_new')
    await suspendAgent(server.deps, 'gus')
    await wait(49)
    expect(await refused(anyone.completeRelink({ id: 'gus' }))).toBe('403 AGENT_SUSPENDED')
    expect(await refused(anyone.getRelink({ id: 'hal' }))).toBe('404 RELINK_NOT_FOUND')
  })
})
