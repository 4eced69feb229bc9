import type { EmbeddedChain } from '@rookery/embedded-chain'
import type { Logger } from 'pino'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Embedders } from './adapters/embeddings/embedder.js'
import type { Files } from './adapters/files/files.js'
import type { Limiter } from './adapters/limiter/limiter.js'
import type { LoginProvider } from './adapters/login/login-provider.js'
import type { PriceSource } from './adapters/price/price-source.js'
import type { SocialNetwork } from './adapters/social/social-network.js'
import type { Traces } from './adapters/traces/traces.js'
import type { VideoMaker } from './adapters/video/video-maker.js'
import type { Clock, Ids } from './base/clock.js'
import type { Draining } from './base/draining.js'
import type { Holds } from './base/holds.js'
import type { LateClock } from './base/late-clock.js'
import type { Troubles } from './base/troubles.js'
import type { Config } from './config/config.js'
import type { Identities } from './foundation/callers/agent-identities.js'
import type { SessionTokens } from './foundation/callers/session-tokens.js'
import type { Chain } from './foundation/chain/chain.js'
import type { Lanes } from './foundation/db/batch.js'
import type { OpenDatabase } from './foundation/db/connect.js'
import type { Db } from './foundation/db/db.js'
import type { EventLog } from './foundation/events/log.js'
import type { Orderer } from './foundation/events/order.js'
import type { Traffic } from './foundation/jobs/give-way.js'
import type { Queue } from './foundation/jobs/queue.js'
import type { MediaUrls } from './foundation/media-urls.js'
import type { Metrics } from './foundation/metrics.js'
import type { Peers } from './foundation/peers/peers.js'
import type { Refusals } from './foundation/refusals/refusals.js'
import type { Scratch } from './foundation/scratch.js'
import type { Secrets } from './foundation/secrets.js'

/** The dependencies of the features. Each function takes only what it uses. */
export interface Deps {
  readonly config: Config
  readonly log: Logger
  readonly clock: Clock
  /** The same clock, where it is told the time: in a demo that has a past. */
  readonly lateClock: LateClock | undefined
  readonly ids: Ids
  readonly database: OpenDatabase
  readonly db: Db
  /** Keeps the writes of one agent in order while the writes of many run as one batch. */
  readonly lanes: Lanes
  readonly secrets: Secrets
  readonly peers: Peers
  readonly identities: Identities
  readonly sessionTokens: SessionTokens
  readonly limiter: Limiter
  /** What callers hold at the moment, in all processes of this port. */
  readonly holds: Holds
  readonly queue: Queue
  /** Counts requests, so that background work can give way to them. */
  readonly traffic: Traffic
  readonly events: EventLog
  readonly orderer: Orderer
  readonly files: Files
  readonly mediaUrls: MediaUrls
  readonly scratch: Scratch
  readonly videoMaker: VideoMaker
  readonly social: SocialNetwork
  /** Absent where verification posts are on X and no X client is configured. */
  readonly login: LoginProvider | undefined
  readonly embedders: Embedders
  /** Absent while no chain is configured. */
  readonly chain: Chain | undefined
  /** Absent where another chain is configured. */
  readonly embeddedChain: EmbeddedChain | undefined
  /** Signs launch permits. Absent on a configured chain without a key for it. */
  readonly operator: PrivateKeyAccount | undefined
  /** Absent where there is no chain or no feed on it. */
  readonly price: PriceSource | undefined
  readonly metrics: Metrics
  /** Absent while no collector is configured. */
  readonly traces: Traces | undefined
  readonly draining: Draining
  readonly refusals: Refusals
  readonly troubles: Troubles
}
