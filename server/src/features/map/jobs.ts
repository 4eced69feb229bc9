import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type Db, withLongTimeouts } from '../../foundation/db/db.js'
import { getExtent } from '../../foundation/events/rows.js'
import type { Job, JobHandlers } from '../../foundation/jobs/worker.js'
import { agentTotal } from '../agents/queries.js'
import type { Models } from '../search/models.js'
import { chooseWords } from './choose-words.js'
import { readNetwork } from './read-network.js'
import { type DrawnMap, makeMapAside } from './run-thread.js'
import { findMapState, findStoredMap, type MapState, storeMap } from './stored-map.js'

const CHECK_EVERY_MS = 10_000
/** A map that is much work to draw is drawn less often. */
const REST_PER_WORK = 20
const LONGEST_REST_MS = 10 * 60_000
const LOOK_FOR_STOP_MS = 200

/** The thread ran out of memory or time. The next attempt comes later, and the last map stays. */
class DrawingFailed extends Error {
  override readonly name = 'DrawingFailed'
}

export function mapJobs({ db, database, clock, log }: Deps, models: Models): Pick<JobHandlers, 'build_map'> {
  const slow = withLongTimeouts(db)
  const later = (ms: number) => ({ again: new Date(clock.now().getTime() + ms) })
  return {
    async build_map(job) {
      const { lastId } = await getExtent(db)
      const state = await findMapState(db)
      const { total } = await db.one<{ total: number }>(agentTotal('active'))
      const now = clock.now()
      if (!isDue(state, { lastId, total, now })) return later(CHECK_EVERY_MS)
      const isSettled = !(await hasWaitingVectors(db))
      const model = await models.findActive()
      const network = await readNetwork({ db: slow, database }, { model, rest: job.rest })
      const readMs = clock.now().getTime() - now.getTime()
      const earlier = (await findStoredMap(db))?.map
      const drawn = await drawUnlessStopping(job, { network, earlier }).catch((error: DrawingFailed) => error)
      if (!drawn) return later(0)
      if (drawn instanceof DrawingFailed) {
        log.error({ message: String(drawn.cause) }, drawn.message)
        return later(LONGEST_REST_MS)
      }
      const map = await chooseWords(drawn.map, network, model && models.serve(model)?.embedder)
      const workMs = Math.round(readMs + drawn.workMs)
      await storeMap(db, map, { built_at: now, took_ms: workMs, event_id: BigInt(lastId), is_settled: isSettled })
      log.info({ agents: map.ids.length, groups: map.groups.length, workMs }, 'the map is drawn')
      return later(CHECK_EVERY_MS)
    },
  }
}

/** Whether enough has happened since the last map: a hundredth of the agents did something, or a while has passed. */
export function isDue(
  state: MapState | undefined,
  { lastId, total, now }: { lastId: number; total: number; now: Date },
): boolean {
  if (!state) return total > 0
  const restMs = Math.min(LONGEST_REST_MS, Math.max(CHECK_EVERY_MS, state.took_ms * REST_PER_WORK))
  const agoMs = now.getTime() - state.built_at.getTime()
  if (agoMs < restMs) return false
  const events = lastId - Number(state.event_id)
  return !state.is_settled || events >= Math.max(1, total / 100) || (events > 0 && agoMs >= LONGEST_REST_MS)
}

// Such posts count only in the next map.
async function hasWaitingVectors(db: Db): Promise<boolean> {
  const { waits } = await db.one<{ waits: boolean }>(
    sql`select exists (select from job where kind = 'embed_tweet' and failed_at is null) as waits`,
  )
  return waits
}

async function drawUnlessStopping(
  job: Job<'build_map'>,
  task: Parameters<typeof makeMapAside>[0],
): Promise<DrawnMap | undefined> {
  const stop = new AbortController()
  const watching = setInterval(() => job.stopping() && stop.abort(), LOOK_FOR_STOP_MS)
  try {
    return await job.aside(makeMapAside(task, stop.signal))
  } catch (error) {
    if (stop.signal.aborted) return undefined
    throw new DrawingFailed('the map was not drawn', { cause: error })
  } finally {
    clearInterval(watching)
  }
}
