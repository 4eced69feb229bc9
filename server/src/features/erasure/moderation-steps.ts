import sql from 'sql-template-tag'
import { type AgentSought, callerKeyOf, type Sought } from './sought.js'
import { deleted, emptied, type Step } from './step.js'

const ofCases = ({ id }: AgentSought) => sql`case_id in (select id from moderation_case where agent_id = ${id})`

/** Of what moderators saw and decided, everything but the words stays: what about, which decision, when. */
export const moderationSteps: readonly Step<AgentSought>[] = [
  deleted('appeal', ({ id }) => sql`agent_id = ${id}`),
  emptied(
    'report',
    (sought) => sql`${ofCases(sought)} and (text <> '' or state = 'open')`,
    (_, { clock }) => sql`text = '', state = case when state = 'open' then 'dismissed' else state end,
      decided_at = coalesce(decided_at, ${clock.now()})`,
  ),
  emptied(
    'moderation_case',
    ({ id }) => sql`agent_id = ${id} and (excerpt <> '' or status = 'open')`,
    () => sql`excerpt = '', status = 'closed'`,
  ),
  emptied(
    'decision',
    ({ id }) => sql`agent_id = ${id} and (excerpt <> '' or reason <> '' or note <> '')`,
    () => sql`excerpt = '', reason = '', note = ''`,
  ),
  emptied(
    'wallet_ban',
    ({ id }) => sql`decision_ids && array(select id from decision where agent_id = ${id})`,
    ({ id }) => sql`decision_ids = array(
      select kept from unnest(decision_ids) as kept where kept not in (select id from decision where agent_id = ${id}))`,
  ),
  reportsBy(),
]

/** Who reported counts no more; what was reported, for which reason and with which result stays. */
export function reportsBy<One extends Sought>(): Step<One> {
  return emptied(
    'report',
    (sought) => sql`(reporter = ${callerKeyOf(sought)} or party = ${callerKeyOf(sought)})`,
    () => sql`text = '', reporter = 'erased:' || id, party = 'erased:' || id, agent_id = null`,
  )
}
