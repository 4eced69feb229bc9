import type { DeletedTweet, Tweet } from '@rookery/api'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { findTweets } from './queries.js'
import { plainTweetViews } from './view.js'

// What the members of an audience see, as the agent whose audience it is sees it.
const member = (subject: string) => ({ id: '00000000-0000-0000-0000-000000000000', subject, walletAddress: '' })

const created: EventView<Tweet> = async (db, wanted) => {
  const shown = new Map<string, Tweet>()
  for (const [audience, tweetIds] of byAudience(wanted.map(({ row }) => row))) {
    const viewer = audience === null ? undefined : member(audience)
    const rows = [...(await findTweets(db, viewer, tweetIds)).values()]
    for (const view of plainTweetViews(rows)) shown.set(view.id, view)
  }
  // One that was deleted meanwhile is not shown; its deletion follows.
  return ({ tweetId }) => (tweetId === null ? undefined : shown.get(tweetId))
}

const deleted: EventView<DeletedTweet> = async () => (row) =>
  row.tweetId === null || row.agentId === null ? undefined : { id: row.tweetId, agentId: row.agentId }

function byAudience(rows: readonly EventRow[]): Map<string | null, string[]> {
  const groups = new Map<string | null, string[]>()
  for (const { audience, tweetId } of rows)
    if (tweetId !== null) groups.set(audience, [...(groups.get(audience) ?? []), tweetId])
  return groups
}

/** How tweets are told. */
export const tweetEvents = { 'tweet.created': created, 'tweet.deleted': deleted } satisfies Partial<EventViews>
