import { type Rpc, type RpcCall, type RpcOutcome, resultOf } from './rpc.js'

interface Waiting {
  readonly call: RpcCall
  readonly outcome: Promise<RpcOutcome>
  resolve(outcome: RpcOutcome): void
  reject(error: unknown): void
}

const AT_ONCE = 2
// A request that takes longer holds nobody up. Without this, callers would queue for a node that does not answer, each
// behind the timeouts of those before it.
const SLOW_AFTER_MS = 250

/**
 * Sends what several callers ask in the same moment as one request, and asks the same question once. A call never joins a
 * request that has already been sent: its answer may be older than the call.
 */
export function createSharedRpc(rpc: Pick<Rpc, 'batch'>): Pick<Rpc, 'request'> {
  let waiting = new Map<string, Waiting>()
  let underWay = 0
  let isDue = false

  function schedule(): void {
    if (isDue || underWay === AT_ONCE || waiting.size === 0) return
    isDue = true
    setImmediate(() => {
      isDue = false
      void send([...waiting.values()])
      waiting = new Map()
    })
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    underWay++
    let isCounted = true
    const slow = setTimeout(release, SLOW_AFTER_MS)
    function release(): void {
      clearTimeout(slow)
      if (!isCounted) return
      isCounted = false
      underWay--
      schedule()
    }
    try {
      const outcomes = await rpc.batch(
        batch.map(({ call }) => call),
        { isUrgent: true },
      )
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] as RpcOutcome)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      release()
    }
  }

  return {
    async request(method, params) {
      const key = JSON.stringify([method, params])
      let shared = waiting.get(key)
      if (!shared) {
        shared = { call: { method, params }, ...createPromise<RpcOutcome>() }
        waiting.set(key, shared)
        schedule()
      }
      return resultOf(await shared.outcome)
    },
  }
}

function createPromise<T>() {
  let resolve: (value: T) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const outcome = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { outcome, resolve, reject }
}
