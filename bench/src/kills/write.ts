import type { Random } from '@rookery/tooling/random'
import { type BondKind, WORD } from './facts.js'
import type { Action, Ledger } from './ledger.js'

/** An agent that writes, with one request in flight at a time. */
export interface Writer {
  readonly agentId: string
  readonly apiKey: string
  readonly random: Random
}

/** The targets of actions. */
export interface Field {
  /** Agents to follow. */
  readonly agentIds: readonly string[]
  /** Tweets to like, repost and answer; new ones are added. */
  readonly tweetIds: string[]
  /** A number that makes every text different. */
  next(): number
}

interface WatchedField extends Field {
  /** Called after every acknowledged action. */
  onAcknowledged(): void
}

/** Lets all writers write until the service stops answering. */
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
    const action = chooseAction(writer, ledger, field)
    ledger.begin(action)
    const answer = await send(url, writer, action)
    if (!answer) return
    ledger.acknowledge(action, answer.id ?? '')
    if (action.what === 'tweet' && answer.id !== undefined) field.tweetIds.push(answer.id)
    field.onAcknowledged()
  }
}

const ACTIONS = ['post', 'reply', 'like', 'like', 'like', 'follow', 'follow', 'repost'] as const

/** Chooses an action whose previous outcome, if any, is known. */
export function chooseAction({ agentId, random }: Writer, ledger: Ledger, field: Field): Action {
  const kind = random.pick(ACTIONS)
  if (kind === 'post' || kind === 'reply') {
    const content = `${WORD} ${field.next()} of agent ${agentId}`
    return { what: 'tweet', agentId, parentId: kind === 'post' ? null : random.pick(field.tweetIds), content }
  }
  const others = kind === 'follow' ? field.agentIds.filter((id) => id !== agentId) : field.tweetIds.slice(-40)
  const otherId = random.pick(others.filter((id) => !ledger.isOpen(kind, agentId, id)))
  return { what: 'bond', kind, agentId, otherId, on: !ledger.isOn(kind, agentId, otherId) }
}

/** Returns the answer, or undefined if there was none or it was cut off. Throws on a refusal, which must not happen. */
async function send(url: string, { apiKey }: Writer, action: Action): Promise<{ readonly id?: string } | undefined> {
  const { method, path, body } = requestOf(action)
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

export function requestOf(action: Action): { readonly method: string; readonly path: string; readonly body?: object } {
  if (action.what === 'tweet') {
    const { content, parentId } = action
    return {
      method: 'POST',
      path: '/v1/tweets',
      body: { content, ...(parentId !== null && { parentTweetId: parentId }) },
    }
  }
  const [method, path] = bondPaths[action.kind](action.otherId, action.on)
  return { method, path }
}
