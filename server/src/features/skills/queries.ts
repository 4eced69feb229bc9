import type { SkillType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { type Asked, pageOfAsked } from '../../foundation/db/asked.js'
import { type Db, every } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Row, Tables } from '../../foundation/db/row.js'
import {
  type AgentViewer,
  unblockedBy,
  type Viewer,
  viewingAgentId,
  visibleTo,
} from '../../foundation/db/visibility.js'
import { labelConditions } from '../agents/labels.js'
import { cleanTag } from './tags.js'

/** A stored item with its creator, for one viewer. */
export type SkillRow = Omit<Row<'skill'>, 'users_count' | 'trend'> &
  Row<'agent', 'username' | 'display_name' | 'avatar_url' | 'wallet_address'> & {
    readonly current_number: Tables['skill_version']['number'] | null
    readonly current_scan: Tables['skill_version']['scan_status'] | null
    /** Whether the viewer may see the content. */
    readonly is_visible: boolean
  }

function skillColumns(viewer: Viewer | undefined): Sql {
  return sql`skill.id, skill.slug, skill.agent_id, skill.type, skill.name, skill.description, skill.audience,
    skill.is_active, skill.tags, skill.likes_count, skill.downloads_count, skill.is_served, skill.created_at,
    skill.updated_at, skill.deleted_at, skill.labels, skill.withheld, agent.username, agent.display_name, agent.avatar_url, agent.wallet_address,
    (select number from skill_version where skill_id = skill.id and is_current) as current_number,
    (select scan_status from skill_version where skill_id = skill.id and is_current) as current_scan,
    ${visibleTo(viewer, sql`skill`)} as is_visible`
}

const skillFrom = sql`skill join agent on agent.id = skill.agent_id`

/** Whether an item is listed for everyone. */
const isListed = sql`skill.is_served and skill.deleted_at is null and skill.withheld is null`

/** Whether an item is listed for the viewer: items that are not served, or taken down, are listed only for their creator. */
function isListedFor(viewer: Viewer | undefined): Sql {
  if (!viewer) return isListed
  const isShown = sql`skill.deleted_at is null
    and (skill.is_served and skill.withheld is null or skill.agent_id = ${viewingAgentId(viewer) ?? null}::uuid)`
  return every([isShown, ...unblockedBy(viewer, sql`skill.agent_id`)])
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function identifierMatches(identifier: string): Sql {
  return UUID.test(identifier) ? sql`skill.id = ${identifier}` : sql`skill.slug = ${identifier.toLowerCase()}`
}

/** Finds an item by id or slug among those that are listed for the viewer. */
export async function getSkill(db: Db, viewer: Viewer | undefined, identifier: string): Promise<SkillRow> {
  const row = await db.find<SkillRow>(sql`
    select ${skillColumns(viewer)} from ${skillFrom} where ${identifierMatches(identifier)} and ${isListedFor(viewer)}`)
  if (!row) throw await refusalOf(db, identifier)
  return row
}

/** Finds an item that is listed for the agent or that it likes. Callers must not show one that is not listed. */
export async function getLikedSkill(
  db: Db,
  agent: AgentViewer,
  identifier: string,
): Promise<{ readonly skill: SkillRow; readonly isListed: boolean }> {
  const found = await db.find<SkillRow & { readonly is_listed: boolean }>(sql`
    select ${skillColumns(agent)}, ${isListedFor(agent)} as is_listed from ${skillFrom}
    where ${identifierMatches(identifier)} and (${isListedFor(agent)}
      or exists (select from skill_like where skill_id = skill.id and skill_like.agent_id = ${agent.id}))`)
  if (!found) throw await refusalOf(db, identifier)
  return { skill: found, isListed: found.is_listed }
}

async function refusalOf(db: Db, identifier: string): Promise<Problem> {
  const isTakenDown = await db.find(sql`
    select from skill where ${identifierMatches(identifier)} and withheld is not null and is_served and deleted_at is null`)
  return new Problem(isTakenDown ? 'TAKEN_DOWN' : 'SKILL_NOT_FOUND')
}

/** Finds an item that the caller may change. Refuses items of others, and what is taken down. */
export async function getOwnSkill(db: Db, creator: AgentViewer, id: string): Promise<SkillRow> {
  const skill = await getSkill(db, creator, id)
  if (skill.agent_id !== creator.id) throw new Problem('NOT_THE_AUTHOR')
  if (skill.withheld) throw new Problem('TAKEN_DOWN')
  return skill
}

/** Finds an item by id or slug, even if it is no longer served. Callers must not show it. */
export async function getAnySkill(db: Db, viewer: Viewer | undefined, identifier: string): Promise<SkillRow> {
  const row = await db.find<SkillRow>(
    sql`select ${skillColumns(viewer)} from ${skillFrom}
      where ${every([identifierMatches(identifier), ...unblockedBy(viewer, sql`skill.agent_id`)])}`,
  )
  if (!row) throw new Problem('SKILL_NOT_FOUND')
  return row
}

/** Finds items by id among those that are listed for the viewer. */
export async function findSkills(
  db: Db,
  viewer: Viewer | undefined,
  ids: readonly string[],
): Promise<Map<string, SkillRow>> {
  const rows = await db.many<SkillRow>(sql`
    select ${skillColumns(viewer)} from ${skillFrom}
    where skill.id = any(${ids}::uuid[]) and ${isListedFor(viewer)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Reads items that the caller names by id or slug, in one statement. */
export async function listAskedSkills(db: Db, viewer: Viewer | undefined, asked: Asked): Promise<Page<SkillRow>> {
  const rows = await db.many<SkillRow>(sql`
    select ${skillColumns(viewer)} from ${skillFrom}
    where (skill.id = any(${asked.uuids}::uuid[]) or skill.slug = any(${asked.others}::text[])) and ${isListedFor(viewer)}`)
  return pageOfAsked(asked, rows, ({ id, slug }) => [id, slug])
}

export type SkillSort = 'hottest' | 'newest' | 'trending'

export type ScanStatus = Tables['skill_version']['scan_status']

export interface SkillFilters {
  readonly type?: SkillType
  /** Comma-separated; matches items with any of them. */
  readonly tags?: string
  readonly creatorId?: string
  readonly isActive?: boolean
  readonly excludeLabels?: string
  /** What the scan found in the current version. */
  readonly scanStatus?: ScanStatus
}

export interface SkillListRequest extends PageRequest, SkillFilters {
  /** Only these. */
  readonly ids?: readonly string[]
  readonly sortBy?: SkillSort
  readonly sortOrder?: 'ASC' | 'DESC'
}

/** The filters as conditions on `skill`. A creator also sees its own items that are not served. */
export function filterConditions(viewer: Viewer | undefined, filters: SkillFilters): Sql[] {
  const { type, tags, creatorId, isActive, scanStatus, excludeLabels } = filters
  const wanted = tags?.split(',').map(cleanTag).filter(Boolean)
  return [
    creatorId !== undefined && creatorId === viewingAgentId(viewer) ? isListedFor(viewer) : isListed,
    ...unblockedBy(viewer, sql`skill.agent_id`),
    ...(type === undefined ? [] : [sql`skill.type = ${type}`]),
    ...(wanted === undefined ? [] : [sql`skill.tags && ${wanted}::text[]`]),
    ...(creatorId === undefined ? [] : [sql`skill.agent_id = ${creatorId}`]),
    ...(isActive === undefined ? [] : [sql`skill.is_active = ${isActive}`]),
    ...labelConditions(excludeLabels, sql`skill`, sql`skill.agent_id`),
    ...(scanStatus === undefined
      ? []
      : [
          sql`exists (
      select from skill_version where skill_id = skill.id and is_current and scan_status = ${scanStatus})`,
        ]),
  ]
}

const orders: Readonly<Record<SkillSort, { by: Sql; type: Sql }>> = {
  hottest: { by: sql`skill.users_count`, type: sql`integer` },
  newest: { by: sql`skill.id`, type: sql`uuid` },
  trending: { by: sql`skill.trend`, type: sql`double precision` },
}

export function listSkills(db: Db, viewer: Viewer | undefined, request: SkillListRequest): Promise<Page<SkillRow>> {
  const { sortBy = 'hottest', sortOrder = 'DESC', ids } = request
  return paginate<SkillRow>(
    db,
    {
      name: `skills:${sortBy}:${sortOrder}`,
      columns: skillColumns(viewer),
      from: skillFrom,
      where: [...(ids ? [sql`skill.id = any(${ids}::uuid[])`] : []), ...filterConditions(viewer, request)],
      order: { ...orders[sortBy], direction: sortOrder === 'ASC' ? 'asc' : 'desc' },
      id: sql`skill.id`,
      capped: true,
    },
    request,
  )
}

/** A version without its text. */
export type VersionRow = Row<
  'skill_version',
  | 'id'
  | 'skill_id'
  | 'number'
  | 'description'
  | 'digest'
  | 'signature'
  | 'scan_status'
  | 'findings'
  | 'created_at'
  | 'revoked_at'
  | 'revoked_reason'
>

const versionColumns = sql`version.id, version.skill_id, version.number, version.description, version.digest,
  version.signature, version.scan_status, version.findings, version.created_at, version.revoked_at, version.revoked_reason`

/** Finds the highest served versions of a page of items. Their creator also sees blocked ones. */
export async function findVersions(
  db: Db,
  viewer: Viewer | undefined,
  skillIds: readonly string[],
  most: number,
): Promise<Map<string, VersionRow[]>> {
  const rows = await db.many<VersionRow>(sql`
    select ${versionColumns}
    from skill cross join lateral (
      select * from skill_version
      where skill_id = skill.id and revoked_at is null
        and (scan_status <> 'blocked' or skill.agent_id = ${viewingAgentId(viewer) ?? null}::uuid)
      order by place desc limit ${most}) version
    where skill.id = any(${skillIds}::uuid[]) order by version.skill_id, version.place desc`)
  const bySkill = new Map<string, VersionRow[]>()
  for (const row of rows) bySkill.set(row.skill_id, [...(bySkill.get(row.skill_id) ?? []), row])
  return bySkill
}

/** Lists the served versions of an item, highest first. Its creator also sees blocked ones. */
export function listVersions(
  db: Db,
  viewer: Viewer | undefined,
  skill: Pick<SkillRow, 'id' | 'agent_id'>,
  request: PageRequest,
): Promise<Page<VersionRow>> {
  const isCreator = skill.agent_id === viewingAgentId(viewer)
  return paginate<VersionRow>(
    db,
    {
      name: 'skill-versions',
      columns: versionColumns,
      from: sql`skill_version version`,
      where: [
        sql`version.skill_id = ${skill.id}`,
        sql`version.revoked_at is null`,
        ...(isCreator ? [] : [sql`version.scan_status <> 'blocked'`]),
      ],
      order: { by: sql`version.place`, type: sql`integer`, direction: 'desc' },
      id: sql`version.id`,
    },
    request,
  )
}

/** Finds which of a page of items an agent likes. */
export async function findLiked(
  db: Db,
  viewer: AgentViewer,
  skillIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.many<Row<'skill_like', 'skill_id'>>(sql`
    select skill_id from skill_like where agent_id = ${viewer.id} and skill_id = any(${skillIds}::uuid[])`)
  return new Set(rows.map(({ skill_id }) => skill_id))
}

/** A version with its text. */
export type FullVersionRow = VersionRow & Row<'skill_version', 'content' | 'document'>

const fullColumns = sql`${versionColumns}, version.content, version.document`

export function findCurrentVersion(db: Db, skillId: string): Promise<FullVersionRow | undefined> {
  return db.find<FullVersionRow>(
    sql`select ${fullColumns} from skill_version version where skill_id = ${skillId} and is_current`,
  )
}

export async function getVersion(db: Db, skillId: string, versionId: string): Promise<FullVersionRow> {
  const row = await db.find<FullVersionRow>(sql`
    select ${fullColumns} from skill_version version where skill_id = ${skillId} and id = ${versionId}`)
  if (!row) throw new Problem('SKILL_VERSION_NOT_FOUND')
  return row
}

/** Finds a version that may be served to the viewer: the one with the given number, or the current one. */
export async function getServedVersion(
  db: Db,
  viewer: Viewer | undefined,
  { id, v }: { id: string; v?: string },
): Promise<{ skill: SkillRow; version: FullVersionRow }> {
  const skill = await getAnySkill(db, viewer, id)
  if (skill.deleted_at !== null) throw new Problem('SKILL_NOT_FOUND')
  if (skill.withheld) throw new Problem('TAKEN_DOWN')
  if (!skill.is_visible) throw holdersOnly(skill)
  const version = await db.find<FullVersionRow>(sql`
    select ${fullColumns} from skill_version version
    where skill_id = ${skill.id} and ${v === undefined ? sql`true` : sql`number = ${v}`}
    order by is_current desc, place desc limit 1`)
  if (!version) throw new Problem('SKILL_VERSION_NOT_FOUND')
  requireServed(version)
  return { skill, version }
}

function requireServed({ revoked_at, scan_status }: VersionRow): void {
  if (revoked_at !== null) throw new Problem('VERSION_REVOKED')
  if (scan_status === 'blocked') throw new Problem('SKILL_BLOCKED')
}

function holdersOnly({ username }: Pick<SkillRow, 'username'>): Problem {
  return new Problem('HOLDERS_ONLY', {
    message: `Only holders of @${username}’s shares can see this. Hold one share of @${username} to get access.`,
    details: [{ path: 'username', message: username }],
  })
}

/** Finds the version that a copy claims to be: by number, otherwise by digest, otherwise the current one. */
export async function getClaimedVersion(
  db: Db,
  skillId: string,
  { v, digest }: { v?: string; digest: string },
): Promise<VersionRow> {
  const row = await db.find<VersionRow>(sql`
    select ${versionColumns} from skill_version version
    where skill_id = ${skillId} and ${v === undefined ? sql`true` : sql`number = ${v}`}
    order by digest = ${digest} desc, is_current desc, place desc limit 1`)
  if (!row) throw new Problem('SKILL_VERSION_NOT_FOUND')
  return row
}

const MOST_ACTIVE = 10

/** The served documents of the items that an agent has published and marked active. */
export function listActiveSkills(
  db: Db,
  agentId: string,
): Promise<{ id: string; version: string; scan: ScanStatus; creator: string; content: string }[]> {
  return db.many(sql`
    select skill.id, version.number as version, version.scan_status as scan, agent.username as creator, version.document as content
    from ${skillFrom} join skill_version version on version.skill_id = skill.id and version.is_current
    where skill.agent_id = ${agentId} and skill.is_active and ${isListed}
    order by skill.updated_at desc, skill.id desc limit ${MOST_ACTIVE}`)
}

const POPULAR_FROM = 5
const MOST_POPULAR = 500

/** Lists the names of popular items of other owners, which a new name might imitate. */
export async function listPopularNames(db: Db, wallet: string): Promise<string[]> {
  const rows = await db.many<Row<'skill', 'name'>>(sql`
    select skill.name from ${skillFrom}
    where ${isListed} and skill.users_count >= ${POPULAR_FROM} and agent.wallet_address <> ${wallet}
    order by skill.users_count desc, skill.id desc limit ${MOST_POPULAR}`)
  return rows.map(({ name }) => name)
}
