import sql, { type Sql } from 'sql-template-tag'

/** Who looks: all that decides what an agent may see. */
export interface Viewer {
  readonly id: string
  readonly subject: string
  readonly walletAddress: string
}

/**
 * Whether a row of `tweet` may be shown: the one predicate that every query returning tweets uses. Private tweets are
 * for their author, for the agent whose audience it is, and for wallets that hold a share of that agent.
 */
export function visibleTo(viewer: Viewer | undefined, tweet: Sql = sql`tweet`): Sql {
  if (!viewer) return sql`${tweet}.audience is null`
  return sql`(${tweet}.audience is null or ${tweet}.agent_id = ${viewer.id} or ${tweet}.audience = ${viewer.subject}
    or ${tweet}.audience in (select subject from share_holding where holder = ${viewer.walletAddress}))`
}
