import type { Hex } from 'viem'
import { createPulse } from '../../base/pulse.js'

/** One JSON-RPC request. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError }

/** The JSON-RPC of a chain. */
export interface Rpc {
  request(method: string, params: readonly unknown[]): Promise<unknown>
  /**
   * Sends several calls as one request to one node; outcomes are in the order of the calls. A caller
   * waits for an urgent batch, so it has the timeout of a single request.
   */
  batch(calls: readonly RpcCall[], options?: { readonly isUrgent?: boolean }): Promise<RpcOutcome[]>
}

/** A request that the node refused or that did not reach it. */
export class RpcError extends Error {
  override readonly name = 'RpcError'

  constructor(
    message: string,
    readonly code: number | undefined,
    readonly data?: unknown,
    /** Whether the node gave no answer in time. */
    readonly isSilence = false,
  ) {
    super(message)
  }

  /** Whether repeating the same request later may help. */
  get isTransient(): boolean {
    return this.code === undefined || this.code === 429 || this.code >= 500 || this.code === LIMIT_EXCEEDED
  }
}

const LIMIT_EXCEEDED = -32005
const BATCH_SIZE = 100
// A caller waits for a single request. Other batches and logs are for the follower, which can wait longer.
const TIMEOUT_MS = 5_000
const LONG_TIMEOUT_MS = 20_000
const SILENT_AFTER_MS = 3_000

interface RpcAnswer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** JSON-RPC over HTTP. */
export function createHttpRpc(
  url: string,
  { timeoutMs = TIMEOUT_MS, longTimeoutMs = Math.max(timeoutMs, LONG_TIMEOUT_MS) } = {},
): Rpc {
  let nextId = 0
  let takesBatches = true
  const pulse = createPulse({
    silentAfterMs: SILENT_AFTER_MS,
    isSilence: (error) => error instanceof RpcError && error.isSilence,
    refusal: () => new RpcError('the chain does not answer, and is given time', undefined, undefined, true),
  })

  const post = (body: unknown, withinMs: number) =>
    pulse.run(() => postOnce(body, withinMs), withinMs > timeoutMs ? 'long' : undefined)

  async function postOnce(body: unknown, withinMs: number): Promise<unknown> {
    const signal = AbortSignal.timeout(withinMs)
    const failed = (error: Error) => {
      throw new RpcError(`the chain does not answer (${error.name})`, undefined, undefined, signal.aborted)
    }
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    }).catch(failed)
    const answer: unknown = await response.json().catch((error: Error) => (signal.aborted ? failed(error) : undefined))
    // Some nodes send a JSON-RPC error with an HTTP error status.
    if (answer !== undefined && (response.ok || hasError(answer))) return answer
    throw new RpcError(`the chain answered ${response.status}`, response.status)
  }

  const toRequest = ({ method, params }: RpcCall) => ({ jsonrpc: '2.0', id: ++nextId, method, params })

  async function sendOne(call: RpcCall): Promise<RpcOutcome> {
    const withinMs = call.method === 'eth_getLogs' ? longTimeoutMs : timeoutMs
    return outcomeOf((await post(toRequest(call), withinMs)) as RpcAnswer)
  }

  async function sendMany(calls: readonly RpcCall[], isUrgent: boolean): Promise<RpcOutcome[]> {
    if (calls.length === 1 || !takesBatches) return Promise.all(calls.map(sendOne))
    const sent = calls.map(toRequest)
    const answers = await post(sent, isUrgent ? timeoutMs : longTimeoutMs)
    if (!Array.isArray(answers)) {
      const { error } = answers as RpcAnswer
      if (error && new RpcError(error.message, error.code).isTransient) throw new RpcError(error.message, error.code)
      takesBatches = false
      return sendMany(calls, isUrgent)
    }
    const byId = new Map((answers as RpcAnswer[]).map((answer) => [answer.id, answer]))
    return sent.map(({ id }) => outcomeOf(byId.get(id)))
  }

  return {
    async request(method, params) {
      return resultOf(await sendOne({ method, params }))
    },
    async batch(calls, { isUrgent = false } = {}) {
      const parts = Array.from({ length: Math.ceil(calls.length / BATCH_SIZE) }, (_, index) =>
        calls.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
      )
      return (await Promise.all(parts.map((part) => sendMany(part, isUrgent)))).flat()
    },
  }
}

function hasError(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'error' in answer
}

function outcomeOf(answer: RpcAnswer | undefined): RpcOutcome {
  if (!answer) return { error: new RpcError('the chain left out an answer', undefined) }
  if (answer.error) return { error: new RpcError(answer.error.message, answer.error.code, answer.error.data) }
  return { result: answer.result }
}

/** Returns the result or throws the error. */
export function resultOf(outcome: RpcOutcome): unknown {
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

/** An RPC that repeats a request a few times when that may help. */
export function createPatientRpc(rpc: Rpc, { attempts = 3, firstWaitMs = 100 } = {}): Rpc {
  async function repeat<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        // Do not repeat after a timeout: a caller is waiting.
        if (attempt === attempts || !(error instanceof RpcError) || !error.isTransient || error.isSilence) throw error
        await new Promise((resolve) => setTimeout(resolve, firstWaitMs * 2 ** (attempt - 1)))
      }
    }
  }
  return {
    request: (method, params) => repeat(() => rpc.request(method, params)),
    batch: (calls, options) => repeat(() => rpc.batch(calls, options)),
  }
}

/** The revert data of a contract, if the error is a revert. Nodes put it in different places. */
export function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof RpcError)) return undefined
  const { data } = error
  const text = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  const hex = typeof text === 'string' ? text.match(/0x[0-9a-fA-F]*/)?.[0] : undefined
  if (hex !== undefined && (error.code === 3 || hex.length >= 10)) return hex as Hex
  return error.code === 3 || /revert/i.test(error.message) ? '0x' : undefined
}
