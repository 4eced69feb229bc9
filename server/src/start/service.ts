import type { Logger } from 'pino'
import { createApp } from '../app.js'
import { systemClock } from '../base/clock.js'
import { type Config, ConfigError } from '../config/config.js'
import type { Deps } from '../deps.js'
import { openBackupSocket } from '../features/backup/backup-socket.js'
import { type Features, openFeatures } from '../features/open-features.js'
import { createAlertMaker } from '../features/people/start.js'
import { openPlatform } from '../features/platform/open.js'
import { startSearch } from '../features/search/start.js'
import { createWebhookDispatcher } from '../features/webhooks/start.js'
import type { OpeningDatabase } from '../foundation/db/begin.js'
import { createJobMeasure } from '../foundation/jobs/measure.js'
import { traceJobs } from '../foundation/jobs/trace-jobs.js'
import { createWorker } from '../foundation/jobs/worker.js'
import { printFailure } from './failure.js'
import { createJobHandlers, ownLanes, scheduleJobs } from './job-handlers.js'
import { announce } from './log.js'
import { openDeps } from './open-deps.js'
import { createPause } from './pause.js'
import { openShareFollower } from './share-follower.js'
import { followToldTime } from './told-time.js'
import { handleUncaught } from './uncaught.js'
import { openWatchPort } from './watch-port.js'

const STOP_WITHIN_MS = 10_000
const WORKER_LANES = 4

/** Runs the configured roles until a signal stops them. */
export async function startService(config: Config, log: Logger, opening: OpeningDatabase): Promise<void> {
  const deps = await openDeps(config, log, {}, opening)
  const features = openFeatures(deps)
  const close = async () => {
    await features.close()
    await deps.close()
  }
  await startRoles(deps, features, close).catch(async (error) => {
    await close()
    throw error
  })
}

async function startRoles(deps: Deps, features: Features, close: () => Promise<void>): Promise<void> {
  const { config, log } = deps
  if (!deps.chain) log.warn('There is no chain, so shares cannot be traded. Set CHAIN_RPC_URL.')
  const platform = openPlatform(deps, features.hub)
  const app = config.ROLE === 'worker' ? undefined : await createApp(deps, features, { platform })
  const worker = createWorker({
    db: deps.db,
    clock: deps.clock,
    leaseClock: systemClock,
    queue: deps.queue,
    handlers: createJobHandlers(deps, features),
    ownLanes,
    lanes: WORKER_LANES,
    isAlone: deps.database.engine === 'embedded',
    traffic: deps.traffic,
    around: traceJobs(deps.traces, createJobMeasure(deps.metrics)),
    onError: (kind, error) => log.error({ kind, message: error.message }, 'a job failed'),
    onOutage: (error) => log.error({ message: error.message }, 'no jobs can be taken'),
  })
  // Upkeep begins when the clock is right: until then, hours pass in a moment.
  if (!deps.lateClock) await scheduleJobs(deps)
  const follower = config.ROLE === 'web' ? undefined : openShareFollower(deps, features.agents.lastSeen)
  const webhooks = createWebhookDispatcher(deps)
  const alerts = createAlertMaker(deps)
  if (config.ROLE !== 'web') worker.start()
  if (config.ROLE !== 'web') webhooks.start()
  if (config.ROLE !== 'web') alerts.start()
  if (!deps.embeddedChain) follower?.start()
  await app?.listen({ host: config.HOST, port: config.PORT })
  const watchPort = await openWatchPort(deps, platform)
  const search = startSearch(deps, features.search.models)
  const backups = await acceptBackups(deps)

  let stopping = false
  const drain = createPause()
  async function giveUpIfDamaged(error: unknown): Promise<void> {
    if (!(error instanceof ConfigError)) return
    printFailure(`Rookery cannot start: ${error.message}`, config)
    await stop('damaged files', 1)
  }

  async function stop(why: string, code: 0 | 1): Promise<void> {
    // Whoever asks again does not want to wait.
    if (stopping) return drain.end()
    stopping = true
    // A process that is broken takes no more callers than those it has.
    const drainMs = code === 0 ? config.DRAIN_MS : 0
    log.info({ why, ...(drainMs > 0 && { drainMs }) }, 'stopping')
    deps.draining.begin()
    await drain.wait(drainMs)
    setTimeout(() => process.exit(1), STOP_WITHIN_MS - 500).unref()
    search.stop()
    await backups?.close()
    await app?.close()
    await watchPort?.close()
    await Promise.all([worker.stop(), webhooks.stop(), alerts.stop(), follower?.stop()])
    await close()
    log.info('stopped')
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal, 0))
  const { lateClock } = deps
  if (lateClock)
    followToldTime({ ...deps, lateClock }, process, {
      onReal: () => scheduleJobs(deps),
      onLost: () => void stop('nobody tells the time', 1),
    })
  handleUncaught(log, deps.troubles, () => void stop('a failure', 1))
  // Follow only once the chain is ready; before that it would only fail. A damaged chain stops the start.
  void deps.embeddedChain?.ready.catch(giveUpIfDamaged).then(() => follower?.start())
  announce(config, app ? `Rookery is ready at ${config.webUrl}` : 'The Rookery worker is ready')
}

// PostgreSQL has backup tools of its own.
async function acceptBackups({ database, config, log }: Deps): Promise<{ close(): Promise<void> } | undefined> {
  if (database.engine !== 'embedded') return undefined
  const onHeld = (heldMs: number) => log.info({ heldMs }, 'the database was paused for a backup')
  return openBackupSocket({ dataDir: config.DATA_DIR, pool: database.pool, onHeld })
}
