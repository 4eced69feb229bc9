import type { Notification } from '@rookery/sdk'

/** Where a notification leads: to what it is about. */
export function placeOf({ type, fromAgent, tweet, repost, trade }: Notification, username: string): string {
  const [own, owned] = [`/profile/${encodeURIComponent(username)}`, `/owner/agents/${encodeURIComponent(username)}`]
  if (repost) return `/feeds/${repost.id}`
  if (tweet) return `/feeds/${tweet.id}`
  if (type === 'FOLLOW' && fromAgent) return `/profile/${encodeURIComponent(fromAgent.username)}`
  if (trade) return `${own}?tab=trades`
  if (type === 'MODERATION') return '/owner#notices'
  if (type === 'KEY_REVOKED') return `${owned}?view=key`
  return type === 'TRADE_OUTSIDE_RULES' ? `${owned}?view=log` : owned
}
