import type { EmbeddedChain } from '@rookery/embedded-chain'
import type { Logger } from 'pino'
import type { Embedders } from '../adapters/embeddings/embedder.js'
import { openEmbedders } from '../adapters/embeddings/open.js'
import { openFiles } from '../adapters/files/open.js'
import { openLimiter } from '../adapters/limiter/open.js'
import type { LoginProvider } from '../adapters/login/login-provider.js'
import { openLogin } from '../adapters/login/open.js'
import { openPrice } from '../adapters/price/open.js'
import { openSocialNetwork } from '../adapters/social/open.js'
import { rememberLookups } from '../adapters/social/remember-lookups.js'
import type { SocialNetwork } from '../adapters/social/social-network.js'
import { openTraces } from '../adapters/traces/open.js'
import { openVideoMaker } from '../adapters/video/open.js'
import type { VideoMaker } from '../adapters/video/video-maker.js'
import { openWaker } from '../adapters/wake/open.js'
import { type Clock, createIds, systemClock } from '../base/clock.js'
import { createDraining } from '../base/draining.js'
import { createHolds, createPrimaryHolds } from '../base/holds.js'
import { createLateClock } from '../base/late-clock.js'
import type { Link } from '../base/link.js'
import { createTroubles } from '../base/troubles.js'
import type { Config } from '../config/config.js'
import type { Deps } from '../deps.js'
import { foldStep } from '../features/deeds/fold.js'
import { findNewestEntryTime } from '../foundation/audit/queries.js'
import { createIdentities } from '../foundation/callers/agent-identities.js'
import { createSessionTokens } from '../foundation/callers/session-tokens.js'
import type { Chain } from '../foundation/chain/chain.js'
import { createLanes } from '../foundation/db/batch.js'
import { beginDatabase, type OpeningDatabase } from '../foundation/db/begin.js'
import { findDamage } from '../foundation/db/damage.js'
import { measurePool } from '../foundation/db/measure-pool.js'
import { migrate, requireMigrated } from '../foundation/db/migrate.js'
import { addPartitions } from '../foundation/db/partitions.js'
import { traceDb } from '../foundation/db/trace-db.js'
import { createEventLog } from '../foundation/events/log.js'
import { startOrderer } from '../foundation/events/order.js'
import type { Folder } from '../foundation/folder/folder.js'
import { createTraffic } from '../foundation/jobs/give-way.js'
import { createQueue } from '../foundation/jobs/queue.js'
import { measureLimiter } from '../foundation/measure-limiter.js'
import { createMediaUrls } from '../foundation/media-urls.js'
import { createMetrics } from '../foundation/metrics.js'
import { openPeers } from '../foundation/peers/open.js'
import { openRefusals } from '../foundation/refusals/refusals.js'
import { openScratch } from '../foundation/scratch.js'
import { openSecrets } from '../foundation/secret-list.js'
import { readOrMakeSecret } from '../foundation/secrets.js'
import { openChain, startChain } from './open-chain.js'
import { findDependents } from './sealed.js'

/** Replacements for tests. */
export interface Replacements {
  readonly clock?: Clock
  readonly social?: SocialNetwork
  readonly login?: LoginProvider
  readonly embedders?: Embedders
  readonly videoMaker?: VideoMaker
  readonly chain?: Chain
  readonly embeddedChain?: EmbeddedChain | 'none'
}

export type OpenDeps = Deps & { close(): Promise<void> }

/** Opens everything that is configured. `close` closes it and the database, in reverse order. */
export async function openDeps(
  config: Config,
  log: Logger,
  replace: Replacements = {},
  opening?: OpeningDatabase,
  primary?: Link,
): Promise<OpenDeps> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const database = opening ?? (await beginDatabase(config, log))
    closers.push(database.close)
    return { ...(await openAll(config, log, replace, database, closers, primary)), close }
  } catch (error) {
    await close()
    throw config.DATABASE_URL ? error : (findDamage(config.DATA_DIR, error) ?? error)
  }
}

async function openAll(
  config: Config,
  log: Logger,
  replace: Replacements,
  opening: OpeningDatabase,
  closers: (() => Promise<void>)[],
  primary: Link | undefined,
): Promise<Deps> {
  const closeLater = <T extends { close(): Promise<void> }>(resource: T): T => {
    closers.push(() => resource.close())
    return resource
  }
  const lateClock = config.CLOCK === 'system' ? undefined : createLateClock(config.CLOCK)
  const clock = replace.clock ?? lateClock ?? systemClock
  const ids = createIds(clock)
  const isWanted = !replace.chain && !replace.embeddedChain
  const start = (folder: Folder) =>
    startChain(config, folder, log, { isWanted, lateClock, closeLater: (close) => void closers.push(close) })
  // Chain and database both take time to start, so they start in parallel if the folder is identified without the database.
  const early = opening.folder.identified && (await start(opening.folder.identified))
  const database = await opening.opened
  const instanceId = ids.next()
  const traces = await openTraces(config, instanceId, log)
  if (traces) closeLater(traces)
  const db = traces ? traceDb(database.db, traces) : database.db
  if (config.MIGRATE === 'never') await requireMigrated(database.pool)
  const applied = config.MIGRATE === 'never' ? [] : await migrate(database.sessions, { log })
  if (applied.length > 0) log.info({ applied }, 'migrated the database')
  await addPartitions(database, clock).catch((error: Error) =>
    log.warn({ message: error.message }, 'partitions are added later'),
  )
  const folder = await opening.folder.claim(db)
  // The time of what was done in an earlier run may not come again.
  if (lateClock) lateClock.moveTo((await findNewestEntryTime(db)) ?? lateClock.now())
  const given = config.SERVER_SECRET ?? (await readOrMakeSecret(config.DATA_DIR))
  const secrets = await openSecrets(db, { given, now: clock.now(), findDependents })
  const peers = closeLater(await openPeers(config, db, instanceId, log))
  const { operator, embedded } = early ?? (await start(folder))
  const embeddedChain = replacedChain(replace) ?? (await embedded)
  const chain = replace.chain ?? openChain(config, embeddedChain, traces)
  const events = createEventLog({ clock })
  const waker = closeLater(await openWaker(config, peers, log))
  const onError = (error: Error) => log.warn({ message: error.message }, 'events are late')
  const orderer = closeLater(
    startOrderer({ db, events, waker, step: foldStep(clock), ...(config.DATABASE_URL && { peers }), onError }),
  )
  const files = closeLater(await openFiles(config, traces))
  const scratch = closeLater(await openScratch({ dataDir: config.DATA_DIR, clock }))
  const embedders = replace.embedders ?? closeLater(openEmbedders(config, clock, traces))
  const metrics = createMetrics(primary)
  measurePool(database.pool, metrics)
  const limiter = measureLimiter(closeLater(await openLimiter(config, clock, log, primary)), metrics)
  const social = replace.social ?? openSocialNetwork(config, db, clock, limiter)
  const refusals = closeLater(
    openRefusals({
      db,
      clock,
      instanceId,
      onError: (error) => log.warn({ message: error.message }, 'refused calls cannot be noted'),
    }),
  )
  await folder.settle()
  return {
    config,
    log,
    clock,
    lateClock,
    ids,
    database,
    db,
    lanes: createLanes(),
    secrets,
    peers,
    identities: createIdentities({ db, secrets, peers }),
    sessionTokens: createSessionTokens({ db, secrets, clock, peers }),
    limiter,
    queue: createQueue({ clock, ids, traces }),
    traffic: createTraffic(),
    holds: primary ? createPrimaryHolds(primary) : createHolds(),
    events,
    orderer,
    files,
    mediaUrls: createMediaUrls({ config, secrets, clock }),
    scratch,
    videoMaker: closeLater(replace.videoMaker ?? openVideoMaker(config, clock)),
    social: social.kind === 'local' ? social : rememberLookups(social, clock),
    login: replace.login ?? openLogin(config, clock),
    embedders,
    chain,
    embeddedChain,
    operator,
    price: openPrice(config, chain, embeddedChain?.priceFeed),
    metrics,
    traces,
    refusals,
    troubles: createTroubles(),
    draining: createDraining(() => peers.isDraining()),
  }
}

function replacedChain({ embeddedChain }: Replacements): EmbeddedChain | undefined {
  return embeddedChain === 'none' ? undefined : embeddedChain
}
