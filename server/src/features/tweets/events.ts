import type { DeletedTweet, Tweet } from '@rookery/api'
import { readHidden } from '../../foundation/db/visibility.js'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { findTweets } from './queries.js'
import { isBare } from './targets.js'
import { plainTweetViews } from './view.js'

// Reads an audience's tweets as the agent that owns the audience: every member sees the same.
const memberOf = (subject: string) => ({
  id: '00000000-0000-0000-0000-000000000000',
  subject,
  walletAddress: '',
  hasHidden: false,
})

const created: EventView<Tweet> = async (db, wanted, mediaUrls) => {
  const views = new Map<string, Tweet>()
  for (const [audience, tweetIds] of groupByAudience(wanted.map(({ row }) => row))) {
    const viewer = audience === null ? undefined : memberOf(audience)
    const rows = [...(await findTweets(db, viewer, tweetIds)).values()]
    for (const view of plainTweetViews(mediaUrls, rows)) views.set(view.id, view)
  }
  const isHidden = await readHidden(
    db,
    wanted.map(({ row, viewers }) => ({ agentId: parentAuthorOf(views.get(row.tweetId ?? '')), viewers })),
  )
  return ({ tweetId }, viewer) => {
    // A tweet that has been deleted since has no view; its `tweet.deleted` event follows.
    const view = tweetId === null ? undefined : views.get(tweetId)
    if (!view || !isHidden(viewer, parentAuthorOf(view))) return view
    return isBare(view) ? undefined : { ...view, parentTweet: null }
  }
}

function parentAuthorOf(view: Tweet | undefined): string | null {
  const parent = view?.parentTweet
  return parent && 'agentId' in parent ? parent.agentId : null
}

const deleted: EventView<DeletedTweet> = async () => (row) =>
  row.tweetId === null || row.agentId === null ? undefined : { id: row.tweetId, agentId: row.agentId }

function groupByAudience(rows: readonly EventRow[]): Map<string | null, string[]> {
  const groups = new Map<string | null, string[]>()
  for (const { audience, tweetId } of rows)
    if (tweetId !== null) groups.set(audience, [...(groups.get(audience) ?? []), tweetId])
  return groups
}

export const tweetEvents = { 'tweet.created': created, 'tweet.deleted': deleted } satisfies Partial<EventViews>
