import { RULES_VERSION } from '@rookery/skill-scan'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { getAnySkill, getVersion } from './queries.js'
import { rescanVersion } from './scan-version.js'
import type { Scanner } from './scanner.js'
import { isSameText } from './served-texts.js'
import { arrangeVersions, lockSkill } from './versions.js'

type SkillJobDeps = Deps & { readonly scanner: Scanner }

/** Rescans the versions that were scanned with older rules. */
export function skillJobs(deps: SkillJobDeps): Pick<JobHandlers, 'rescan_skills'> {
  return {
    async rescan_skills(job) {
      while (await rescanOne(deps)) if (job.stopping()) return { again: deps.clock.now() }
      return undefined
    },
  }
}

/** Returns false when no version is left to rescan. */
async function rescanOne(deps: SkillJobDeps): Promise<boolean> {
  const next = await deps.db.find<Row<'skill_version', 'id' | 'skill_id'>>(sql`
    select id, skill_id from skill_version where rules_version < ${RULES_VERSION}
    order by rules_version, id limit 1`)
  if (!next) return false
  const version = await getVersion(deps.db, next.skill_id, next.id)
  const item = await getAnySkill(deps.db, undefined, next.skill_id)
  const scan = await rescanVersion(deps, item, version)
  await deps.db.transaction(async (db) => {
    await lockSkill(db, next.skill_id)
    const skill = await getAnySkill(db, undefined, next.skill_id)
    // What its creator has changed meanwhile is scanned in the next turn.
    if (!isSameText([item, version], [skill, await getVersion(db, next.skill_id, next.id)])) return
    await db.run(sql`
      update skill_version set scan_status = ${scan.status}, findings = ${JSON.stringify(scan.findings)},
        rules_version = ${RULES_VERSION}
      where id = ${next.id}`)
    if (skill.deleted_at === null) await arrangeVersions(db, deps, skill)
  })
  return true
}
