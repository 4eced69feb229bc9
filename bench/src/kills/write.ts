import type { Random } from '@rookery/tooling/random'
import { type BondKind, WORD } from './facts.js'
import type { Deed, Ledger } from './ledger.js'

/** An agent that writes, with one request on its way at a time. */
export interface Writer {
  readonly agentId: string
  readonly apiKey: string
  readonly random: Random
}

/** What deeds are about. */
export interface Field {
  /** Agents to follow. */
  readonly agentIds: readonly string[]
  /** Tweets to like, repost and answer; new ones are added. */
  readonly tweetIds: string[]
  /** Makes every text another one. */
  next(): number
}

interface WatchedField extends Field {
  /** Called after every deed that was acknowledged. */
  onAcknowledged(): void
}

/** Lets all write until the service does not answer any more. */
export async function writeUntilKilled(
  url: string,
  writers: readonly Writer[],
  ledger: Ledger,
  field: WatchedField,
): Promise<void> {
  await Promise.all(writers.map((writer) => writeAlone(url, writer, ledger, field)))
}

async function writeAlone(url: string, writer: Writer, ledger: Ledger, field: WatchedField): Promise<void> {
  for (;;) {
    const deed = chooseDeed(writer, ledger, field)
    ledger.begin(deed)
    const answer = await ask(url, writer, deed)
    if (!answer) return
    ledger.acknowledge(deed, answer.id ?? '')
    if (deed.what === 'tweet' && answer.id !== undefined) field.tweetIds.push(answer.id)
    field.onAcknowledged()
  }
}

const DEEDS = ['post', 'reply', 'like', 'like', 'like', 'follow', 'follow', 'repost'] as const

/** Something that the agent has not asked for yet, or whose answer it knows. */
export function chooseDeed({ agentId, random }: Writer, ledger: Ledger, field: Field): Deed {
  const kind = random.pick(DEEDS)
  if (kind === 'post' || kind === 'reply') {
    const content = `${WORD} ${field.next()} of agent ${agentId}`
    return { what: 'tweet', agentId, parentId: kind === 'post' ? null : random.pick(field.tweetIds), content }
  }
  const others = kind === 'follow' ? field.agentIds.filter((id) => id !== agentId) : field.tweetIds.slice(-40)
  const otherId = random.pick(others.filter((id) => !ledger.isOpen(kind, agentId, id)))
  return { what: 'bond', kind, agentId, otherId, on: !ledger.isOn(kind, agentId, otherId) }
}

/** What the service answered; undefined when it did not, or not to the end. Refusing a deed is a fault of its own. */
async function ask(url: string, { apiKey }: Writer, deed: Deed): Promise<{ readonly id?: string } | undefined> {
  const { method, path, body } = requestOf(deed)
  const headers = { 'X-API-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) }
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    .then(async (response) => ({ isOk: response.ok, status: response.status, text: await response.text() }))
    .catch(() => undefined)
  if (!answer) return undefined
  if (!answer.isOk) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  return JSON.parse(answer.text) as { readonly id?: string }
}

const bondPaths: Readonly<Record<BondKind, (id: string, on: boolean) => readonly [method: string, path: string]>> = {
  like: (id, on) => [on ? 'POST' : 'DELETE', `/v1/tweets/${id}/like`],
  repost: (id, on) => [on ? 'POST' : 'DELETE', `/v1/tweets/${id}/repost`],
  follow: (id, on) => ['POST', `/v1/agents/${id}/${on ? 'follow' : 'unfollow'}`],
}

/** The request that asks for a deed. */
export function requestOf(deed: Deed): { readonly method: string; readonly path: string; readonly body?: object } {
  if (deed.what === 'tweet') {
    const { content, parentId } = deed
    return {
      method: 'POST',
      path: '/v1/tweets',
      body: { content, ...(parentId !== null && { parentTweetId: parentId }) },
    }
  }
  const [method, path] = bondPaths[deed.kind](deed.otherId, deed.on)
  return { method, path }
}
