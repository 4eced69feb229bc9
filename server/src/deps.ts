import { join } from 'node:path'
import { acceptedUploads } from '@rookery/api'
import type { Logger } from 'pino'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createEmbedders, type Embedders } from './adapters/embeddings/embedder.js'
import { createLocalEmbedder, localPrecision } from './adapters/embeddings/local.js'
import { createOpenAiEmbedder } from './adapters/embeddings/openai.js'
import { createDiskFiles } from './adapters/files/disk.js'
import type { Files } from './adapters/files/files.js'
import { openS3Files } from './adapters/files/s3.js'
import type { Limiter } from './adapters/limiter/limiter.js'
import { createMemoryLimiter } from './adapters/limiter/memory.js'
import { openRedisLimiter } from './adapters/limiter/redis.js'
import { createLocalLogin } from './adapters/login/local.js'
import type { LoginProvider } from './adapters/login/login-provider.js'
import { createXLogin } from './adapters/login/x.js'
import { createChainlinkPrice } from './adapters/price/chainlink.js'
import type { PriceSource } from './adapters/price/price-source.js'
import { createLocalSocialNetwork } from './adapters/social/local.js'
import type { SocialNetwork } from './adapters/social/social-network.js'
import { createXSocialNetwork } from './adapters/social/x.js'
import { createXOembedSocialNetwork } from './adapters/social/x-oembed.js'
import { createStoryboardMaker } from './adapters/video/local.js'
import { createRemoteMaker } from './adapters/video/remote.js'
import type { VideoMaker } from './adapters/video/video-maker.js'
import { createPeersWaker } from './adapters/wake/peers.js'
import { openRedisWaker } from './adapters/wake/redis.js'
import { loneWaker, type Waker } from './adapters/wake/waker.js'
import { type Clock, createIds, type Ids, systemClock } from './base/clock.js'
import { createTroubles, type Troubles } from './base/troubles.js'
import type { Config } from './config/config.js'
import { createHub, type Hub } from './features/live/hub.js'
import { createUploads, type Uploads } from './features/media/actions.js'
import { createModels, type Models } from './features/search/models.js'
import { createScanner, type Scanner } from './features/skills/scan/scanner.js'
import { createViews, type Views } from './features/tweets/views.js'
import { createDueDeliveries, type DueDeliveries } from './features/webhooks/due.js'
import { createPost, type Post } from './features/webhooks/post.js'
import { createIdentities, type Identities } from './foundation/calls/agent-identities.js'
import { createOwnerTokens, type OwnerTokens } from './foundation/calls/owner-tokens.js'
import { type Chain, createChain } from './foundation/chain/chain.js'
import { type EmbeddedChain, startEmbeddedChain } from './foundation/chain/embedded-chain.js'
import { createHttpRpc } from './foundation/chain/rpc.js'
import { createLanes, type Lanes } from './foundation/db/batch.js'
import { beginDatabase, type OpeningDatabase } from './foundation/db/begin.js'
import type { OpenDatabase } from './foundation/db/connect.js'
import { damageOf } from './foundation/db/damage.js'
import type { Db } from './foundation/db/db.js'
import { migrate } from './foundation/db/migrate.js'
import { createEventLog, type EventLog } from './foundation/events/log.js'
import { type Orderer, startOrderer } from './foundation/events/order.js'
import { type Folder, hasEmbeddedChain } from './foundation/folder/folder.js'
import { createTraffic, type Traffic } from './foundation/jobs/give-way.js'
import { createQueue, type Queue } from './foundation/jobs/queue.js'
import { createLonePeers, type Peers } from './foundation/peers/peers.js'
import { openPostgresPeers } from './foundation/peers/postgres-peers.js'
import { openScratch, type Scratch } from './foundation/scratch.js'
import {
  checkSecret,
  createSecrets,
  readOrMakeOperatorKey,
  readOrMakeSecret,
  type Secrets,
} from './foundation/secrets.js'
import { createMetrics, type Metrics } from './http/metrics.js'

/** Everything the features work with. Each asks only for what it uses. */
export interface Deps {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  readonly ids: Ids
  readonly database: OpenDatabase
  readonly db: Db
  /** Keeps the writes of one agent in order while those of many are done together. */
  readonly lanes: Lanes
  readonly secrets: Secrets
  readonly peers: Peers
  readonly identities: Identities
  readonly ownerTokens: OwnerTokens
  readonly limiter: Limiter
  readonly queue: Queue
  /** What background work gives way to. */
  readonly traffic: Traffic
  /** Where what happens is written for those who listen, how it gets its order, and who tells them. */
  readonly events: EventLog
  readonly orderer: Orderer
  readonly hub: Hub
  /** Posts to addresses that others chose. */
  readonly post: Post
  readonly dueDeliveries: DueDeliveries
  readonly views: Views
  readonly files: Files
  readonly scratch: Scratch
  readonly uploads: Uploads
  readonly scanner: Scanner
  readonly videoMaker: VideoMaker
  readonly social: SocialNetwork
  /** What owners log in with. Absent where verification posts are on X and no X client is configured. */
  readonly login: LoginProvider | undefined
  readonly embedders: Embedders
  readonly searchModels: Models
  /** Absent while no chain is configured. */
  readonly chain: Chain | undefined
  /** Absent where another chain is configured. */
  readonly embeddedChain: EmbeddedChain | undefined
  /** Signs launch permits. Absent on a configured chain without a key for it. */
  readonly operator: PrivateKeyAccount | undefined
  /** Absent where there is no chain or no feed on it. */
  readonly price: PriceSource | undefined
  readonly metrics: Metrics
  readonly troubles: Troubles
  close(): Promise<void>
}

/** What a test may put in the place of the real thing. */
export interface Replacements {
  readonly clock?: Clock
  readonly social?: SocialNetwork
  readonly login?: LoginProvider
  readonly embedders?: Embedders
  readonly videoMaker?: VideoMaker
  readonly chain?: Chain
  readonly embeddedChain?: EmbeddedChain | 'none'
  readonly post?: Post
}

/** Opens everything the configuration asks for. What is opened here, and the database, is closed by `close`, in reverse. */
export async function openDeps(
  config: Config,
  log: Logger,
  replace: Replacements = {},
  opening?: OpeningDatabase,
): Promise<Deps> {
  const opened: (() => Promise<void>)[] = []
  const closing = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    const database = opening ?? (await beginDatabase(config, log))
    opened.push(database.close)
    return { ...(await openAll(config, log, replace, database, opened)), close: closing }
  } catch (error) {
    await closing()
    throw config.DATABASE_URL ? error : (damageOf(config.DATA_DIR, error) ?? error)
  }
}

async function openAll(
  config: Config,
  log: Logger,
  replace: Replacements,
  opening: OpeningDatabase,
  opened: (() => Promise<void>)[],
) {
  const closeLater = <T extends { close(): Promise<void> }>(it: T): T => {
    opened.push(() => it.close())
    return it
  }
  const clock = replace.clock ?? systemClock
  const ids = createIds(clock)
  const begin = (folder: Folder) => beginEmbeddedChain(config, folder, log, replace, opened)
  // Both take a moment, so they start side by side where the folder is known without the database.
  const begunChain = opening.folder.known && (await begin(opening.folder.known))
  const database = await opening.opened
  const { db } = database
  const applied = await migrate(database.pool)
  if (applied.length > 0) log.info({ applied }, 'migrated the database')
  const folder = await opening.folder.claim(db)
  const secrets = createSecrets(config.SERVER_SECRET ?? (await readOrMakeSecret(config.DATA_DIR)))
  await checkSecret(db, secrets)
  const peers = closeLater(await openPeers(config, db, ids.next(), log))
  const { operator, starting } = begunChain ?? (await begin(folder))
  const embeddedChain = await starting
  const chain = replace.chain ?? openChain(config, embeddedChain)
  const queue = createQueue({ clock, ids })
  const identities = createIdentities({ db, secrets, peers })
  const events = createEventLog({ clock })
  const waker = closeLater(await openWaker(config, peers, log))
  const onLate = (error: Error) => log.warn({ message: error.message }, 'events are late')
  const orderer = closeLater(startOrderer({ db, events, waker, isAlone: !config.DATABASE_URL, onError: onLate }))
  const hub = closeLater(createHub({ db, orderer, identities, onError: onLate }))
  const files = closeLater(await openFiles(config))
  const scratch = closeLater(await openScratch({ dataDir: config.DATA_DIR, clock }))
  const embedders = replace.embedders ?? closeLater(openEmbedders(config, clock))
  await folder.settle()
  return {
    config,
    log,
    clock,
    ids,
    database,
    db,
    lanes: createLanes(),
    secrets,
    peers,
    identities,
    ownerTokens: createOwnerTokens({ db, secrets, clock }),
    limiter: closeLater(await openLimiter(config, clock, log)),
    queue,
    traffic: createTraffic(),
    events,
    orderer,
    hub,
    post: replace.post ?? createPost({ allowPrivate: config.WEBHOOKS_ALLOW_PRIVATE === 'yes' }),
    dueDeliveries: createDueDeliveries(),
    views: closeLater(
      createViews({ db, clock, secrets, onError: (error) => log.warn({ message: error.message }, 'views wait') }),
    ),
    files,
    scratch,
    uploads: createUploads({ db, clock, files, scratch }),
    scanner: closeLater(createScanner()),
    videoMaker: closeLater(replace.videoMaker ?? createVideoMaker(config, clock)),
    social: replace.social ?? createSocialNetwork(config, db, clock),
    login: replace.login ?? createLogin(config, clock),
    embedders,
    searchModels: createModels({ db, clock, queue, embedders }),
    chain,
    embeddedChain,
    operator,
    price: openPrice(config, chain, embeddedChain),
    metrics: createMetrics(),
    troubles: createTroubles(),
  }
}

function openChain({ CHAIN_RPC_URL, CONTRACT_ADDRESS, chainId }: Config, embedded?: EmbeddedChain): Chain | undefined {
  if (embedded)
    return createChain({ id: embedded.chainId, contract: embedded.contract, rpc: createHttpRpc(embedded.rpcUrl) })
  if (!CHAIN_RPC_URL || !CONTRACT_ADDRESS) return undefined
  return createChain({ id: chainId, contract: CONTRACT_ADDRESS, rpc: createHttpRpc(CHAIN_RPC_URL) })
}

function openPrice({ PRICE_FEED }: Config, chain?: Chain, embedded?: EmbeddedChain): PriceSource | undefined {
  if (!chain) return undefined
  if (PRICE_FEED) return createChainlinkPrice({ chain, feed: PRICE_FEED })
  // Nobody updates the embedded feed, so it is as good as it ever was.
  const never = { name: 'embedded', updatesWithinMs: Number.POSITIVE_INFINITY }
  return embedded && createChainlinkPrice({ chain, feed: embedded.priceFeed, ...never })
}

async function readOperator(config: Config): Promise<PrivateKeyAccount | undefined> {
  if (config.OPERATOR_PRIVATE_KEY) return privateKeyToAccount(config.OPERATOR_PRIVATE_KEY)
  return hasEmbeddedChain(config) ? privateKeyToAccount(await readOrMakeOperatorKey(config.DATA_DIR)) : undefined
}

async function beginEmbeddedChain(
  config: Config,
  folder: Folder,
  log: Logger,
  replace: Replacements,
  opened: (() => Promise<void>)[],
) {
  const operator = await readOperator(config)
  const starting = openEmbeddedChain(config, folder, operator, log, replace, opened)
  starting.catch(() => {})
  return { operator, starting }
}

async function openEmbeddedChain(
  config: Config,
  folder: Folder,
  operator: PrivateKeyAccount | undefined,
  log: Logger,
  replace: Replacements,
  opened: (() => Promise<void>)[],
): Promise<EmbeddedChain | undefined> {
  if (replace.embeddedChain) return replace.embeddedChain === 'none' ? undefined : replace.embeddedChain
  if (replace.chain || !operator || !hasEmbeddedChain(config)) return undefined
  const { DATA_DIR: dataDir, CHAIN_PORT: port } = config
  const starting = startEmbeddedChain({
    dataDir,
    port,
    operator: operator.address,
    log,
    identity: folder.id,
    mayMake: folder.mayMake('chain'),
  })
  // Registered before it has started: what fails meanwhile must not leave it running.
  opened.push(async () => (await starting.catch(() => undefined))?.close())
  return starting
}

function openFiles(config: Config): Promise<Files> | Files {
  const { FILES, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = config
  if (FILES === 'disk') return createDiskFiles(join(config.DATA_DIR, 'files'))
  const credentials = AWS_ACCESS_KEY_ID &&
    AWS_SECRET_ACCESS_KEY && {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    }
  return openS3Files({
    ...FILES,
    endpoint: config.S3_ENDPOINT,
    region: config.AWS_REGION,
    credentials: credentials || undefined,
  })
}

function createVideoMaker({ VIDEO, VIDEO_API_KEY }: Config, clock: Clock): VideoMaker {
  if (VIDEO === 'local') return createStoryboardMaker()
  const { maxBytes } = acceptedUploads.video
  return createRemoteMaker({ url: VIDEO, apiKey: VIDEO_API_KEY, maxBytes, now: () => clock.now().getTime() })
}

function openPeers(config: Config, db: Db, instanceId: string, log: Logger): Promise<Peers> | Peers {
  if (!config.DATABASE_URL) return createLonePeers()
  const onError = (error: Error) => log.warn({ message: error.message }, 'instances cannot hear each other')
  return openPostgresPeers({ db, url: config.DATABASE_URL, instanceId, onError })
}

function openWaker({ REDIS_URL, DATABASE_URL }: Config, peers: Peers, log: Logger): Promise<Waker> | Waker {
  if (!DATABASE_URL) return loneWaker
  const onError = (error: Error) => log.warn({ message: error.message }, 'instances wake each other late')
  return REDIS_URL ? openRedisWaker({ url: REDIS_URL, onError }) : createPeersWaker({ peers, onError })
}

function openLimiter(config: Config, clock: Clock, log: Logger): Promise<Limiter> | Limiter {
  if (!config.REDIS_URL) return createMemoryLimiter(clock)
  const onError = (error: Error) =>
    log.warn({ message: error.message }, 'Redis is away; limits are counted per instance')
  return openRedisLimiter({ url: config.REDIS_URL, clock, onError })
}

function createSocialNetwork(config: Config, db: Db, clock: Clock): SocialNetwork {
  const now = () => clock.now().getTime()
  if (config.SOCIAL_NETWORK === 'x') return createXSocialNetwork({ bearerToken: config.X_BEARER_TOKEN ?? '', now })
  if (config.SOCIAL_NETWORK === 'x-oembed') return createXOembedSocialNetwork({ now })
  return createLocalSocialNetwork({ db, webUrl: config.webUrl })
}

/** What owners log in with: the network that verification posts are on, and no other. */
export function createLogin(config: Config, clock: Clock): LoginProvider | undefined {
  const now = () => clock.now().getTime()
  const { SOCIAL_NETWORK, X_CLIENT_ID: clientId, X_CLIENT_SECRET: clientSecret, webUrl, HOST, PORT } = config
  if (SOCIAL_NETWORK === 'local') {
    const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
    return createLocalLogin({ webUrl, ownUrl: `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`, now })
  }
  const accounts = SOCIAL_NETWORK === 'x' ? 'by-id' : 'by-handle'
  return clientId === undefined ? undefined : createXLogin({ clientId, clientSecret, accounts, now })
}

function openEmbedders({ EMBEDDINGS, EMBEDDINGS_MODEL = '', EMBEDDINGS_API_KEY }: Config, clock: Clock): Embedders {
  const isLocal = EMBEDDINGS === 'local'
  const remote = (model: string) =>
    createOpenAiEmbedder({
      baseUrl: EMBEDDINGS,
      model,
      apiKey: EMBEDDINGS_API_KEY,
      now: () => clock.now().getTime(),
    })
  return createEmbedders(isLocal ? createLocalEmbedder() : remote(EMBEDDINGS_MODEL), (model) => {
    const precision = localPrecision(model)
    if (precision) return createLocalEmbedder({ precision })
    return isLocal ? undefined : remote(model)
  })
}
