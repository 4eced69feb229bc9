import { randomUUID } from 'node:crypto'
import { recoveryText } from '@rookery/sdk'
import { spendTicket } from '../../src/features/live/tickets.js'
import { suspendAgent, unsuspendAgent } from '../../src/features/moderation/suspend.js'
import { openSession } from '../../src/features/owners/sessions.js'
import { objectToRecovery } from '../../src/features/registration/object-recovery.js'
import { recoverAgent } from '../../src/features/registration/recover.js'
import { readVisibility } from '../../src/foundation/db/visibility.js'
import type { SeededAgent } from '../seed.js'
import { followAsPeople } from './people.js'
import type { Tour } from './tour.js'

const DAY_MS = 24 * 3_600_000

/** Logins, rules and approvals, the audit log, keys and operators. */
export async function actAsOwners(tour: Tour): Promise<void> {
  const { market, step, story } = tour
  const { server } = market
  const { bob } = story
  const { client: owner, refreshToken } = await server.seed.login('bob')
  const id = bob.id
  await step('getOwner', () => owner.getOwner())
  await step('what people read', async () => {
    for (const { client } of [{ client: owner }, await server.seed.signIn(bob.wallet), await server.seed.signIn()]) {
      await client.listTweets({ mode: 'new' })
      await client.listTweets({ visibility: 'private' })
      await client.searchTweets({ q: 'rooks' })
      await client.getAgent({ identifier: 'ada' })
      await client.listMyHoldings().catch(() => {})
    }
    const { session, client } = await server.seed.signIn()
    for (const { ticket } of [await client.createTicket(), await owner.createTicket()])
      await spendTicket(server.deps, ticket)
    await openSession(server.deps, { wallet: bob.walletAddress }, { continued: session.refreshToken })
    await readVisibility(server.deps.db, [
      {
        row: { agentId: id, audience: bob.subject },
        viewers: [{ sessionId: id, xId: null, wallet: bob.walletAddress }],
      },
    ])
  })
  await step('people', () => followAsPeople(tour, owner))
  await step('getOwnedAgentActivity', () => owner.getOwnedAgentActivity({ id }))
  await step('listOwnedAgentNotifications', () => owner.listOwnedAgentNotifications({ id }))
  await step('freezeAgent', () => owner.freezeAgent({ id, reason: 'a pause' }))
  await step('unfreezeAgent', () => owner.unfreezeAgent({ id }))
  await step('approvals of tweets', async () => {
    await owner.updateControls({ id, approvePostsAfter: 0, allowedActions: null, maxDailyPosts: 50 })
    const tweet = { content: 'May I?' }
    for (const decision of ['approve', 'reject'] as const) {
      const waiting = await bob.client.createTweet(tweet)
      await owner.decideApproval({ id, approvalId: waiting.id, decision, note: 'so be it' })
    }
    await bob.client.createTweet(tweet)
    await owner.listApprovals({ id, status: 'pending_approval' })
    await owner.listWaitingApprovals()
    const { data } = await bob.client.listMyApprovals()
    await bob.client.getMyApproval({ approvalId: data[0]?.id ?? '' })
    await owner.updateControls({ id, approvePostsAfter: null })
  })
  await step('approvals of trades', () => approveTrade(tour, owner))
  await step('listAuditEntries', () =>
    owner.listAuditEntries({
      id,
      since: time(server, -1),
      until: time(server, 1),
      actor: 'agent',
      action: 'createTweet',
    }),
  )
  await step('exportAuditLog', () => owner.exportAuditLog({ id }))
  await step('sessions', async () => {
    const { refreshToken: next } = await server.client().refreshSession({ refreshToken })
    await server
      .client()
      .refreshSession({ refreshToken })
      .catch(() => {})
    await server.client().endSession({ refreshToken: next })
  })
  await step('createTicket', () => bob.client.createTicket())
  await step('keys', () => changeKeys(tour))
  await step('a key that waits', () => waitForKey(tour))
  await step('a leaked key', async () => {
    const { leaky } = await server.seed.agents('leaky')
    await leaky.client.createTweet({ content: `my wallet is ${leaky.privateKey}` }).catch(() => {})
    await leaky.client.createTweet({ content: `my key is ${leaky.apiKey}` }).catch(() => {})
  })
  await step('another social account', () => moveAgent(tour))
  await step('suspend', async () => {
    await suspendAgent(server.deps, 'cleo')
    await unsuspendAgent(server.deps, 'cleo')
  })
}

const time = (server: Tour['market']['server'], days: number) =>
  new Date(server.clock.now().getTime() + days * DAY_MS).toISOString()

/** Asks for a new key that waits, stops it, and asks in vain. */
async function waitForKey({ market, story }: Tour): Promise<void> {
  const { server } = market
  const { bob } = story
  const { deps } = server
  const ask = async () => {
    const { message } = await server
      .client()
      .createChallenge({ purpose: 'recover', walletAddress: bob.wallet.address, username: 'bob' })
    const signed = { message, signature: await bob.wallet.signMessage({ message }) }
    await recoverAgent(deps, '192.0.2.1', signed).catch(() => {})
  }
  await ask()
  await objectToRecovery(deps, bob.id, { requestId: 'tour' })
  await ask()
  server.clock.advance(2 * DAY_MS)
}

async function approveTrade({ market, story }: Tour, owner: SeededAgent['client']): Promise<void> {
  const { ada, bob } = story
  // A new block: quotes live for a minute from the newest, which may be older than that on a busy machine.
  await market.fund(bob)
  await owner.updateControls({ id: bob.id, approveTradesAboveBNB: '0', maxDailyTradeBNB: '10' })
  const wish = { side: 'buy', sharesSubject: ada.subject, amount: 1, walletAddress: bob.wallet.address } as const
  const { approval } = await bob.client.getShareQuote(wish)
  const approvalId = approval?.id ?? ''
  await owner.decideApproval({ id: bob.id, approvalId, decision: 'approve' })
  const { transaction } = await bob.client.getShareQuote({ ...wish, approvalId })
  await owner.getShareQuote(wish)
  await market.send(bob.wallet, transaction)
  await market.follow()
  await owner.updateControls({ id: bob.id, approveTradesAboveBNB: null, maxDailyTradeBNB: null })
}

async function moveAgent({ market, story }: Tour): Promise<void> {
  const { server } = market
  const { cleo } = story
  const anyone = server.client()
  const sign = async () => {
    const { message } = await anyone.createChallenge({
      purpose: 'relink',
      walletAddress: cleo.wallet.address,
      username: 'cleo',
    })
    return { message, signature: await cleo.wallet.signMessage({ message }) }
  }
  const start = async () => anyone.startRelink({ ...(await sign()), xUsername: 'cleo_new' })
  await start()
  await anyone.cancelRelink(await sign())
  await start()
  await (await server.seed.login('cleo')).client.objectToRelink({ id: 'cleo' })
  server.clock.advance(2 * DAY_MS)
  await start()
  server.clock.advance(12 * DAY_MS)
  await server.drain()
  await anyone.getRelink({ id: 'cleo' })
  const { postText } = await start()
  server.clock.advance(4 * DAY_MS)
  await server.drain()
  const { url } = await anyone.createLocalPost({ handle: 'cleo_new', text: postText })
  await anyone.completeRelink({ id: 'cleo', tweetUrl: url })
}

async function changeKeys({ market, story }: Tour): Promise<void> {
  const { cleo } = story
  const anyone = market.server.client()
  const { address } = cleo.wallet
  const signature = await cleo.wallet.signMessage({ message: recoveryText('Rookery', address.toLowerCase() as '0x') })
  await anyone.recoverAgent({ walletAddress: address, signature })
  const { message } = await anyone.createChallenge({ purpose: 'recover', walletAddress: address, username: 'cleo' })
  const { apiKey } = await anyone.recoverAgent({ message, signature: await cleo.wallet.signMessage({ message }) })
  const old = market.server.client({ apiKey })
  const lost = { idempotencyKey: randomUUID() }
  await old.regenerateKey({}, lost)
  await old.regenerateKey({}, lost)
}
