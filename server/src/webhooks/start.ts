import type { Deps } from '../deps.js'
import { dispatchEvents } from './dispatch.js'
import { sendDue } from './send.js'

/** Sends events to webhooks. */
export interface WebhookSender {
  /** Sends everything that is due, here and now. */
  drain(): Promise<void>
  /** Sends from now on. */
  start(): void
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 1_000
// So many receivers are waited for at a time.
const LANES = 8

type SenderDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'post' | 'orderer' | 'log'>

export function createWebhookSender(deps: SenderDeps): WebhookSender {
  let isStopping = false
  const running = new Set<Promise<void>>()
  const onError = (error: Error) => deps.log.warn({ message: error.message }, 'webhooks wait')

  async function dispatch(): Promise<void> {
    while (!isStopping && (await dispatchEvents(deps)) > 0);
  }

  async function lane(): Promise<void> {
    while (!isStopping && (await sendDue(deps)) !== undefined);
  }

  /** Runs work unless it runs already; work that was asked for meanwhile is done by what follows. */
  function once(work: () => Promise<void>): () => void {
    let isRunning = false
    return () => {
      if (isRunning || isStopping) return
      isRunning = true
      const run = work()
        .catch(onError)
        .finally(() => {
          isRunning = false
          running.delete(run)
        })
      running.add(run)
    }
  }

  const lanes = Array.from({ length: LANES }, () => once(lane))
  const send = () => {
    for (const lane of lanes) lane()
  }
  const turn = once(async () => {
    await dispatch()
    send()
  })
  let timer: NodeJS.Timeout | undefined

  return {
    async drain() {
      await deps.orderer.settle()
      await dispatch()
      await lane()
    },
    start() {
      deps.orderer.onOrdered(turn)
      timer = setInterval(() => {
        turn()
        send()
      }, LOOK_EVERY_MS)
      turn()
    },
    async stop() {
      isStopping = true
      clearInterval(timer)
      await Promise.all(running)
    },
  }
}
