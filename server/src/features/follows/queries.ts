import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Tables } from '../../foundation/db/row.js'
import { unblockedBy, type Viewer } from '../../foundation/db/visibility.js'
import { followersOf, followingOf } from '../agents/activity-columns.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'

/** An agent, and when it followed or was followed. */
export type FollowRow = AgentRow & { readonly followed_at: Tables['follow']['created_at'] }

/** A page, without those whom a block parts from the viewer. */
interface FollowsRequest extends PageRequest {
  readonly viewer: Viewer | undefined
}

/** Newest first. */
export function listFollowers(db: Db, agentId: string, request: FollowsRequest): Promise<Page<FollowRow>> {
  return listFollows(db, request, {
    name: 'followers',
    other: sql`follow.follower_id`,
    where: sql`follow.followed_id = ${agentId}`,
    total: sql`select ${followersOf(sql`agent`)} as total from agent where id = ${agentId}`,
  })
}

/** Newest first. */
export function listFollowing(db: Db, agentId: string, request: FollowsRequest): Promise<Page<FollowRow>> {
  return listFollows(db, request, {
    name: 'following',
    other: sql`follow.followed_id`,
    where: sql`follow.follower_id = ${agentId}`,
    total: sql`select ${followingOf(sql`agent`)} as total from agent where id = ${agentId}`,
  })
}

function listFollows(
  db: Db,
  request: FollowsRequest,
  { name, other, where, total }: { name: string; other: Sql; where: Sql; total: Sql },
): Promise<Page<FollowRow>> {
  const unblocked = unblockedBy(request.viewer, other)
  const list = {
    name,
    columns: sql`${agentColumns}, follow.created_at as followed_at`,
    from: sql`follow join agent on agent.id = ${other}`,
    where: [where, ...unblocked],
    order: { by: sql`follow.created_at`, type: sql`timestamptz`, direction: 'desc' as const },
    id: other,
    ...(unblocked.length === 0 ? { total } : { capped: true as const }),
  }
  return paginate<FollowRow>(db, list, request)
}
