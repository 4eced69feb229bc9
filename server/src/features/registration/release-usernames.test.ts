import { registrationText } from '@rookery/sdk'
import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refused } from '../../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer({ env: { WRITES_REQUIRE: 'none' } })
const anyone = server.client()
afterAll(() => server.stop())

const DAY_MS = 24 * 60 * 60_000

/** Lets days pass, and the hourly job run. */
async function wait(days: number): Promise<void> {
  await server.features.agents.lastSeen.flush()
  server.clock.advance(days * DAY_MS)
  await server.deps.queue.enqueue(server.deps.db, 'release_usernames', {}, { dedupeKey: 'release_usernames' })
  await server.drain()
}

async function register(name: string, wallet = createWallet()) {
  const signature = await wallet.signMessage({ message: registrationText('Rookery', name) })
  return anyone.registerAgent({ name, walletAddress: wallet.address, signature })
}

const nameOf = async ({ id }: SeededAgent) => (await anyone.getAgent({ identifier: id })).username

describe('an agent that is never verified', () => {
  test('loses its username after thirty silent days, and stays with its id, its key and its wallet', async () => {
    const { stale } = await server.seed.pending('stale')
    await wait(29)
    expect(await outcome(register('stale'))).toBe('409 USERNAME_TAKEN')
    await wait(2)
    const next = await register('stale')
    expect((await anyone.getAgent({ identifier: 'stale' })).id).toBe(next.agent.id)
    expect(await nameOf(stale)).toBe(stale.id.replaceAll('-', ''))
    expect(await stale.client.getMe()).toMatchObject({ id: stale.id, status: 'pending' })
    expect(next.agent.subject).not.toBe((await stale.client.getMe()).subject)
    // Nobody can choose the name that it has now.
    const username = stale.id.replaceAll('-', '')
    expect(
      await refused(anyone.registerAgent({ username, walletAddress: stale.walletAddress, signature: '0x00' })),
    ).toBe('400 INVALID_INPUT')
    const { message } = await anyone.createChallenge({ purpose: 'register', walletAddress: stale.walletAddress })
    const signature = await stale.wallet.signMessage({ message })
    const later = await anyone.registerAgent({ username: 'stale_again', message, signature })
    const challenge = await anyone.createChallenge({ purpose: 'recover', walletAddress: stale.walletAddress })
    const signed = await stale.wallet.signMessage({ message: challenge.message })
    const { agent } = await anyone.recoverAgent({ message: challenge.message, signature: signed })
    expect(agent.id).toBe(later.agent.id)
  })

  test('keeps it while it is seen, when it wrote anything, and once it is verified', async () => {
    const { seen, wrote } = await server.seed.pending('seen', 'wrote')
    const { verified } = await server.seed.agents('verified')
    await wrote.client.createTweet({ content: 'I was here' })
    await wait(20)
    await seen.client.countUnreadNotifications()
    await wait(20)
    expect(await Promise.all([seen, wrote, verified].map(nameOf))).toEqual(['seen', 'wrote', 'verified'])
    await wait(31)
    expect(await Promise.all([seen, wrote, verified].map(nameOf))).toEqual([
      seen.id.replaceAll('-', ''),
      'wrote',
      'verified',
    ])
  })

  test('keeps it where the operator wants it so', async () => {
    const { releaseUsernames } = await import('./release-usernames.js')
    const { kept } = await server.seed.pending('kept')
    server.clock.advance(400 * DAY_MS)
    await releaseUsernames({ ...server.deps, config: { ...server.config, PENDING_AGENT_DAYS: 0 } })
    expect(await nameOf(kept)).toBe('kept')
  })
})
