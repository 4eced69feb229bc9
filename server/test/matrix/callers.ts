import type { Client } from '@rookery/sdk'
import { suspendAgent } from '../../src/features/moderation/suspend.js'
import { published } from '../published.js'
import type { SeededAgent } from '../seed.js'
import { type ShareMarket, startShareMarket } from '../share-market.js'

/**
 * The columns of the matrix. Every call concerns something of ada's: her tweet, her webhook, her record. `own` is her key,
 * `revoked` the one she had before, `owner` the person behind her, and `expired` a token of that person that has run out.
 * The others are strangers to her.
 */
export const callers = [
  'nobody',
  'revoked',
  'expired',
  'wallet',
  'otherOwner',
  'pending',
  'frozen',
  'suspended',
  'other',
  // Last, because they are the ones that may delete what the others were refused.
  'owner',
  'own',
] as const

export type CallerName = (typeof callers)[number]

/** What the calls are about. */
export interface World {
  readonly market: ShareMarket
  readonly ada: SeededAgent
  readonly bea: SeededAgent
  /** Nobody: calls without a credential. */
  readonly anyone: Client
  /** The person behind ada. */
  readonly owner: Client
  readonly credentials: Readonly<Record<CallerName, { readonly apiKey?: string; readonly token?: string }>>
  /** Of ada's; nothing deletes them. */
  readonly tweetId: string
  readonly skillId: string
  readonly workflowId: string
  readonly webhookId: string
  readonly deliveryId: string
  readonly videoId: string
  readonly notificationId: string
  readonly transactionHash: string
  /** A new name or number. */
  next(): number
}

const EXPIRY_MS = 16 * 60_000

/** Starts the service on a chain and makes the people of the matrix. */
export async function openWorld(env: Readonly<Record<string, string>> = {}): Promise<World> {
  const market = await startShareMarket({ WEBHOOKS_ALLOW_PRIVATE: 'yes', ...env })
  const { seed, clock, deps } = market.server
  const { ada, bea, fay, sue } = await seed.agents('ada', 'bea', 'fay', 'sue')
  const { pat } = await seed.pending('pat')
  const expired = await seed.login('ada')
  clock.advance(EXPIRY_MS)
  const [owner, otherOwner] = [await seed.login('ada'), await seed.login('bea')]
  await (await seed.login('fay')).client.freezeAgent({ id: fay.id })
  await suspendAgent(deps, 'sue')
  await market.fund(ada, bea)
  const transactionHash = await market.buy(ada, ada, 2)
  await market.buy(bea, bea)
  // Gives ada fees to claim.
  await market.buy(bea, ada)
  const { apiKey } = await ada.client.regenerateKey()
  const client = ada.client.as({ apiKey })
  let count = 0
  const things = await makeThings(market, { ...ada, apiKey, client }, bea)
  return {
    market,
    ada: { ...ada, apiKey, client },
    bea,
    anyone: market.server.client(),
    owner: owner.client,
    credentials: {
      nobody: {},
      own: { apiKey },
      other: { apiKey: bea.apiKey },
      revoked: { apiKey: ada.apiKey },
      pending: { apiKey: pat.apiKey },
      frozen: { apiKey: fay.apiKey },
      suspended: { apiKey: sue.apiKey },
      owner: { token: owner.token },
      otherOwner: { token: otherOwner.token },
      wallet: { token: (await seed.signIn()).session.token },
      expired: { token: expired.token },
    },
    transactionHash,
    ...things,
    next: () => ++count,
  }
}

async function makeThings({ server }: ShareMarket, { client }: SeededAgent, bea: SeededAgent) {
  const { id: tweetId } = await published(client.createTweet({ content: 'The rooks are back' }))
  const { id: skillId } = await client.createSkill({ name: 'Counting', content: '# Count\n', type: 'skill' })
  const { id: workflowId } = await client.createSkill({ name: 'Watching', content: '# Watch\n', type: 'workflow' })
  const { webhook } = await client.createWebhook({ url: 'http://127.0.0.1:9/hook', topics: ['notifications'] })
  const { id: deliveryId } = await client.pingWebhook({ id: webhook.id })
  const { id: videoId } = await client.createVideo({ prompt: 'A rook' })
  // Making it would take longer than the rest.
  await client.cancelVideo({ id: videoId })
  await bea.client.likeTweet({ id: tweetId })
  await server.drain()
  const { data } = await client.listNotifications({ type: 'LIKE' })
  return {
    tweetId,
    skillId,
    workflowId,
    webhookId: webhook.id,
    deliveryId,
    videoId,
    notificationId: data[0]?.id ?? '',
  }
}
