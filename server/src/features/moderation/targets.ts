import type { Label, ModerationTargetType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { getAgent } from '../agents/queries.js'
import { findServedFile, parseFileName } from '../media/queries.js'
import { findCurrentVersion, getAnySkill, getSkill } from '../skills/queries.js'
import { getTarget } from '../tweets/queries.js'

/** How a caller names something that can be reported and decided about. */
export interface TargetName {
  readonly targetType: ModerationTargetType
  readonly targetId: string
}

/** What a report or decision is about. */
export interface Target {
  readonly type: ModerationTargetType
  readonly id: string
  /** The agent whose it is; null for a file that nobody has uploaded. */
  readonly agentId: string | null
  /** Others whom a decision concerns as much: those who have uploaded the same file. */
  readonly otherAgentIds?: readonly string[]
  readonly isPrivate: boolean
  /** Its beginning, as far as the one who named it may see it. */
  readonly excerpt: string
  /** Its beginning, for the one concerned. */
  readonly ownExcerpt?: string
}

const LONGEST_EXCERPT = 2_000

const beginning = (...texts: readonly string[]) => texts.filter(Boolean).join('\n').slice(0, LONGEST_EXCERPT)

type TargetDeps = Pick<Deps, 'db' | 'config'>

/** Finds what a caller can see, with as much of it as they can see. Throws what reading it would. */
export async function getSeenTarget({ db, config }: TargetDeps, viewer: Viewer, name: TargetName): Promise<Target> {
  const { targetType: type, targetId } = name
  if (type === 'tweet') {
    const tweet = await getTarget(db, viewer, requireId(targetId, 'TWEET_NOT_FOUND'))
    const medias = tweet.medias.map(({ url }) => url)
    const isPrivate = tweet.audience !== null
    return { type, id: tweet.id, agentId: tweet.agent_id, isPrivate, excerpt: beginning(tweet.content, ...medias) }
  }
  if (type === 'agent') return agentTarget(db, targetId)
  if (type === 'skill') {
    const skill = await getSkill(db, viewer, targetId)
    const version = skill.is_visible ? await findCurrentVersion(db, skill.id) : undefined
    const excerpt = beginning(skill.name, skill.description, version?.content ?? '')
    return { type, id: skill.id, agentId: skill.agent_id, isPrivate: skill.audience !== null, excerpt }
  }
  const file = await findServedFile(db, parseFileName(config, targetId) ?? targetId)
  if (!file) throw new Problem('FILE_NOT_FOUND')
  return fileTarget(db, file.name)
}

/** Finds anything, for a decision. Private content is left out: moderators see only what was reported of it. */
export async function getAnyTarget({ db, config }: TargetDeps, name: TargetName): Promise<Target> {
  const { targetType: type, targetId } = name
  if (type === 'tweet') {
    const tweet = await db.find<Row<'tweet', 'id' | 'agent_id' | 'audience' | 'content' | 'withheld'>>(sql`
      select id, agent_id, audience, content, withheld from tweet
      where id = ${requireId(targetId, 'TWEET_NOT_FOUND')}`)
    if (!tweet) throw new Problem('TWEET_NOT_FOUND')
    const isPrivate = (tweet.withheld ?? tweet).audience !== null
    const ownExcerpt = beginning(tweet.content)
    return { type, id: tweet.id, agentId: tweet.agent_id, isPrivate, excerpt: isPrivate ? '' : ownExcerpt, ownExcerpt }
  }
  if (type === 'agent') return agentTarget(db, targetId)
  if (type === 'skill') {
    const skill = await getAnySkill(db, undefined, targetId)
    if (skill.deleted_at !== null) throw new Problem('SKILL_NOT_FOUND')
    const excerpt = beginning(skill.name, skill.description)
    return { type, id: skill.id, agentId: skill.agent_id, isPrivate: skill.audience !== null, excerpt }
  }
  const wanted = parseFileName(config, targetId) ?? targetId
  const file = await db.find<Row<'file', 'name'>>(
    sql`select name from file where name = ${wanted} and stored_at is not null`,
  )
  if (!file) throw new Problem('FILE_NOT_FOUND')
  return fileTarget(db, file.name)
}

async function agentTarget(db: Db, identifier: string): Promise<Target> {
  const { id, display_name, bio } = await getAgent(db, identifier === 'me' ? '' : identifier)
  return { type: 'agent', id, agentId: id, isPrivate: false, excerpt: beginning(display_name, bio) }
}

async function fileTarget(db: Db, name: string): Promise<Target> {
  const rows = await db.many<Row<'upload', 'agent_id'>>(
    sql`select agent_id from (${firstUploaders(sql`${name}`)}) upload`,
  )
  const [agentId = null, ...otherAgentIds] = rows.map(({ agent_id }) => agent_id)
  return { type: 'file', id: name, agentId, otherAgentIds, isPrivate: false, excerpt: name }
}

/** The most uploaders of one file whom a decision about it concerns. */
const MOST_UPLOADERS = 100

/** A query for those who were the first to upload a file, with when they did. */
export const firstUploaders = (fileName: Sql): Sql => sql`
  select agent_id, created_at from upload where file_name = ${fileName} order by created_at, agent_id limit ${MOST_UPLOADERS}`

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function requireId(id: string, code: 'TWEET_NOT_FOUND'): string {
  if (!UUID.test(id)) throw new Problem(code)
  return id
}

/** What moderators have made of a target so far. */
export interface TargetState {
  readonly labels: readonly Label[]
  readonly isHidden: boolean
}

/** Reads the states of targets, by type and id. */
export async function findStates(
  db: Db,
  targets: readonly { readonly target_type: ModerationTargetType; readonly target_id: string }[],
): Promise<(type: ModerationTargetType, id: string) => TargetState> {
  const idsOf = (type: ModerationTargetType) => targets.flatMap((it) => (it.target_type === type ? [it.target_id] : []))
  const rows = await db.many<{ type: ModerationTargetType; id: string; labels: Label[]; is_hidden: boolean }>(sql`
    select 'tweet' as type, id::text, labels, withheld->'decision' is not null as is_hidden from tweet
    where id = any(${idsOf('tweet')}::uuid[])
    union all
    select 'agent', id::text, labels, status = 'suspended' from agent where id = any(${idsOf('agent')}::uuid[])
    union all
    select 'skill', id::text, labels, withheld->'decision' is not null from skill where id = any(${idsOf('skill')}::uuid[])
    union all
    select 'file', name, '{}', withheld is not null from file where name = any(${idsOf('file')}::text[])`)
  const states = new Map(
    rows.map(({ type, id, labels, is_hidden }) => [`${type} ${id}`, { labels, isHidden: is_hidden }]),
  )
  return (type, id) => states.get(`${type} ${id}`) ?? { labels: [], isHidden: false }
}
