import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '@rookery/tooling/random'
import type { Action, Ledger } from '../kills/ledger.js'
import { chooseAction, type Field, requestOf, type Writer } from '../kills/write.js'
import { seededApiKey } from '../seed/people.js'
import type { Findings } from './findings.js'
import { type Answer, sendRequest } from './send-request.js'
import { SEED } from './stage.js'

/** The state that all clients share. */
export interface Crowd {
  readonly url: string
  readonly ledger: Ledger
  readonly field: Field
  readonly findings: Findings
  /** Acknowledged tweets. */
  readonly tweets: { readonly id: string; readonly content: string }[]
  /** The number of acknowledged actions. */
  acknowledged: number
  /** How long an unanswered call is repeated. */
  readonly patienceMs: number
}

export interface Clients {
  /** Lets each client finish its current call. */
  stop(): Promise<void>
}

const MOST_PAUSE_MS = 150
const AGAIN_AFTER_MS = 250

interface Sizes {
  readonly writers: number
  readonly readers: number
  readonly seed: number
}

/** Starts clients that write and read. The first agents write. */
export function startClients(crowd: Crowd, { writers, readers, seed }: Sizes): Clients {
  const ending = new AbortController()
  const { signal } = ending
  const writing = Array.from({ length: writers }, (_, n) =>
    repeat(signal, createRandom(seed * 1_000 + n), (random) => write(crowd, writerOf(crowd, n, random), n, signal)),
  )
  const reading = Array.from({ length: readers }, (_, n) =>
    repeat(signal, createRandom(seed * 2_000 + n), (random) => read(crowd, n, random)),
  )
  return {
    async stop() {
      ending.abort()
      await Promise.all([...writing, ...reading])
    },
  }
}

export function writerOf({ field }: Crowd, n: number, random: Random): Writer {
  return { agentId: field.agentIds[n] ?? '', apiKey: seededApiKey(SEED, n), random }
}

async function repeat(signal: AbortSignal, random: Random, work: (random: Random) => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work(random)
    await wait(random.below(MOST_PAUSE_MS))
  }
}

async function write(crowd: Crowd, writer: Writer, n: number, signal: AbortSignal): Promise<void> {
  const { url, findings } = crowd
  const { apiKey, random } = writer
  if (random.chance(0.1)) {
    const answer = await sendRequest(url, { method: 'POST', path: '/v1/notifications/mark-all-read', apiKey }, findings)
    if (answer.is === 'refused') findings.add(`refused: to mark all read, with ${answer.status} ${answer.code}`)
    return
  }
  const action = chooseAction(writer, crowd.ledger, crowd.field)
  // Half of the writers repeat until they have an answer; the others give up at once, and the outcome stays unknown.
  if (n % 2 === 0) await insist(crowd, writer, action, signal)
  else await tryOnce(crowd, writer, action)
}

export async function tryOnce(crowd: Crowd, { apiKey }: Writer, action: Action, withinMs?: number): Promise<Answer> {
  crowd.ledger.begin(action)
  const request = { ...requestOf(action), apiKey, ...(withinMs !== undefined && { withinMs }) }
  const answer = await sendRequest(crowd.url, request, crowd.findings)
  settle(crowd, action, answer)
  return answer
}

/** Repeats the request with the same idempotency key until it is answered, so that the action happens once. */
async function insist(crowd: Crowd, { apiKey }: Writer, action: Action, signal: AbortSignal): Promise<void> {
  const { url, ledger, findings } = crowd
  const request = { ...requestOf(action), apiKey, idempotencyKey: randomUUID() }
  const until = performance.now() + crowd.patienceMs
  ledger.begin(action)
  do {
    const answer = await sendRequest(url, request, findings)
    if (answer.is !== 'unknown') return settle(crowd, action, answer)
    await wait(AGAIN_AFTER_MS)
  } while (!signal.aborted && performance.now() < until)
}

function settle(crowd: Crowd, action: Action, answer: Answer): void {
  const { ledger, field, findings } = crowd
  if (answer.is === 'refused') findings.add(`refused: ${nameOf(action)}, with ${answer.status} ${answer.code}`)
  if (answer.is !== 'done') return
  const { id = '' } = answer.body as { id?: string }
  ledger.acknowledge(action, id)
  crowd.acknowledged++
  if (action.what !== 'tweet') return
  field.tweetIds.push(id)
  crowd.tweets.push({ id, content: action.content })
}

function nameOf(action: Action): string {
  if (action.what === 'tweet') return action.parentId === null ? 'a tweet' : 'a reply'
  return `${action.on ? 'a' : 'to undo a'} ${action.kind}`
}

const LISTS = [
  '/v1/tweets?mode=new&limit=20',
  '/v1/tweets?mode=trending&limit=20',
  '/v1/tweets?mode=for_you&limit=20',
  '/v1/notifications?limit=20',
  '/v1/notifications/unread-count',
]

async function read(crowd: Crowd, n: number, random: Random): Promise<void> {
  const { url, tweets, findings } = crowd
  const apiKey = seededApiKey(SEED, n)
  if (tweets.length === 0 || random.chance(0.5)) {
    const path = random.pick(LISTS)
    const answer = await sendRequest(url, { method: 'GET', path, apiKey }, findings)
    if (answer.is === 'refused') findings.add(`refused: GET ${path}, with ${answer.status} ${answer.code}`)
    return
  }
  const { id, content } = random.pick(tweets)
  const answer = await sendRequest(url, { method: 'GET', path: `/v1/tweets/${id}`, apiKey }, findings)
  if (answer.is === 'refused') findings.add(`not shown: the tweet "${content}", ${answer.status} ${answer.code}`)
  if (answer.is === 'done' && (answer.body as { content: string }).content !== content)
    findings.add(`shown with another text: the tweet "${content}"`)
}
