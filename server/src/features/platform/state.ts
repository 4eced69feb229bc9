import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type ChainLag, findChainLag } from '../../foundation/chain/lag.js'
import { findSpaceShortage } from '../../foundation/folder/free-space.js'
import { getQueueState, type QueueState } from '../../foundation/jobs/queue.js'
import { createProbe, type Reading } from './probe.js'

/** The state of what the service stands on. Health and metrics share each reading, however many callers there are. */
export interface State {
  database(): Promise<Reading<unknown>>
  queue(): Promise<Reading<QueueState>>
  chain(): Promise<Reading<ChainLag | undefined>>
  /** Whether Redis does not answer. */
  redisAway(): Promise<Reading<boolean>>
  /** What is short of disk space, if anything. */
  disk(): Promise<Reading<{ readonly shortage: string | undefined }>>
}

// The embedded engine runs one statement at a time, and a backup may pause it for a while. That is not an outage.
const BUSY_MS = 40_000

export function createState(deps: Deps, keptMs: number): State {
  const onError = ({ message }: Error) => deps.log.warn({ message }, 'the state of the service cannot be read')
  const staleMs = deps.database.engine === 'embedded' ? BUSY_MS : 0
  const probe = <T>(read: () => Promise<T>) => createProbe(read, { keptMs, staleMs, onError })
  return {
    database: probe(() => deps.db.one(sql`select 1 as up`)),
    queue: probe(() => getQueueState(deps)),
    chain: probe(() => findChainLag({ ...deps, startBlock: deps.config.CHAIN_START_BLOCK })),
    redisAway: probe(() => deps.limiter.isAway()),
    disk: probe(async () => ({ shortage: await findSpaceShortage(deps.config) })),
  }
}
