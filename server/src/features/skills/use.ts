import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { AgentViewer, Viewer } from '../../foundation/db/visibility.js'
import { trendWith, trendWithout } from '../../foundation/trend.js'
import { findWallet } from '../agents/queries.js'
import { type FullVersionRow, getLikedSkill, getServedVersion, getSkill, type SkillRow } from './queries.js'
import { SKILL_HALF_LIFE_MS } from './tags.js'

/** The state after a like or unlike. */
export interface LikeState {
  readonly id: string
  readonly liked: boolean
  readonly likeCount: number
}

type UseDeps = Pick<Deps, 'db' | 'clock'>

/** Likes an item. Repeating it changes nothing. */
export async function likeSkill(deps: UseDeps, agent: AgentIdentity, { id }: { id: string }): Promise<LikeState> {
  const skill = await getSkill(deps.db, agent, id)
  return deps.db.transaction(async (db) => {
    const at = deps.clock.now()
    const added = await db.run(sql`
      insert into skill_like (skill_id, agent_id, created_at) values (${skill.id}, ${agent.id}, ${at})
      on conflict do nothing`)
    const likeCount = await changeLikeCount(db, skill, added === 1 ? 1 : 0)
    if (added === 1) await addUse(db, agent, skill, { likes: 1, hasDownloaded: false, at })
    return { id: skill.id, liked: true, likeCount }
  })
}

/** Removes a like, also from an item that the agent may not see any more; its count is then 0. Repeating it changes nothing. */
export async function unlikeSkill({ db }: UseDeps, agent: AgentIdentity, { id }: { id: string }): Promise<LikeState> {
  const { skill, isListed } = await getLikedSkill(db, agent, id)
  return db.transaction(async (db) => {
    const likeCount = await removeLike(db, agent, skill)
    return { id: skill.id, liked: false, likeCount: isListed ? likeCount : 0 }
  })
}

/** The part of `unlikeSkill` that belongs to the transaction `db`. Returns how many likes are left. */
export async function removeLike(
  db: Db,
  agent: Pick<AgentIdentity, 'id' | 'walletAddress'>,
  skill: Pick<SkillRow, 'id'>,
): Promise<number> {
  const removed = await db.run(sql`delete from skill_like where skill_id = ${skill.id} and agent_id = ${agent.id}`)
  const likeCount = await changeLikeCount(db, skill, removed === 1 ? -1 : 0)
  if (removed === 1) await removeLikeUse(db, agent, skill)
  return likeCount
}

/** Removes all use of an item by an owner, as of one who was never there. */
export async function removeUse(db: Db, { walletAddress }: User, { id }: Pick<SkillRow, 'id'>): Promise<void> {
  await db.run(sql`select from skill where id = ${id} for update`)
  const gone = await db.find<Row<'skill_use', 'at'>>(
    sql`delete from skill_use where skill_id = ${id} and wallet = ${walletAddress} returning at`,
  )
  if (gone) await uncountUser(db, id, gone.at)
}

function uncountUser(db: Db, skillId: string, at: Date): Promise<number> {
  return db.run(sql`
    update skill set users_count = users_count - 1, trend = ${trendWithout(sql`trend`, at, 1, SKILL_HALF_LIFE_MS)}
    where id = ${skillId}`)
}

// Locks the row when the count changes, so that concurrent updates of the derived figures run one after the other.
async function changeLikeCount(db: Db, { id }: Pick<SkillRow, 'id'>, by: -1 | 0 | 1): Promise<number> {
  const { likes_count } = await db.one<Row<'skill', 'likes_count'>>(
    by === 0
      ? sql`select likes_count from skill where id = ${id}`
      : sql`update skill set likes_count = likes_count + ${by} where id = ${id} returning likes_count`,
  )
  return likes_count
}

export interface Download {
  readonly skill: SkillRow
  readonly version: FullVersionRow
  readonly downloadCount: number
}

/** Returns a version and counts the download. */
export async function downloadSkill(
  deps: UseDeps,
  viewer: Viewer | undefined,
  request: { id: string; v?: string },
): Promise<Download> {
  const { skill, version } = await getServedVersion(deps.db, viewer, request)
  return deps.db.transaction(async (db) => {
    const { downloads_count } = await db.one<Row<'skill', 'downloads_count'>>(sql`
      update skill set downloads_count = downloads_count + 1 where id = ${skill.id} returning downloads_count`)
    const wallet = viewer && (await findWallet(db, viewer))
    if (wallet)
      await addUse(db, { walletAddress: wallet }, skill, { likes: 0, hasDownloaded: true, at: deps.clock.now() })
    return { skill, version, downloadCount: downloads_count }
  })
}

type User = Pick<AgentViewer, 'walletAddress'>

/**
 * Records that an owner uses an item. An owner counts once, whatever the number of agents and ways of use; the creator's
 * own owner does not count. The row of the item must be locked.
 */
async function addUse(
  db: Db,
  { walletAddress }: User,
  skill: SkillRow,
  { likes, hasDownloaded, at }: { likes: 0 | 1; hasDownloaded: boolean; at: Date },
): Promise<void> {
  if (walletAddress === skill.wallet_address) return
  const updated = await db.run(sql`
    update skill_use set likes_count = likes_count + ${likes}, has_downloaded = has_downloaded or ${hasDownloaded}
    where skill_id = ${skill.id} and wallet = ${walletAddress}`)
  if (updated === 1) return
  await db.run(sql`
    insert into skill_use (skill_id, wallet, likes_count, has_downloaded, at)
    values (${skill.id}, ${walletAddress}, ${likes}, ${hasDownloaded}, ${at})`)
  await db.run(sql`
    update skill set users_count = users_count + 1, trend = ${trendWith(sql`trend`, at, 1, SKILL_HALF_LIFE_MS)}
    where id = ${skill.id}`)
}

async function removeLikeUse(db: Db, { walletAddress }: User, skill: Pick<SkillRow, 'id'>): Promise<void> {
  const left = await db.find<Row<'skill_use', 'likes_count' | 'has_downloaded' | 'at'>>(sql`
    update skill_use set likes_count = likes_count - 1 where skill_id = ${skill.id} and wallet = ${walletAddress}
    returning likes_count, has_downloaded, at`)
  if (!left || left.likes_count > 0 || left.has_downloaded) return
  await db.run(sql`delete from skill_use where skill_id = ${skill.id} and wallet = ${walletAddress}`)
  await uncountUser(db, skill.id, left.at)
}
