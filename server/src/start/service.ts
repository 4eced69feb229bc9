import { type Server as NetServer, Server } from 'node:net'
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
import { type Child, HURRY, LEAVE, READY, STOP } from './child.js'
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
// How long a process that is replaced answers those who are connected to it, so that they hear of its end by an answer.
const LEAVE_MS = 3_000

/** Runs the configured roles until a signal stops them. */
export async function startService(
  config: Config,
  log: Logger,
  opening: OpeningDatabase,
  child?: Child,
): Promise<void> {
  const deps = await openDeps(config, log, {}, opening, child?.primary)
  const features = openFeatures(deps)
  const close = async () => {
    await features.close()
    await deps.close()
  }
  await startRoles(deps, features, close, child).catch(async (error) => {
    await close()
    throw error
  })
}

async function startRoles(deps: Deps, features: Features, close: () => Promise<void>, child?: Child): Promise<void> {
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

  async function stop(why: string, code: 0 | 1, drainMs = code === 0 ? config.DRAIN_MS : 0): Promise<void> {
    // Whoever asks again does not want to wait.
    if (stopping) return drain.end()
    stopping = true
    // A process that is broken takes no more callers than those it has.
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
  const begin = (why: string) => void (stopping || stop(why, 0))
  // A child is also told by the primary process, which has had the same signal from a terminal.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => (child ? begin(signal) : void stop(signal, 0)))
  // A reload must not end it. From a terminal the signal means that there is none any more.
  if (!process.stdout.isTTY)
    process.on('SIGHUP', () => child ?? log.warn('SIGHUP does nothing to a process that is alone: restart it'))
  child?.primary.on(STOP, begin)
  child?.primary.on(HURRY, () => drain.end())
  child?.primary.on(LEAVE, () => {
    // New connections go to the others from now on.
    for (const server of [app?.server, watchPort?.server]) if (server) stopAccepting(server)
    if (!stopping) void stop('another process takes over', 0, Math.max(config.DRAIN_MS, LEAVE_MS))
  })
  const { lateClock } = deps
  if (lateClock)
    followToldTime({ ...deps, lateClock }, process, {
      onReal: () => scheduleJobs(deps),
      onLost: () => void stop('nobody tells the time', 1),
    })
  handleUncaught(log, deps.troubles, () => void stop('a failure', 1))
  // Follow only once the chain is ready; before that it would only fail. A damaged chain stops the start.
  void deps.embeddedChain?.ready.catch(giveUpIfDamaged).then(() => follower?.start())
  child?.primary.tell(READY)
  if (child) log.info('this process is ready')
  else announce(config, app ? `Rookery is ready at ${config.webUrl}` : 'The Rookery worker is ready')
}

/** Closes the port without ending idle connections, as `close` of an HTTP server would. */
function stopAccepting(server: NetServer): void {
  if (server.listening) Server.prototype.close.call(server)
}

// PostgreSQL has backup tools of its own.
async function acceptBackups({ database, config, log }: Deps): Promise<{ close(): Promise<void> } | undefined> {
  if (database.engine !== 'embedded') return undefined
  const onHeld = (heldMs: number) => log.info({ heldMs }, 'the database was paused for a backup')
  return openBackupSocket({ dataDir: config.DATA_DIR, pool: database.pool, onHeld })
}
