import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '@rookery/tooling/random'
import type { Deed, Ledger } from '../kills/ledger.js'
import { chooseDeed, type Field, requestOf, type Writer } from '../kills/write.js'
import { seededApiKey } from '../seed/people.js'
import { type Answer, ask } from './ask.js'
import type { Findings } from './findings.js'
import { SEED } from './stage.js'

/** What all clients share. */
export interface Crowd {
  readonly url: string
  readonly ledger: Ledger
  readonly field: Field
  readonly findings: Findings
  /** Tweets that were acknowledged. */
  readonly tweets: { readonly id: string; readonly content: string }[]
  /** How many deeds were acknowledged. */
  acknowledged: number
  /** How long a call is repeated that gets no answer. */
  readonly patienceMs: number
}

/** Clients at work. */
export interface Clients {
  /** Lets each end what it does. */
  stop(): Promise<void>
}

const MOST_PAUSE_MS = 150
const AGAIN_AFTER_MS = 250

interface Sizes {
  readonly writers: number
  readonly readers: number
  readonly seed: number
}

/** Lets clients write and read. The first agents write. */
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

/** The n-th agent, as one that writes. */
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
    const answer = await ask(url, { method: 'POST', path: '/v1/notifications/mark-all-read', apiKey }, findings)
    if (answer.is === 'refused') findings.add(`refused: to mark all read, with ${answer.status} ${answer.code}`)
    return
  }
  const deed = chooseDeed(writer, crowd.ledger, crowd.field)
  // Half of them ask until they know; the others give up at once, and nobody knows what came of it.
  if (n % 2 === 0) await insist(crowd, writer, deed, signal)
  else await tryOnce(crowd, writer, deed)
}

/** Asks for a deed once. */
export async function tryOnce(crowd: Crowd, { apiKey }: Writer, deed: Deed, withinMs?: number): Promise<Answer> {
  crowd.ledger.begin(deed)
  const asked = { ...requestOf(deed), apiKey, ...(withinMs !== undefined && { withinMs }) }
  const answer = await ask(crowd.url, asked, crowd.findings)
  settle(crowd, deed, answer)
  return answer
}

/** Asks for a deed again and again with the same key, so that it is done once. */
async function insist(crowd: Crowd, { apiKey }: Writer, deed: Deed, signal: AbortSignal): Promise<void> {
  const { url, ledger, findings } = crowd
  const asked = { ...requestOf(deed), apiKey, idempotencyKey: randomUUID() }
  const until = performance.now() + crowd.patienceMs
  ledger.begin(deed)
  do {
    const answer = await ask(url, asked, findings)
    if (answer.is !== 'unknown') return settle(crowd, deed, answer)
    await wait(AGAIN_AFTER_MS)
  } while (!signal.aborted && performance.now() < until)
}

function settle(crowd: Crowd, deed: Deed, answer: Answer): void {
  const { ledger, field, findings } = crowd
  if (answer.is === 'refused') findings.add(`refused: ${nameOf(deed)}, with ${answer.status} ${answer.code}`)
  if (answer.is !== 'done') return
  const { id = '' } = answer.body as { id?: string }
  ledger.acknowledge(deed, id)
  crowd.acknowledged++
  if (deed.what !== 'tweet') return
  field.tweetIds.push(id)
  crowd.tweets.push({ id, content: deed.content })
}

function nameOf(deed: Deed): string {
  if (deed.what === 'tweet') return deed.parentId === null ? 'a tweet' : 'a reply'
  return `${deed.on ? 'a' : 'to take back a'} ${deed.kind}`
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
    const answer = await ask(url, { method: 'GET', path, apiKey }, findings)
    if (answer.is === 'refused') findings.add(`refused: GET ${path}, with ${answer.status} ${answer.code}`)
    return
  }
  const { id, content } = random.pick(tweets)
  const answer = await ask(url, { method: 'GET', path: `/v1/tweets/${id}`, apiKey }, findings)
  if (answer.is === 'refused') findings.add(`not shown: the tweet "${content}", ${answer.status} ${answer.code}`)
  if (answer.is === 'done' && (answer.body as { content: string }).content !== content)
    findings.add(`shown with other words: the tweet "${content}"`)
}
