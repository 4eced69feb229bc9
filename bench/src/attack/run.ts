import { setMaxListeners } from 'node:events'
import { createRandom } from '@rookery/tooling/random'
import { checkAnswer } from './check.js'
import { type Ending, exchange } from './connection.js'
import { type Document, type OpenApi, type Operation, readDocument } from './document.js'
import { createPool } from './pool.js'
import { populate } from './population.js'
import { type AttackRequest, createRequests, type Kind } from './requests.js'
import { createValues } from './values.js'
import { bytesOf, commandOf } from './wire.js'

export interface AttackOptions {
  readonly url: string
  readonly seed: number
  readonly requests: number
  /** How many requests are under way at a time. */
  readonly lanes: number
  /** After this a request without an answer counts as hanging. */
  readonly withinMs: number
  /** Ends the attack early. */
  readonly signal?: AbortSignal
  onProgress?(done: number): void
}

/** An answer that must not be, and how to see it again. */
export interface Finding {
  readonly endpoint: string
  readonly wrong: string
  readonly number: number
  readonly command: string
  readonly answer: string
  /** How often the same happened. */
  times: number
}

export interface AttackResult {
  readonly sent: number
  readonly kinds: ReadonlyMap<Kind, number>
  /** How often each endpoint answered with each status. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly findings: readonly Finding[]
}

const RESTORE_EVERY = 1_000
/** Makes a video, which takes minutes, or ends what others need: seldom. */
const SELDOM = new Set(['createVideo', 'regenerateKey', 'freezeAgent', 'recoverAgent', 'endSession'])
const KINDS: readonly Kind[] = [
  ...Array.from({ length: 6 }, () => 'valid' as const),
  ...Array.from({ length: 6 }, () => 'nearly valid' as const),
  ...Array.from({ length: 3 }, () => 'hostile' as const),
  'unknown member',
  'repeated name',
  'half-sent',
  'foreign text',
  'foreign text',
]

/** Sends requests made from the service's own OpenAPI document, and checks every answer. */
export async function attack(options: AttackOptions): Promise<AttackResult> {
  const { url, seed, requests: total, lanes, withinMs, signal } = options
  const document = readDocument((await (await fetch(`${url}/openapi.json`)).json()) as OpenApi)
  if (signal) setMaxListeners(0, signal)
  const { hostname, port, host } = new URL(url)
  const address = { host: hostname, port: Number(port) }
  const pool = createPool(createRandom(seed))
  const makeRequest = createRequests(createValues(document, pool))
  const population = await populate(url, pool)
  const record = createRecord(document, url)
  let next = 0
  let restoring: Promise<void> | undefined

  async function sendOne(number: number): Promise<number> {
    // Of its own, so that a request does not depend on how many were made before it.
    const random = createRandom(seed * 1_000_003 + number)
    const kind = random.pick(KINDS)
    const operation = operationFor(document, random, number)
    const request = makeRequest(random, operation, kind, population.pick(random, operation))
    const bytes = bytesOf(request, host)
    const { method, isCut, isHalved, body } = request
    const credential = request.headers.find(([name]) => name === 'X-API-Key')?.[1]
    const pause = isHalved &&
      body &&
      credential !== undefined && {
        at: bytes.length - (body.length >> 1),
        work: () => population.disturb(random, credential),
      }
    const send = () =>
      exchange(address, bytes, { method, isCut, withinMs, ...(signal && { signal }), ...(pause && { pause }) })
    const endings = await Promise.all(Array.from({ length: request.times }, send))
    if (signal?.aborted) return 0
    for (const ending of endings) {
      record.add(number, kind, request, ending)
      if (typeof ending !== 'string' && ending.status < 300) pool.harvest(request.operation.path, parse(ending.body))
    }
    return endings.length
  }

  async function runLane(): Promise<void> {
    while (next < total && !signal?.aborted) {
      const number = next
      next += 1
      if (number > 0 && number % RESTORE_EVERY === 0)
        restoring = population.restore().catch((error: unknown) => record.fail('restore', String(error)))
      await restoring
      const sent = await sendOne(number)
      next += Math.max(0, sent - 1)
      options.onProgress?.(Math.min(next, total))
    }
  }

  await Promise.all(Array.from({ length: lanes }, runLane))
  return record.result()
}

/** Every operation in turn, then any of them. */
function operationFor({ operations }: Document, random: ReturnType<typeof createRandom>, number: number): Operation {
  const turn = operations[number % operations.length]
  if (turn && !(SELDOM.has(turn.name) && random.chance(0.9))) return turn
  return random.pick(operations.filter(({ name }) => !SELDOM.has(name)))
}

const MOST_SHOWN = 400

function createRecord(document: Document, url: string) {
  const statuses = new Map<string, Map<string, number>>()
  const kinds = new Map<Kind, number>()
  const findings = new Map<string, Finding>()
  let sent = 0

  function find(number: number, request: AttackRequest, wrong: string, answer: string): void {
    const endpoint = request.operation.name
    const key = `${endpoint} ${wrong}`
    const known = findings.get(key)
    if (known) known.times += 1
    else findings.set(key, { endpoint, wrong, number, command: commandOf(request, url), answer, times: 1 })
  }

  return {
    /** What went wrong outside of an answer. */
    fail(endpoint: string, wrong: string): void {
      findings.set(`${endpoint} ${wrong}`, { endpoint, wrong, number: 0, command: '', answer: '', times: 1 })
    },
    add(number: number, kind: Kind, request: AttackRequest, ending: Ending): void {
      sent += 1
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      const byStatus = statuses.get(request.operation.name) ?? new Map<string, number>()
      statuses.set(request.operation.name, byStatus)
      const status = typeof ending === 'string' ? ending : String(ending.status)
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      if (typeof ending === 'string') {
        // Nobody waits for the answer to a request that was never finished.
        if (!(ending === 'closed' && request.isCut)) find(number, request, `no answer: ${ending}`, '')
        return
      }
      if (request.mustFail && ending.status < 300) find(number, request, `a success (${kind})`, `${ending.status}`)
      for (const wrong of checkAnswer(document, request, ending))
        find(number, request, wrong, `${ending.status} ${ending.body.toString('utf8', 0, MOST_SHOWN)}`)
    },
    result: (): AttackResult => ({ sent, kinds, statuses, findings: [...findings.values()] }),
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}
