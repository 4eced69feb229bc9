import type { Hex } from 'viem'

/** One JSON-RPC request. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** How an RPC request ended. */
export type RpcOutcome = { readonly result: unknown } | { readonly error: RpcError }

/** JSON-RPC of a chain. */
export interface Rpc {
  request(method: string, params: readonly unknown[]): Promise<unknown>
  /** Several requests in one, answered by one node; outcomes in the order of the calls. */
  batch(calls: readonly RpcCall[]): Promise<RpcOutcome[]>
}

/** A request that the node, or the way to it, refused. */
export class RpcError extends Error {
  override readonly name = 'RpcError'

  constructor(
    message: string,
    readonly code: number | undefined,
    readonly data?: unknown,
  ) {
    super(message)
  }

  /** Whether repeating the same request in a while may help. */
  get isTransient(): boolean {
    return this.code === undefined || this.code === 429 || this.code >= 500 || this.code === LIMIT_EXCEEDED
  }
}

const LIMIT_EXCEEDED = -32005
const BATCH_SIZE = 100
const TIMEOUT_MS = 20_000

interface RpcAnswer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** JSON-RPC over HTTP. */
export function createHttpRpc(url: string, { timeoutMs = TIMEOUT_MS } = {}): Rpc {
  let nextId = 0
  let takesBatches = true

  async function post(body: unknown): Promise<unknown> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: Error) => {
      throw new RpcError(`the chain does not answer (${error.name})`, undefined)
    })
    const answer: unknown = await response.json().catch(() => undefined)
    // Some nodes send the JSON-RPC error with a status of its own.
    if (answer !== undefined && (response.ok || hasError(answer))) return answer
    throw new RpcError(`the chain answered ${response.status}`, response.status)
  }

  const numbered = ({ method, params }: RpcCall) => ({ jsonrpc: '2.0', id: ++nextId, method, params })

  async function one(call: RpcCall): Promise<RpcOutcome> {
    return outcomeOf((await post(numbered(call))) as RpcAnswer)
  }

  async function several(calls: readonly RpcCall[]): Promise<RpcOutcome[]> {
    if (calls.length === 1 || !takesBatches) return Promise.all(calls.map(one))
    const sent = calls.map(numbered)
    const answers = await post(sent)
    if (!Array.isArray(answers)) {
      const { error } = answers as RpcAnswer
      if (error && new RpcError(error.message, error.code).isTransient) throw new RpcError(error.message, error.code)
      takesBatches = false
      return several(calls)
    }
    const byId = new Map((answers as RpcAnswer[]).map((answer) => [answer.id, answer]))
    return sent.map(({ id }) => outcomeOf(byId.get(id)))
  }

  return {
    async request(method, params) {
      return resultOf(await one({ method, params }))
    },
    async batch(calls) {
      const parts = Array.from({ length: Math.ceil(calls.length / BATCH_SIZE) }, (_, index) =>
        calls.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
      )
      return (await Promise.all(parts.map(several))).flat()
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

/** The result, or the error thrown. */
export function resultOf(outcome: RpcOutcome): unknown {
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

/** The same, asking again a few times when that may help. */
export function createPatientRpc(rpc: Rpc, { attempts = 3, firstWaitMs = 100 } = {}): Rpc {
  async function repeat<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (attempt === attempts || !(error instanceof RpcError) || !error.isTransient) throw error
        await new Promise((resolve) => setTimeout(resolve, firstWaitMs * 2 ** (attempt - 1)))
      }
    }
  }
  return {
    request: (method, params) => repeat(() => rpc.request(method, params)),
    batch: (calls) => repeat(() => rpc.batch(calls)),
  }
}

/** The data with which a contract refused a call, if that is what the error says. Nodes put it in different places. */
export function revertData(error: unknown): Hex | undefined {
  if (!(error instanceof RpcError)) return undefined
  const { data } = error
  const text = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  const hex = typeof text === 'string' ? text.match(/0x[0-9a-fA-F]*/)?.[0] : undefined
  if (hex !== undefined && (error.code === 3 || hex.length >= 10)) return hex as Hex
  return error.code === 3 || /revert/i.test(error.message) ? '0x' : undefined
}
