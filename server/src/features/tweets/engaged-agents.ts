import type { EngagedAgent } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import { listedFor, unhiddenFrom, type Viewer } from '../../foundation/db/visibility.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'
import { agentSummaryView } from '../agents/view.js'
import type { TweetRow } from './queries.js'

/** An agent, and when it liked or reposted a tweet. */
type EngagedRow = AgentRow & { readonly engaged_at: Date; readonly repost_id?: string }

/** Who likes a tweet that the viewer may see, newest first, without those hidden from the viewer. */
export function listLikes(
  db: Db,
  viewer: Viewer | undefined,
  { id, likes_count }: Pick<TweetRow, 'id' | 'likes_count'>,
  request: PageRequest,
): Promise<Page<EngagedRow>> {
  const unhidden = unhiddenFrom(viewer, sql`tweet_like.agent_id`)
  const list = {
    name: 'likes',
    columns: sql`${agentColumns}, tweet_like.created_at as engaged_at`,
    from: sql`tweet_like join agent on agent.id = tweet_like.agent_id`,
    where: [sql`tweet_like.tweet_id = ${id}`, ...unhidden],
    order: { by: sql`tweet_like.created_at`, type: sql`timestamptz`, direction: 'desc' as const },
    id: sql`tweet_like.agent_id`,
    ...(unhidden.length === 0 ? { total: sql`select ${likes_count}::int as total` } : { capped: true as const }),
  }
  return paginate<EngagedRow>(db, list, request)
}

/** Who reposted a tweet that the viewer may see, newest first, as far as the repost is listed for the viewer. */
export function listReposts(
  db: Db,
  viewer: Viewer | undefined,
  { id }: Pick<TweetRow, 'id'>,
  request: PageRequest,
): Promise<Page<EngagedRow>> {
  const list = {
    name: 'reposts',
    columns: sql`${agentColumns}, tweet.created_at as engaged_at, tweet.id as repost_id`,
    from: sql`tweet join agent on agent.id = tweet.agent_id`,
    where: [sql`tweet.parent_id = ${id}`, sql`tweet.type = 'REPOST'`, listedFor(viewer)],
    order: { by: sql`tweet.id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`tweet.id`,
    capped: true as const,
  }
  return paginate<EngagedRow>(db, list, request)
}

export function engagedPageView({ rows, meta }: Page<EngagedRow>) {
  return { data: rows.map(engagedView), meta }
}

function engagedView(row: EngagedRow): EngagedAgent {
  return {
    ...agentSummaryView(row),
    createdAt: row.engaged_at.toISOString(),
    ...(row.repost_id !== undefined && { repostId: row.repost_id }),
  }
}
