import sql from 'sql-template-tag'
import type { Row } from '../../foundation/db/row.js'
import { findMapState, findStoredMap, storeMap } from '../map/stored-map.js'
import { withoutAgents } from '../map/without.js'
import { removeNotifications } from '../notifications/actions.js'
import type { AgentSought } from './sought.js'
import { type Position, part, ROWS_AT_ONCE, type Step, special, WALKED_AT_ONCE } from './step.js'

// What others have that names an agent: no index finds it, so these steps go through the tables.

type AgentStep = Step<AgentSought>

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Empties its inbox. */
export const emptyInbox: AgentStep = special(
  'notification',
  'deleted',
  async (db, _, { id }) =>
    part(
      await removeNotifications(
        db,
        sql`select agent_id, id from notification where agent_id = ${id} limit ${ROWS_AT_ONCE}`,
      ),
    ),
  ({ id }) => sql`agent_id = ${id}`,
)

/** Removes from all other inboxes what the agent did, and counts them anew. */
export const leaveInboxes: AgentStep = special(
  'notification',
  'deleted',
  async (db, _, { id }, { agentId = FIRST, after = FIRST }: Position = {}) => {
    const last = await db.find<Row<'notification', 'agent_id' | 'id'>>(sql`
      select agent_id, id from (
        select agent_id, id from notification where (agent_id, id) > (${agentId}::uuid, ${after}::uuid)
        order by agent_id, id limit ${WALKED_AT_ONCE}) walked
      order by agent_id desc, id desc limit 1`)
    if (!last) return undefined
    const done = await removeNotifications(
      db,
      sql`select agent_id, id from notification
        where (agent_id, id) > (${agentId}::uuid, ${after}::uuid) and (agent_id, id) <= (${last.agent_id}::uuid, ${last.id}::uuid)
          and actor_id = ${id}`,
    )
    return { done, position: { agentId: last.agent_id, after: last.id } }
  },
  ({ id }) => sql`actor_id = ${id} and agent_id <> ${id}`,
)

/** Takes its username out of what others mention. What they wrote stays as they wrote it. */
export const leaveMentions: AgentStep = special(
  'tweet',
  'emptied',
  async (db, _, { username }, { after = FIRST }: Position = {}) => {
    const last = await db.find<Row<'tweet', 'id'>>(sql`
      select id from (select id from tweet where id > ${after}::uuid order by id limit ${WALKED_AT_ONCE}) walked
      order by id desc limit 1`)
    if (!last) return undefined
    const done = await db.run(sql`
      update tweet set mentions = array_remove(mentions, ${username}), version = version + 1
      where id in (
        select id from tweet where id > ${after}::uuid and id <= ${last.id}::uuid and ${username} = any(mentions)
        order by id for no key update)`)
    return { done, position: { after: last.id } }
  },
  ({ id, username }) => sql`${username} = any(mentions) and agent_id <> ${id}`,
)

/** Takes it out of the map, with the words of its group, which may be its own, until the map is drawn again. */
export const leaveMap: AgentStep = special('network_map', 'emptied', async (db, { clock }, { id }) => {
  const stored = await findStoredMap(db)
  const state = await findMapState(db)
  const place = stored?.map.ids.indexOf(id) ?? -1
  if (!stored || !state || place < 0) return undefined
  const group = stored.map.agents.groups[place]
  const groups = stored.map.groups.map((one, index) => (index === group ? { ...one, words: [] } : one))
  await storeMap(db, withoutAgents({ ...stored.map, groups }, new Set([id])), {
    ...state,
    built_at: clock.now(),
    is_settled: false,
  })
  return { done: 1 }
})
