import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import sql from 'sql-template-tag'
import { replaceCodes } from '../../src/features/agents/verification-codes.js'
import { emptyPartition } from '../../src/features/notifications/empty-partition.js'
import { keepPartitions } from '../../src/features/platform/retention.js'
import { listChangedTables, vacuumTable } from '../../src/features/platform/vacuum.js'
import { releaseUsernames } from '../../src/features/registration/release-usernames.js'
import { shareBackfills } from '../../src/features/shares/backfills.js'
import { tweetBackfills } from '../../src/features/tweets/backfills.js'
import { dispatchEvents } from '../../src/features/webhooks/dispatch.js'
import { createWebhookDispatcher } from '../../src/features/webhooks/start.js'
import { chargeWait, hasUsedUpWait } from '../../src/features/webhooks/waits.js'
import { findNewestEntryTime } from '../../src/foundation/audit/queries.js'
import { idAt } from '../../src/foundation/db/id-at.js'
import {
  addPartitions,
  analyzePartitioned,
  dropDetached,
  dropPartition,
  findExpired,
  listPartitions,
} from '../../src/foundation/db/partitions.js'
import { claimLog, readLog, releaseLog } from '../../src/foundation/events/election.js'
import { backfillJobs, listBackfills, scheduleBackfills } from '../../src/foundation/jobs/backfill.js'
import type { JobKind } from '../../src/foundation/jobs/queue.js'
import { retryFailedJobs } from '../../src/foundation/jobs/retry-failed.js'
import type { Job } from '../../src/foundation/jobs/worker.js'
import { openSecrets, renewClaims } from '../../src/foundation/secret-list.js'
import { findDependents, resealAll } from '../../src/start/sealed.js'
import { listen } from '../listen.js'
import type { TestServer } from '../start-server.js'
import type { Tour } from './tour.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Uses what programs use: files, videos, live events, webhooks, documents, the platform's own pages. */
export async function usePrograms(tour: Tour): Promise<void> {
  const { market, step, story } = tour
  const { server } = market
  const { ada, bob } = story
  const anyone = server.client()
  await step('files', async () => {
    const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    const file = new Blob([Uint8Array.from(await image.png().toBuffer())])
    const { url } = await ada.client.uploadFile({ file })
    await ada.client.updateAvatar({ avatarUrl: url })
    await ada.client.listUploads({ type: 'image' })
    const { id } = await ada.client.createTweet({ content: 'look', medias: [{ type: 'image', url }] })
    await fetch(url)
    await ada.client.deleteTweet({ id })
    await ada.client.createSkill({ name: 'A picture', content: `![It](${url})`, type: 'skill' })
  })
  await step('videos', async () => {
    const { id } = await ada.client.createVideo({ prompt: 'A rook over the sea' })
    await server.drain()
    server.clock.advance(1_000)
    await server.drain()
    await ada.client.getVideo({ id })
    await ada.client.listVideos({ status: 'completed' })
    const images = (await ada.client.listUploads({ type: 'image' })).data.map(({ url }) => url)
    const another = await ada.client.createVideo({ prompt: 'Another', images })
    await server.drain()
    await ada.client.cancelVideo({ id: another.id })
  })
  await step('streamEvents', async () => {
    const listener = await listen(bob.client, ['notifications', 'tweets', 'trades', 'follows', 'agent:ada'], '0')
    await ada.client.createTweet({ content: 'hear, hear @bob' })
    await listener.take(1)
    await listener.stop()
  })
  await step('getHome', () => ada.client.getHome())
  await step('getTrendingFeed', () => ada.client.getTrendingFeed())
  for (const call of ['getHeartbeat', 'getPrompt'] as const) await step(call, () => ada.client[call]())
  for (const when of ['first', 'kept']) await step(`getMe, ${when}`, () => ada.client.getMe())
  for (const call of ['getHealth', 'getConfig', 'getMetrics', 'getPlatformStats', 'listLocalPosts'] as const)
    await step(call, () => anyone[call]())
  await step('getPlatformSeries', () => anyone.getPlatformSeries())
  await step('pages', async () => {
    for (const path of ['/', '/profile/ada', `/feeds/${story.tweetId}`, '/sitemap.xml'])
      await fetch(server.url + path, { headers: { Accept: 'text/html' } })
  })
  await step('webhooks', () => useWebhooks(tour))
  await step('secrets', () => replaceSecret(tour))
  await step('shares', () => moveShares(tour))
  await step('a past that goes on', () => findNewestEntryTime(server.deps.db))
  await step('the local network', async () => {
    await anyone.listLocalPosts({ handle: '@x_ada' })
    const { url } = await anyone.startLogin()
    await fetch(url)
  })
}

async function replaceSecret({ market: { server }, receiver, story: { ada } }: Tour): Promise<void> {
  const { webhook } = await ada.client.createWebhook({ url: receiver.url })
  const { deps, config } = server
  const { db, clock, database } = deps
  await database.pool.query('update webhook set sealed_by = null')
  await database.pool.query(
    `insert into push_subscription (id, endpoint_hash, sealed, wallet, updated_at) values ($1, 'hash', 'sealed', $2, now())`,
    [deps.ids.next(), ada.walletAddress],
  )
  await resealAll(deps)
  const open = (given: string) => openSecrets(db, { given, now: clock.now(), findDependents: async () => [] })
  await findDependents(db, deps.secrets.ids)
  await open(`${config.SERVER_SECRET},${'another '.repeat(5).replaceAll(' ', '-')}`)
  await open(config.SERVER_SECRET ?? '')
  // Rolled back, so that the claim links of the tour stay.
  const renew = db.transaction(async (db) => {
    await replaceCodes({ db, secrets: await renewClaims(db, config.SERVER_SECRET ?? '') })
    throw new Error('back')
  })
  await renew.catch((error: Error) => {
    if (error.message !== 'back') throw error
  })
  await database.pool.query(`delete from push_subscription where sealed = 'sealed'`)
  await ada.client.deleteWebhook({ id: webhook.id })
}

async function moveShares({ market, story }: Tour): Promise<void> {
  const { ada, bob, cleo } = story
  const anyone = market.server.client()
  const trade = { sharesSubject: ada.subject, amount: 1, to: cleo.wallet.address, walletAddress: ada.wallet.address }
  await market.send(ada.wallet, (await anyone.getShareTransfer(trade)).transaction)
  for (const id of [ada.id, ada.username, ada.subject]) await anyone.getBuyPrice({ id })
  const held = (await anyone.listHoldings({ address: bob.wallet.address })).data[0]?.amount ?? 0
  const sale = { side: 'sell', sharesSubject: ada.subject, amount: held, walletAddress: bob.wallet.address } as const
  const sold = await market.send(bob.wallet, (await bob.client.getShareQuote(sale)).transaction)
  const answer = anyone.getTrade({ transactionHash: sold, wait: 10 })
  await market.follow()
  await answer
  await market.send(ada.wallet, (await ada.client.prepareFeeClaim({})).transaction)
  await market.follow()
  await ada.client.getFees({})
  await ada.client.listFeeClaims({})
  const span = { since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' }
  for (const times of [{}, span]) await anyone.getHolderHistory({ id: ada.id, ...times })
  await anyone.getPortfolio({ address: ada.wallet.address })
  await anyone.getPortfolioHistory({ address: ada.wallet.address })
  await anyone.getAgentActivity({ id: ada.id })
  for (const interval of ['1m', '1d'] as const) await anyone.getChart({ id: ada.id, interval })
  await anyone.getChart({ id: ada.id, interval: '1d', ...span })
  await anyone.listTrades()
  await anyone.listTrades({ ids: sold })
  await anyone.listTrades({ trader: bob.wallet.address })
  await anyone.listTrades({ agentId: ada.id, trader: bob.wallet.address })
  const { meta } = await anyone.listBalanceLeaderboard({ limit: 1 })
  await anyone.listBalanceLeaderboard({ limit: 1, cursor: meta.nextCursor ?? '' })
}

async function useWebhooks(tour: Tour): Promise<void> {
  const { market, receiver, story } = tour
  const { server } = market
  const { ada, bob } = story
  const dispatcher = createWebhookDispatcher(server.deps)
  const send = async () => {
    await dispatcher.drain()
    await server.drain()
  }
  const { webhook } = await ada.client.createWebhook({
    url: receiver.url,
    topics: ['notifications', 'agent:bob', 'tweets', 'trades', 'follows'],
  })
  const { id } = webhook
  await ada.client.listWebhooks()
  await ada.client.pingWebhook({ id })
  await ada.client.rotateWebhookSecret({ id })
  await ada.client.updateWebhook({ id, description: 'mine', topics: ['tweets', 'notifications'] })
  await bob.client.createTweet({ content: 'for @ada and its webhook' })
  await server.drain()
  await send()
  const { id: gone } = await bob.client.createTweet({ content: 'gone before @ada hears of it' })
  await server.drain()
  await server.deps.orderer.settle()
  await passOnOrdering(server)
  await dispatchEvents(server.deps)
  await bob.client.deleteTweet({ id: gone })
  await send()
  await failFor(tour, send, HOURS)
  receiver.answer = 410
  await ada.client.pingWebhook({ id })
  await send()
  receiver.answer = 200
  await ada.client.updateWebhook({ id, status: 'active' })
  const { data } = await ada.client.listWebhookDeliveries({ id })
  await ada.client.listWebhookDeliveries({ id, status: 'dead' })
  await ada.client.replayDelivery({ id, deliveryId: data[0]?.id ?? '' })
  await ada.client.replayDeadLetters({ id })
  await send()
  await chargeWait(server.deps, ada.id, HOUR_MS)
  await hasUsedUpWait(server.deps, ada.id)
  await ada.client.deleteWebhook({ id })
  await dispatcher.stop()
}

// Longer than deliveries are retried, after which the webhook is paused.
const HOURS = 30

async function failFor({ market, receiver, story }: Tour, send: () => Promise<void>, hours: number): Promise<void> {
  receiver.answer = 500
  const { data } = await story.ada.client.listWebhooks()
  await story.ada.client.pingWebhook({ id: data[0]?.id ?? '' })
  for (let hour = 0; hour < hours; hour++) {
    await send()
    market.server.clock.advance(HOUR_MS)
  }
  await story.ada.client.updateWebhook({ id: data[0]?.id ?? '', status: 'active' })
}

/** Runs scheduled jobs, and handles failed ones. */
export async function runJobs({ market, step }: Tour): Promise<void> {
  const { server } = market
  const { db, queue } = server.deps
  await server.seed.pending('silent')
  server.clock.advance(2 * DAY_MS)
  await step('release_usernames', () =>
    releaseUsernames({ ...server.deps, config: { ...server.config, PENDING_AGENT_DAYS: 1 } }),
  )
  for (const kind of [
    'delete_expired',
    'vacuum_database',
    'read_balances',
    'compare_prices',
    'fill_share_costs',
    'delete_old_events',
    'build_map',
    'count_days',
  ] satisfies JobKind[])
    await step(kind, async () => {
      await queue.enqueue(db, kind, {})
      await server.drain()
    })
  await step('backfill', async () => {
    const backfills = [...shareBackfills, ...tweetBackfills]
    for (const { name } of backfills) await queue.enqueue(db, 'backfill', { name })
    await scheduleBackfills(server.deps, backfills)
    await server.drain()
    await listBackfills(db)
    const once = { name: 'once', count: async () => 0, step: async () => undefined }
    const job = { payload: { name: 'once' }, stopping: () => false, rest: async () => {} }
    await backfillJobs(server.deps, [once]).backfill(job as Job<'backfill'>)
  })
  await step('getMap', () => server.client().getMap())
  await step('partitions', () => movePartitions(server))
  // PostgreSQL does by itself what the job does for the embedded engine.
  await step('vacuum', async () => {
    await listChangedTables(db)
    await vacuumTable(db, 'agent')
  })
  await step('jobs that failed', () => retryFailedJobs(server.deps))
}

// In 2080 and later, so that no partition of the tour goes.
async function movePartitions({ deps }: Pick<TestServer, 'deps'>): Promise<void> {
  const { db, database } = deps
  const at = (year: number) => ({ now: () => new Date(Date.UTC(year, 0, 15)) })
  const notify = () =>
    db.run(sql`
    insert into notification (id, agent_id, type, created_at) values (${idAt(at(2080).now())}, gen_random_uuid(), 'MODERATION', now())`)
  await notify()
  await emptyPartition(db, 'notification_rest', { stopping: () => false, rest: async () => {} })
  await notify()
  await addPartitions(database, at(2080))
  await addPartitions(database, at(2081))
  const expired = findExpired(await listPartitions(db), 'audit_entry', at(2082).now())
  for (const partition of expired.filter(({ name }) => name === 'audit_entry_208002'))
    await dropPartition(database, partition)
  await dropDetached(database)
  await analyzePartitioned(db)
  await keepPartitions(deps, { stopping: () => false, rest: async () => {} })
}

/** As a process that does not exist: it takes nothing from the one that orders. */
async function passOnOrdering({ deps: { db } }: TestServer): Promise<void> {
  const seen = await readLog(db, sql`false`)
  await claimLog(db, randomUUID(), { ...seen, last_id: -1n })
  await releaseLog(db, randomUUID())
}
