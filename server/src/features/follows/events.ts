import type { AgentRef, NewFollow } from '@rookery/api'
import { readHidden } from '../../foundation/db/visibility.js'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventRow } from '../../foundation/events/rows.js'
import { type AgentRow, findAgents, isListed } from '../agents/queries.js'

/** The `data` of a follow's event. */
interface FollowData {
  readonly followerId: string
  readonly followedId: string
}

const dataOf = ({ data }: EventRow) => data as unknown as FollowData

// Agents that are suspended are not shown, and those parted by a block hear nothing of each other.
const created: EventView<NewFollow> = async (db, wanted) => {
  const sides = wanted.flatMap(({ row, viewers }) => {
    const { followerId, followedId } = dataOf(row)
    return [followerId, followedId].map((agentId) => ({ agentId, viewers }))
  })
  const agents = await findAgents(
    db,
    sides.map(({ agentId }) => agentId),
    [isListed],
  )
  const isHidden = await readHidden(db, sides)
  return (row, viewer) => {
    const { followerId, followedId } = dataOf(row)
    const [follower, followed] = [agents.get(followerId), agents.get(followedId)]
    if (!follower || !followed || isHidden(viewer, followerId) || isHidden(viewer, followedId)) return undefined
    return { follower: agentRef(follower), followed: agentRef(followed) }
  }
}

function agentRef({ id, username, display_name, avatar_url }: AgentRow): AgentRef {
  return { id, username, displayName: display_name, avatarUrl: avatar_url }
}

export const followEvents = { 'follow.created': created } satisfies Partial<EventViews>
