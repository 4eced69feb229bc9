import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { findChainState } from '../../foundation/chain/cursor.js'
import { type ChainLag, chainLag } from '../../foundation/chain/lag.js'
import { DatabaseAway } from '../../foundation/db/away.js'
import { findSpaceShortage } from '../../foundation/folder/free-space.js'
import { getQueueState, type QueueState } from '../../foundation/jobs/queue.js'
import { createProbe, type Reading } from './probe.js'

/** The state of what the service stands on. Health and metrics share each reading, however many callers there are. */
export interface State {
  database(): Promise<Reading<{ readonly isReadOnly: boolean }>>
  queue(): Promise<Reading<QueueState>>
  chain(): Promise<Reading<ChainLag | undefined>>
  /** Whether Redis does not answer. */
  redisAway(): Promise<Reading<boolean>>
  /** What is short of disk space, if anything. */
  disk(): Promise<Reading<{ readonly shortage: string | undefined }>>
}

// The embedded engine runs one statement at a time, and a backup may pause it for a while. That is not an outage.
const BUSY_MS = 40_000
// It was just opened, so its first answer may be late but is not lost: a page that is opened at once must not see an outage.
const FIRST_ANSWER_MS = 5_000

export function createState(deps: Deps, keptMs: number): State {
  const onError = ({ message }: Error) => deps.log.warn({ message }, 'the state of the service cannot be read')
  const isEmbedded = deps.database.engine === 'embedded'
  const probe = <T>(read: () => Promise<T>) => createProbe(read, { keptMs, onError })
  const ofDatabase = <T>(read: () => Promise<T>) =>
    createProbe(read, { keptMs, onError, ...(isEmbedded && { staleMs: BUSY_MS, firstWithinMs: FIRST_ANSWER_MS }) })
  const head = probe(async () => deps.chain?.head().catch(() => undefined))
  const follower = ofDatabase(async () => ({ state: deps.chain && (await findChainState(deps.db)) }))
  return {
    database: ofDatabase(() => readDatabase(deps)),
    queue: ofDatabase(() => getQueueState(deps)),
    async chain() {
      const [{ value: newest }, { value: followed }] = await Promise.all([head(), follower()])
      if (!newest || !followed) return { value: undefined }
      const options = { now: deps.clock.now(), startBlock: deps.config.CHAIN_START_BLOCK }
      return { value: chainLag(newest, followed.state, options) }
    },
    redisAway: probe(() => deps.limiter.isAway()),
    disk: probe(async () => ({ shortage: await findSpaceShortage(deps.config) })),
  }
}

async function readDatabase({ db }: Pick<Deps, 'db'>): Promise<{ isReadOnly: boolean }> {
  try {
    return await db.one(sql`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`)
  } catch (error) {
    // New connections to a server that takes no writes, such as a standby that nobody has promoted, are refused.
    if (error instanceof DatabaseAway && error.isReadOnly) return { isReadOnly: true }
    throw error
  }
}
