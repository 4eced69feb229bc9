import type { Topic } from '@rookery/api'
import { createClient } from '@rookery/sdk'
import type { Pool } from 'pg'
import { seededApiKey } from '../seed/people.js'
import type { Findings } from './findings.js'
import { SEED, type Stage } from './stage.js'

/** A client that listens to live events and reconnects after every interruption. */
export interface Listener {
  readonly name: string
  /** Every event that arrived, in the order of arrival. */
  readonly ids: readonly number[]
  /** SQL conditions on `event`: which events may arrive, and which of those must. */
  readonly wanted: { readonly where: string; readonly must: string }
  stop(): Promise<void>
}

// The content of an event is read when it is sent: an event whose tweet or notification is gone by then reaches nobody.
const TWEET_IS_THERE = `(type = 'tweet.deleted' or exists (select from tweet where tweet.id = event.tweet_id))`
const noticeIsThere = (agentId: string) => `exists (select from notification n where n.agent_id = '${agentId}'
  and n.type = event.data->>'type' and n.actor_id::text = event.data->>'actorId' and n.tweet_id is not distinct from event.tweet_id)`

/** Starts listeners, in turn to all tweets, to one agent's notifications and to one agent's actions. */
export function startListeners(stage: Stage, count: number, findings: Findings): Listener[] {
  return Array.from({ length: count }, (_, index) => {
    const n = Math.floor(index / 3)
    const agentId = stage.sample.agentIds[n] ?? ''
    const kinds = [
      { topic: 'tweets' as const, where: `topic = 'tweets' and audience is null`, must: TWEET_IS_THERE },
      {
        topic: 'notifications' as const,
        where: `topic = 'notifications' and (recipient_id = '${agentId}' or '${agentId}' = any(recipients))`,
        must: noticeIsThere(agentId),
      },
      {
        topic: `agent:agent_${n}` as const,
        where: `agent_id = '${agentId}' and topic <> 'notifications' and audience is null`,
        must: TWEET_IS_THERE,
      },
    ]
    const { topic, ...wanted } = kinds[index % kinds.length] as (typeof kinds)[number]
    return startListener(
      stage,
      { topic, apiKey: seededApiKey(SEED, n), name: `listener ${index + 1} to ${topic}` },
      wanted,
      findings,
    )
  })
}

function startListener(
  { front, lastEventId }: Stage,
  { topic, apiKey, name }: { readonly topic: Topic; readonly apiKey: string; readonly name: string },
  wanted: Listener['wanted'],
  findings: Findings,
): Listener {
  const ids: number[] = []
  const ending = new AbortController()
  async function run(): Promise<void> {
    const options = { topics: [topic], resume: `${lastEventId}`, signal: ending.signal }
    for await (const { id } of createClient({ baseUrl: front.url, apiKey }).events(options)) ids.push(Number(id))
  }
  const running = run().catch((error: Error) => findings.add(`${name} gave up: ${error.message}`))
  return {
    name,
    ids,
    wanted,
    async stop() {
      ending.abort()
      await running
    },
  }
}

/** Whether the newest event that must arrive has arrived. */
export async function isUpToDate(pool: Pool, { ids, wanted }: Listener): Promise<boolean> {
  const { rows } = await pool.query<{ last: string | null }>(
    `select max(id) as last from event where ${wanted.where} and ${wanted.must}`,
  )
  return Number(rows[0]?.last ?? 0) <= (ids.at(-1) ?? 0)
}

/** Compares what arrived with the log. Returns the differences. */
export async function compareWithLog(pool: Pool, listener: Listener, since: number): Promise<string[]> {
  const { name, ids, wanted } = listener
  const { rows } = await pool.query<{ id: string; must: boolean }>(
    `select id, ${wanted.must} as must from event where id > ${since} and ${wanted.where} order by id`,
  )
  return compareOrders(name, ids, new Map(rows.map(({ id, must }) => [Number(id), must])))
}

/** `log` maps the ids that may arrive to whether they must. */
export function compareOrders(name: string, ids: readonly number[], log: ReadonlyMap<number, boolean>): string[] {
  const arrived = new Set(ids)
  const missing = [...log].filter(([id, must]) => must && !arrived.has(id)).map(([id]) => id)
  const foreign = ids.filter((id) => !log.has(id))
  const disordered = ids.filter((id, index) => index > 0 && id <= (ids[index - 1] ?? 0))
  const found = (what: string, some: readonly number[]) =>
    some.length === 0 ? [] : [`${name} ${what} ${some.length} events: ${some.slice(0, 5).join(', ')}`]
  return [
    ...found('missed', missing),
    ...found('received what the log does not have:', foreign),
    ...found('received twice or out of order', disordered),
  ]
}
