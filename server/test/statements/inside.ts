import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { dayOf } from '../../src/base/clock.js'
import { createLastSeen } from '../../src/features/agents/last-seen.js'
import { getAgent, listAgents } from '../../src/features/agents/queries.js'
import { matchCondition } from '../../src/features/agents/search.js'
import { checkDatabase } from '../../src/features/backup/check-database.js'
import { reportBreach } from '../../src/features/control/outside-trades.js'
import { countSettled } from '../../src/features/control/settle-prepared.js'
import { listGoverned } from '../../src/features/control/trade-rules.js'
import { createTradeWatch } from '../../src/features/control/watch-trades.js'
import { findBalance } from '../../src/features/documents/queries.js'
import { listPublicTrending } from '../../src/features/feeds/sources.js'
import { createTicket, spendTicket } from '../../src/features/live/tickets.js'
import { removeUnused } from '../../src/features/media/store.js'
import { invalidatePages } from '../../src/features/notifications/actions.js'
import { completeLogin, startLogin } from '../../src/features/owners/login.js'
import { requireRoomForPending } from '../../src/features/registration/registration-limits.js'
import { activateModel, beginRebuild, dropModel, listModels } from '../../src/features/search/models.js'
import { countDone } from '../../src/features/search/rebuild.js'
import { adoptShares } from '../../src/features/shares/adopt.js'
import { movePriceDays } from '../../src/features/shares/price-days.js'
import { createShareSink } from '../../src/features/shares/sink.js'
import { findSparklines } from '../../src/features/shares/sparklines.js'
import { deleteHashes, listHashes, releaseLease } from '../../src/foundation/chain/cursor.js'
import { openEmbedded } from '../../src/foundation/db/connect.js'
import type { Db } from '../../src/foundation/db/db.js'
import { migrate } from '../../src/foundation/db/migrate.js'
import { createIdempotency } from '../../src/foundation/idempotency.js'
import { createClaims } from '../../src/foundation/jobs/claims.js'
import { openPostgresPeers } from '../../src/foundation/peers/postgres-peers.js'
import { createCheapEmbedder } from '../cheap-embedder.js'
import type { Tour } from './tour.js'

/** Calls directly what a request reaches only after a failure or with a second process. */
export async function reachInside({ market, step, story }: Tour): Promise<void> {
  const { server } = market
  const { deps, clock } = server
  const { db } = deps
  const { ada } = story
  const refused = (work: Promise<unknown>) => work.catch(() => {})

  await step('answers that were lost', async () => {
    const idempotency = createIdempotency(deps)
    const attempt = {
      scope: 'tour',
      key: 'k',
      request: 'r',
      requestId: randomUUID(),
      agentId: ada.id,
      action: 'likeTweet',
    }
    await idempotency.begin(attempt)
    clock.advance(90_000)
    await idempotency.begin(attempt)
    await idempotency.abandon(attempt)
  })
  await step('a balance while the chain is away', () => findBalance({ db, chain: undefined }, ada.walletAddress))
  await step('jobs of other workers', async () => {
    const claims = createClaims(deps)
    const job = { id: randomUUID(), kind: 'publish_tweet', payload: { tweetId: ada.id }, attempts: 1 } as const
    const claimed = { ...job, lock_id: randomUUID(), held: new Set([job.id]) }
    await refused(claims.saveProgress(db, claimed, job.payload))
    await refused(claims.complete(db, claimed, [job.id]))
    await claims.renew(claimed)
    await claims.retryLater(claimed, new Error('lost'))
    await claims.listNext(['publish_tweet'])
  })
  await step('other instances', async () => {
    const nowhere = 'postgres://nobody@127.0.0.1:1/none'
    const peers = await openPostgresPeers({ db, url: nowhere, instanceId: randomUUID(), onError: () => {} })
    await peers.broadcast('topic', 'body')
    await peers.publish('topic', 'body')
    await peers.close()
  })
  await step('a login of a browser', () => refused(completeLogin(deps, { code: 'c', state: 's' }, { browser: 'b' })))
  await step('a login that shows whose handle it is', async () => {
    await server.seed.agents('pia')
    const account = { id: '4242', postsAs: 'handle:x_pia', handle: 'x_pia', name: 'Pia' }
    const login = { authorizationUrl: async () => 'https://x.example', account: async () => account }
    const { state } = await startLogin({ ...deps, login }, {})
    await completeLogin({ ...deps, login }, { code: 'c', state })
  })
  await step('a ticket', async () => {
    const { ticket } = await createTicket(deps, { agentId: ada.id })
    await spendTicket(deps, ticket)
  })
  await step('a post without its address', () => deps.social.findPosts({ terms: ['rooks'], handle: 'x_ada' }))
  await step('a common name', async () => {
    await listAgents(db, { match: await matchCondition(db, 'a', [], 0) })
  })
  await step('what is shown', () => invalidatePages(db))
  await step('trending for everyone', () => listPublicTrending(db, clock.now(), []))
  await step('a file that was never finished', async () => {
    await deps.database.pool.query(
      `insert into file (name, type, size, started_at) values ('unfinished.png', 'image', 1, '2020-01-01')`,
    )
    await removeUnused(deps, [{ name: 'another.png', startedAt: clock.now() }])
  })
  await step('another model', () =>
    runAndRollBack(db, async (db) => {
      const [before] = await listModels(db)
      const model = await beginRebuild({ ...deps, db }, createCheapEmbedder({ model: 'other' }))
      await countDone(db, model)
      await activateModel({ ...deps, db }, model.id)
      await dropModel(db, before?.id ?? 0)
    }),
  )
  await step('the copy of a database', readCopy)
  await step('the chain', async () => {
    const sink = createShareSink(deps, createTradeWatch(deps))
    const lastSeen = createLastSeen({ db, clock, onError: () => {} })
    lastSeen.called(ada.id)
    lastSeen.traded(ada.walletAddress, clock.now())
    await lastSeen.flush()
    await sink.findLastBlock(db, ada.subject)
    await adoptShares(db, await getAgent(db, 'ada'), deps.clock.now())
    await findSparklines(deps, [{ ...(await getAgent(db, 'ada')), launched_at: deps.clock.now() }])
    await runAndRollBack(db, async (db) => {
      await db.run(sql`update agent set day_moves_at = '-infinity'`)
      await movePriceDays({ ...deps, db })
    })
    await listHashes(db, 0)
    await releaseLease(db, randomUUID())
    await runAndRollBack(db, async (db) => {
      const trade = {
        id: randomUUID(),
        transactionHash: `0x${'ab'.repeat(32)}`,
        wallet: ada.walletAddress,
        subject: ada.subject,
        side: 'buy',
        amount: 1,
        receiver: null,
        worthWei: 1n,
        at: clock.now(),
      } as const
      for (const _ of [1, 2])
        await reportBreach(db, deps, trade, { agentId: ada.id, reason: 'not_prepared', worthWei: 1n })
      await countSettled(db, ada.id, dayOf(clock.now()))
      await requireRoomForPending(db, { config: { ...deps.config, RATE_LIMIT_REGISTRATIONS: 1 } }, ada.walletAddress)
      await listGoverned(db, ada.walletAddress, clock.now())
      await sink.undo(db, 0)
      await deleteHashes(db, 0)
    })
  })
}

/** Runs work in a transaction that is rolled back. */
async function runAndRollBack(db: Db, work: (db: Db) => Promise<unknown>): Promise<void> {
  const enough = new Error('enough')
  await db
    .transaction(async (db) => {
      await work(db)
      throw enough
    })
    .catch((error: Error) => {
      if (error !== enough) throw error
    })
}

async function readCopy(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-copy-'))
  try {
    const database = await openEmbedded(folder)
    await migrate(database.pool)
    await database.close()
    await checkDatabase(folder, { mark: undefined, signal: new AbortController().signal })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
