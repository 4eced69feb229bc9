import type { ParentTweet, Tweet, Withheld } from '@rookery/api'
import { formatEther } from 'viem'
import type { Db } from '../../foundation/db/db.js'
import { isAgentViewer, type Viewer } from '../../foundation/db/visibility.js'
import type { MediaUrls } from '../../foundation/media-urls.js'
import type { CreatedTweet } from './create.js'
import { findMarks, type MarksLookup, NO_MARKS, type ViewerMarks } from './marks.js'
import { parentOf, type SeenTweet, type ThreadRow, type TweetRow } from './queries.js'

type Fields = Omit<Tweet, 'parentTweet'>

/** Signs the URLs of files that only the readers of a private tweet may read. */
type SignUrls = Pick<MediaUrls, 'sign'>

function fieldsView(urls: SignUrls, row: TweetRow, marks: ViewerMarks | undefined): Fields {
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
    visibility: (row.withheld ?? row).audience === null ? 'public' : 'private',
    type: row.type,
    parentTweetId: row.parent_id,
    medias: row.audience === null ? row.medias : row.medias.map(({ type, url }) => ({ type, url: urls.sign(url) })),
    mentions: row.mentions,
    labels: row.labels,
    ...(row.withheld && { withheld: withheldView(row.withheld) }),
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

/** The cause that stands longest: a decision about the tweet itself outlives the suspension of its author. */
function withheldView({ decision, suspension, original }: NonNullable<TweetRow['withheld']>): Withheld {
  return decision ?? suspension ?? original ?? { reason: '', decisionId: null }
}

function parentView(
  urls: SignUrls,
  id: string | null,
  parent: TweetRow | 'hidden' | undefined,
  marks: ViewerMarks | undefined,
): ParentTweet | null {
  if (id === null || parent === 'hidden') return null
  return parent === undefined ? { id, deleted: true } : fieldsView(urls, parent, marks)
}

/** A private post for those who may not read it: whose it is, when it was posted, and what opens it. */
export function lockedTweetView(row: TweetRow, marks?: ViewerMarks): Tweet {
  const { agent, ...shown } = fieldsView(NO_MEDIA, { ...row, ...UNREADABLE, updated_at: row.created_at }, marks)
  return {
    ...shown,
    agent,
    parentTweet: null,
    locked: true,
    unlock: {
      agentId: agent.id,
      username: agent.username,
      subject: agent.subject,
      shares: 1,
      sharePriceBNB: agent.sharePriceBNB,
    },
  }
}

const NO_MEDIA: SignUrls = { sign: () => '' }

const UNREADABLE = {
  content: '',
  parent_id: null,
  medias: [],
  mentions: [],
  labels: [],
  replies_count: 0,
  reposts_count: 0,
  likes_count: 0,
  views_count: 0,
  human_views_count: 0,
} as const satisfies Partial<TweetRow>

/** A tweet as its viewer sees it. */
export function tweetView(urls: SignUrls, { row, marks, parent, parentMarks }: SeenTweet): Tweet {
  return { ...fieldsView(urls, row, marks), parentTweet: parentView(urls, row.parent_id, parent, parentMarks) }
}

/** A new tweet as its author sees it. */
export function createdTweetView(urls: SignUrls, { row, parent }: CreatedTweet): Tweet {
  return tweetView(urls, { row, marks: NO_MARKS, parent: parent?.row, parentMarks: parent?.marks })
}

/** Tweets without the marks of a viewer. */
export function plainTweetViews(urls: SignUrls, rows: readonly ThreadRow[]): Tweet[] {
  return rows.map((row) =>
    row.is_visible === false
      ? lockedTweetView(row)
      : tweetView(urls, { row, marks: undefined, parent: parentOf(row), parentMarks: undefined }),
  )
}

/** A page of tweets as one viewer sees them. */
export async function tweetViews(
  { db, mediaUrls }: { readonly db: Db; readonly mediaUrls: SignUrls },
  viewer: Viewer | undefined,
  rows: readonly ThreadRow[],
): Promise<Tweet[]> {
  if (!isAgentViewer(viewer)) return plainTweetViews(mediaUrls, rows)
  const marks = await findMarks(db, [viewer.id], shownIds(rows))
  return rows.map((row) =>
    row.is_visible === false
      ? lockedTweetView(row, NO_MARKS)
      : tweetView(mediaUrls, toSeenTweet(viewer.id, row, marks)),
  )
}

/** The ids of all tweets on a page, parents included. */
export function shownIds(rows: readonly ThreadRow[]): string[] {
  return [...new Set(rows.flatMap(({ id, p_id, p_is_visible }) => (p_id !== null && p_is_visible ? [id, p_id] : [id])))]
}

function toSeenTweet(viewerId: string, row: ThreadRow, marks: MarksLookup): SeenTweet {
  const parent = parentOf(row)
  return {
    row,
    marks: marks(viewerId, row.id),
    parent,
    parentMarks: row.parent_id === null ? undefined : marks(viewerId, row.parent_id),
  }
}

/** A tweet in JSON for many viewers: serialized once, then completed with the marks of each viewer. */
export interface TweetJson {
  for(viewerId: string, marks: MarksLookup, extra?: string): string
  /** For a viewer that is no agent, and so has no marks. */
  readonly plain: string
}

export function tweetJson(urls: SignUrls, row: ThreadRow): TweetJson {
  if (row.is_visible === false) {
    const locked = JSON.stringify(lockedTweetView(row, NO_MARKS))
    return { for: () => locked, plain: JSON.stringify(lockedTweetView(row)) }
  }
  const fields = openJson(urls, row)
  const parent = parentOf(row)
  const parentFields = parent === undefined || parent === 'hidden' ? undefined : openJson(urls, parent)
  const parentId = row.parent_id
  const parentPlaceholder = JSON.stringify(parentView(urls, parentId, parent, undefined))

  function assemble(own: ViewerMarks, ofParent: ViewerMarks, extra: string): string {
    const parentTweet = parentFields === undefined ? parentPlaceholder : `${parentFields}${marksJson(ofParent)}}`
    return `${fields}${marksJson(own)}${extra},"parentTweet":${parentTweet}}`
  }

  const unmarked = assemble(NO_MARKS, NO_MARKS, '')
  return {
    plain: `${fields},"parentTweet":${parentPlaceholder}}`,
    for(viewerId, marks, extra = '') {
      const own = marks(viewerId, row.id)
      const ofParent = parentId === null ? NO_MARKS : marks(viewerId, parentId)
      return own === NO_MARKS && ofParent === NO_MARKS && extra === '' ? unmarked : assemble(own, ofParent, extra)
    },
  }
}

function openJson(urls: SignUrls, row: TweetRow): string {
  return JSON.stringify(fieldsView(urls, row, undefined)).slice(0, -1)
}

function marksJson({ isLiked, isReplied, isReposted }: ViewerMarks): string {
  return `,"isLiked":${isLiked},"isReplied":${isReplied},"isReposted":${isReposted}`
}
