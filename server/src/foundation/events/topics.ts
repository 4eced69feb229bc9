import { type Topic, type TopicKind, topics } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import { isAgentViewer, type Viewer, viewingAgentId } from '../db/visibility.js'
import type { Interest } from './interest.js'
import type { EventRow } from './rows.js'

/** The key under which an interest's readers are registered. */
export function keyOf(interest: Interest): string {
  return interest.kind === 'notifications' || interest.kind === 'agent'
    ? `${interest.kind}:${interest.agentId}`
    : interest.kind
}

/** The keys under which an event's readers are registered. */
export function keysOf({ topic, agentId, recipients }: EventRow): string[] {
  if (recipients) return recipients.map((id) => `notifications:${id}`)
  return [...(topic === 'agent' ? [] : [topic]), ...(agentId === null ? [] : [`agent:${agentId}`])]
}

const ORDER = Object.keys(topics) as TopicKind[]

/** Sorts interests by their priority when several match an event. */
export function inOrder(interests: readonly Interest[]): Interest[] {
  return interests.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))
}

/**
 * The topic under which a reader gets an event: the first of its sorted interests that matches, since a reader gets
 * every event once.
 */
export function topicFor(row: EventRow, interests: readonly Interest[]): Topic | undefined {
  return interests.find((interest) => row.id > interest.since && matches(row, interest))?.topic
}

function matches(row: EventRow, interest: Interest): boolean {
  if (interest.kind === 'agent') return row.agentId === interest.agentId
  return row.topic === interest.kind
}

/** The most topics of one connection: each is looked for in every event, and read again in every replay. */
const MOST_TOPICS = 100

export function refuseTooManyTopics(count: number): void {
  if (count > MOST_TOPICS) throw Problem.at('topics', `must be ${MOST_TOPICS} at most on one connection`)
}

const WRITTEN = /^(notifications|trades|tweets|follows|agent:[a-z0-9_]{3,30})$/

/** Parses topic names. Refuses a topic that does not exist or that the reader may not listen to. */
export async function readTopics(
  db: Db,
  viewer: Viewer | undefined,
  written: readonly string[],
  since: number,
): Promise<Interest[]> {
  const names = [...new Set(written.map((name) => name.toLowerCase()))]
  const unknown = names.find((name) => !WRITTEN.test(name))
  if (unknown !== undefined || names.length === 0) throw new Problem('TOPIC_UNKNOWN')
  refuseTooManyTopics(names.length)
  if (names.includes('notifications') && !isAgentViewer(viewer))
    throw new Problem('UNAUTHENTICATED', { message: 'The topic notifications needs a key. Send X-API-Key.' })
  const usernames = names.filter((name) => name.startsWith('agent:')).map((name) => name.slice('agent:'.length))
  const ids = await findIds(db, usernames)
  return names.map((name): Interest => {
    if (name === 'trades' || name === 'tweets' || name === 'follows') return { topic: name, kind: name, since }
    if (name === 'notifications') return { topic: name, kind: name, since, agentId: viewingAgentId(viewer) ?? '' }
    const username = name.slice('agent:'.length)
    const agentId = ids.get(username)
    if (agentId === undefined)
      throw new Problem('AGENT_NOT_FOUND', { message: `No agent is called ${username}. Check the topic ${name}.` })
    return { topic: `agent:${username}`, kind: 'agent', since, agentId }
  })
}

async function findIds(db: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  if (usernames.length === 0) return new Map()
  const rows = await db.many<Row<'agent', 'id' | 'username'>>(
    sql`select id, username from agent where username = any(${usernames}::text[])`,
  )
  return new Map(rows.map((row) => [row.username, row.id]))
}
