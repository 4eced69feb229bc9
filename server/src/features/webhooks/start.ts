import type { Deps } from '../../deps.js'
import { dispatchEvents, skipUnwanted } from './dispatch.js'
import type { Webhooks } from './open.js'
import { createPaced } from './paced.js'
import { findNextAttempt, sendDue } from './send.js'

/** Sends events to webhooks. */
export interface WebhookSender {
  /** Sends everything that is due, here and now. */
  drain(): Promise<void>
  /** Sends from now on. */
  start(): void
  stop(): Promise<void>
}

// Where other processes write, deliveries become due that nobody tells of here.
const LOOK_EVERY_MS = 1_000
const LONGEST_WAIT_MS = 60 * 60_000
// How often the log is read while events keep coming, and how often it is passed over while there is no webhook.
const DISPATCH_EVERY_MS = 100
const SKIP_EVERY_MS = 1_000
// So many receivers are waited for at a time.
const LANES = 8

type SenderDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'ids' | 'secrets' | 'orderer' | 'log'> & Webhooks

export function createWebhookSender(deps: SenderDeps): WebhookSender {
  const isAlone = !deps.config.DATABASE_URL
  const onError = (error: Error) => deps.log.warn({ message: error.message }, 'webhooks wait')
  const running = new Set<Promise<void>>()
  let isStopping = false
  let isDue = false
  let busy = 0
  let timer: NodeJS.Timeout | undefined

  /** Lays down deliveries for what has happened. Says whether there is a webhook at all. */
  async function dispatch(): Promise<boolean> {
    if (await skipUnwanted(deps.db)) return false
    while (!isStopping && (await dispatchEvents(deps)) > 0);
    return true
  }

  const dispatching = createPaced(async () => {
    if (!(await dispatch())) return SKIP_EVERY_MS
    send()
    return DISPATCH_EVERY_MS
  }, onError)

  async function lane(onTaken = () => {}): Promise<void> {
    while (!isStopping && (await sendDue(deps, onTaken)) !== undefined);
  }

  function send(): void {
    if (isStopping) return
    if (busy === LANES) {
      isDue = true
      return
    }
    busy++
    // One lane opens the next as long as there is a receiver for it.
    const run = lane(send)
      .then(
        () => true,
        (error: Error) => {
          onError(error)
          return false
        },
      )
      .then((isWhole) => {
        busy--
        if (busy === 0) follow(planNext(isWhole))
      })
    follow(run)
  }

  function follow(run: Promise<void>): void {
    running.add(run)
    void run.finally(() => running.delete(run))
  }

  /** Sets the time at which the next lane opens if nothing opens one before. */
  async function planNext(isWhole: boolean): Promise<void> {
    clearTimeout(timer)
    if (isDue) {
      isDue = false
      return send()
    }
    const waitMs = isWhole && isAlone ? await untilNextAttempt().catch(() => LOOK_EVERY_MS) : LOOK_EVERY_MS
    clearTimeout(timer)
    if (waitMs !== undefined && !isStopping) timer = setTimeout(send, Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS))
  }

  async function untilNextAttempt(): Promise<number | undefined> {
    const next = await findNextAttempt(deps)
    return next && next.getTime() - deps.clock.now().getTime()
  }

  return {
    async drain() {
      await deps.orderer.settle()
      await dispatch()
      await lane()
    },
    start() {
      deps.orderer.onOrdered(dispatching.ask)
      deps.dueDeliveries.onDue(() => {
        dispatching.ask()
        send()
      })
      dispatching.ask()
      send()
    },
    async stop() {
      isStopping = true
      await dispatching.stop()
      while (running.size > 0) await Promise.all(running)
      clearTimeout(timer)
    },
  }
}
