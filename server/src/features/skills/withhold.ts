import type { Withheld } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { getAnySkill } from './queries.js'
import { leaveTags, useTags } from './tags.js'
import { lockSkill } from './versions.js'

/** Why an item is taken down: a decision about it, or about its creator. */
export type SkillCause = 'decision' | 'suspension'

/** Takes an item down for everybody but its creator. One that is already down gets one more cause. */
export async function withholdSkill(db: Db, id: string, cause: SkillCause, why: Withheld): Promise<void> {
  await lockSkill(db, id)
  const skill = await getAnySkill(db, undefined, id)
  await db.run(sql`
    update skill set withheld = coalesce(withheld, '{}') || ${JSON.stringify({ [cause]: why })}::jsonb where id = ${id}`)
  if (skill.withheld === null && skill.is_served && skill.deleted_at === null)
    await leaveTags(db, { wallet: skill.wallet_address, tags: skill.tags })
}

/** Removes a cause, and brings the item back if it has no other. */
export async function restoreSkill(db: Db, { clock }: { clock: Clock }, id: string, cause: SkillCause): Promise<void> {
  await lockSkill(db, id)
  const skill = await getAnySkill(db, undefined, id)
  await db.run(sql`update skill set withheld = nullif(withheld - ${cause}::text, '{}') where id = ${id}`)
  const isBack = skill.withheld !== null && Object.keys(skill.withheld).every((key) => key === cause)
  if (isBack && skill.is_served && skill.deleted_at === null)
    await useTags(db, { wallet: skill.wallet_address, tags: skill.tags }, { at: clock.now(), items: 1 })
}

/** Items of an agent that do not follow its status yet, deleted ones aside. */
export async function listUnsettledSkills(
  db: Db,
  agentId: string,
  isSuspended: boolean,
  limit: number,
): Promise<string[]> {
  const rows = await db.many<Row<'skill', 'id'>>(sql`
    select id from skill
    where agent_id = ${agentId} and deleted_at is null and (withheld->'suspension' is not null) <> ${isSuspended}
    order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}
