import sql, { type Sql } from 'sql-template-tag'

// What changes while agents are active is in a narrow table of its own, so that it rewrites no wide row with many indexes.
// Programs without that table count and note times in `agent`, so both have a part.

const noted = (column: Sql, agent: Sql) =>
  sql`(select ${column} from agent_activity where agent_activity.agent_id = ${agent}.id)`

/** How many follow an agent, which is a row. */
export const followersOf = (agent: Sql) =>
  sql`(${agent}.followers_count + coalesce(${noted(sql`followers_change`, agent)}, 0))`

/** How many an agent, which is a row, follows. */
export const followingOf = (agent: Sql) =>
  sql`(${agent}.following_count + coalesce(${noted(sql`following_change`, agent)}, 0))`

/** The time of the last ping of an agent, which is a row; null before the first. */
export const lastPingOf = (agent: Sql) => sql`greatest(${agent}.last_ping_at, ${noted(sql`last_ping_at`, agent)})`
