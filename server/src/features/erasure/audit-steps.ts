import sql, { type Sql } from 'sql-template-tag'
import type { Row } from '../../foundation/db/row.js'
import { idOf, keysOf, namePattern, namesOf, type OwnerSought, type Sought } from './sought.js'
import { emptied, type Position, part, ROWS_AT_ONCE, type Step, special, WALKED_AT_ONCE } from './step.js'

const FIRST = '00000000-0000-0000-0000-000000000000'
/** What the log says of the erasure itself. */
export const ERASURES = { agent: 'eraseAgent', owner: 'eraseOwner', wallet: 'eraseWallet' } as const

const hasMore = ({ id }: { readonly id: string }): Sql => sql`
  agent_id = ${id} and action <> ${ERASURES.agent}
  and (summary <> '' or target is not null or words_digest is not null or words_characters is not null)`

/** Leaves of the agent's own lines what kind of thing was done, by whom, when, and how it ended. */
export const emptyAudit: Step<{ readonly id: string }> = special(
  'audit_entry',
  'emptied',
  async (db, _, sought) =>
    part(
      await db.run(sql`
        update audit_entry set summary = '', target = null, words_digest = null, words_characters = null
        where agent_id = ${sought.id} and id in (
          select id from audit_entry where ${hasMore(sought)} limit ${ROWS_AT_ONCE})`),
    ),
  hasMore,
)

/** Whether a line names somebody, as its target or in its summary. */
function isNamed(sought: Sought): Sql {
  const keys = keysOf(sought)
  return sql`(lower(target) = any(${keys}::text[]) or summary ~* ${namePattern(namesOf(sought))}
    or position(${idOf(sought)} in lower(summary)) > 0)`
}

function withoutName(sought: Sought): Sql {
  return sql`target = case when lower(target) = any(${keysOf(sought)}::text[]) then null else target end,
    summary = regexp_replace(
      regexp_replace(summary, ${namePattern(namesOf(sought))}, '@erased', 'gi'), ${idOf(sought)}, 'erased', 'gi')`
}

/** Takes the account of an owner out of the lines of their agents; those of others do not have it. */
export const leaveOwnAudit: Step<OwnerSought> = emptied<OwnerSought>(
  'audit_entry',
  (sought) => sql`agent_id = any(${sought.agentIds}::uuid[]) and ${isNamed(sought)}`,
  withoutName,
)

/** Takes the name out of the lines of others. */
export const leaveAudit: Step<Sought> = special<Sought>(
  'audit_entry',
  'emptied',
  async (db, _, sought, { agentId = FIRST, after = FIRST }: Position = {}) => {
    const last = await db.find<Row<'audit_entry', 'agent_id' | 'id'>>(sql`
      select agent_id, id from (
        select agent_id, id from audit_entry where (agent_id, id) > (${agentId}::uuid, ${after}::uuid)
        order by agent_id, id limit ${WALKED_AT_ONCE}) walked
      order by agent_id desc, id desc limit 1`)
    if (!last) return undefined
    const done = await db.run(sql`
      update audit_entry set ${withoutName(sought)}
      where (agent_id, id) > (${agentId}::uuid, ${after}::uuid) and (agent_id, id) <= (${last.agent_id}::uuid, ${last.id}::uuid)
        and ${isNamed(sought)}`)
    return { done, position: { agentId: last.agent_id, after: last.id } }
  },
  isNamed,
)

/** Takes the name out of what others wait for or were allowed to do: `Buy 2 shares of @…`. */
export const leaveApprovals: Step<Sought> = special<Sought>(
  'approval',
  'emptied',
  async (db, _, sought, { after = FIRST }: Position = {}) => {
    const last = await db.find<Row<'approval', 'id'>>(sql`
      select id from (select id from approval where id > ${after}::uuid order by id limit ${WALKED_AT_ONCE}) walked
      order by id desc limit 1`)
    if (!last) return undefined
    const pattern = namePattern(namesOf(sought))
    const done = await db.run(sql`
      update approval set summary = regexp_replace(summary, ${pattern}, '@erased', 'gi')
      where id > ${after}::uuid and id <= ${last.id}::uuid and summary ~* ${pattern}`)
    return { done, position: { after: last.id } }
  },
)

/** Takes the name out of why calls of others were refused: `Only holders of @…`. */
export const leaveRefusals: Step<Sought> = emptied(
  'refused_call',
  (sought) => sql`(message ~* ${namePattern(namesOf(sought))} or position(${idOf(sought)} in lower(message)) > 0)`,
  () => sql`message = null`,
)
