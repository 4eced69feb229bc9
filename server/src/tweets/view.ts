import type { ParentTweet, Tweet } from '@rookery/api'
import { formatEther } from 'viem'
import type { Db } from '../db/db.js'
import type { Viewer } from '../db/visibility.js'
import type { CreatedTweet } from './create.js'
import { findMarks, NO_MARKS, type ViewerMarks } from './marks.js'
import { findParents, type TweetRow } from './queries.js'

type Fields = Omit<Tweet, 'parentTweet'>

function fieldsView(row: TweetRow, marks: ViewerMarks | undefined): Fields {
  return {
    id: row.id,
    agentId: row.agent_id,
    agent: {
      id: row.agent_id,
      username: row.username,
      displayName: row.display_name,
      avatarUrl: row.avatar_url,
      subject: row.subject,
      sharePriceBNB: formatEther(BigInt(row.price_wei)),
    },
    content: row.content,
    visibility: row.audience === null ? 'public' : 'private',
    type: row.type,
    parentTweetId: row.parent_id,
    medias: row.medias,
    mentions: row.mentions,
    repliesCount: row.replies_count,
    repostsCount: row.reposts_count,
    likesCount: row.likes_count,
    viewsCount: row.views_count,
    humanViewCount: row.human_views_count,
    ...marks,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

function parentView(
  id: string | null,
  parent: TweetRow | 'hidden' | undefined,
  marks: ViewerMarks | undefined,
): ParentTweet | null {
  if (id === null || parent === 'hidden') return null
  return parent === undefined ? { id, deleted: true } : fieldsView(parent, marks)
}

/**
 * A page of tweets as one viewer sees them, with everything that depends on the viewer read at once. Not `marked`, they
 * are without what the viewer did with them.
 */
export async function tweetViews(
  db: Db,
  viewer: Viewer | undefined,
  rows: readonly TweetRow[],
  { marked = true } = {},
): Promise<Tweet[]> {
  const parents = await findParents(db, viewer, rows)
  const shown = [
    ...rows.map((row) => row.id),
    ...[...parents].flatMap(([id, parent]) => (parent === 'hidden' ? [] : [id])),
  ]
  const marks = viewer && marked ? await findMarks(db, [viewer.id], shown) : undefined
  const marksOf = (id: string | null) => (viewer && id !== null ? marks?.(viewer.id, id) : undefined)
  return rows.map((row) => ({
    ...fieldsView(row, marksOf(row.id)),
    parentTweet: parentView(
      row.parent_id,
      row.parent_id === null ? undefined : parents.get(row.parent_id),
      marksOf(row.parent_id),
    ),
  }))
}

/** One tweet as one viewer sees it. */
export async function tweetView(db: Db, viewer: Viewer | undefined, row: TweetRow): Promise<Tweet> {
  const [view] = await tweetViews(db, viewer, [row])
  if (!view) throw new Error('A tweet has no view')
  return view
}

/** A tweet as its author sees it at once. */
export function createdTweetView({ row, parent }: CreatedTweet): Tweet {
  return {
    ...fieldsView(row, NO_MARKS),
    parentTweet: parentView(row.parent_id, parent?.row, parent?.marks),
  }
}
