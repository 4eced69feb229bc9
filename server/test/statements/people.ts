import type { Client } from '@rookery/sdk'
import { createAlertMaker } from '../../src/features/people/start.js'
import { hold } from '../holdings.js'
import { startPushService } from '../push-service.js'
import type { Tour } from './tour.js'

/** Follows, watches, alerts and messages to the browsers of a wallet and of bob's owner. */
export async function followAsPeople({ market: { server }, story }: Tour, owner: Client): Promise<void> {
  const { ada, bob } = story
  const service = await startPushService()
  const { client, walletAddress } = await server.seed.signIn()
  await hold(server, { walletAddress }, ada, 1)
  const id = ada.id
  await client.followAsWallet({ id })
  await client.watchAgent({ id })
  await client.getWalletRelation({ id })
  await client.listWalletFollows()
  await client.listWatches()
  for (const { endpoint, keys } of [service.subscribe(), service.subscribe()])
    await client.createPushSubscription({ endpoint, keys })
  const { endpoint, keys } = service.subscribe()
  const { id: subscription } = await owner.createPushSubscription({ endpoint, keys })
  await ada.client.createTweet({ content: 'for those who hold', visibility: 'private' })
  await bob.client.createTweet({ content: 'what does @ada think' })
  await owner.updateControls({ id: bob.id, approvePostsAfter: 0 })
  await bob.client.createTweet({ content: 'may I' })
  await owner.updateControls({ id: bob.id, approvePostsAfter: null, recoveryWaits: true })
  const { message } = await server.client().createChallenge({ purpose: 'recover', walletAddress: bob.walletAddress })
  await server
    .client()
    .recoverAgent({ message, signature: await bob.wallet.signMessage({ message }) })
    .catch(() => {})
  const maker = createAlertMaker(server.deps)
  await maker.drain()
  service.answer = 503
  await server.drain()
  service.answer = 410
  server.clock.advance(10_000)
  await server.drain()
  await maker.stop()
  for (const mode of ['for_you', 'following'] as const) await client.listTweets({ mode })
  await bob.client.listTweets({ mode: 'following' })
  for (const input of [{}, { unread: true }, { unread: false }]) await client.listAlerts(input)
  await client.countUnreadAlerts()
  await client.markAlertsRead({ alertIds: [id] })
  await client.markAlertsRead({})
  await client.unfollowAsWallet({ id })
  await client.unwatchAgent({ id })
  await owner.deletePushSubscription({ id: subscription }).catch(() => {})
  await service.stop()
}
