import { RULES_VERSION } from '@rookery/skill-scan'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import type { JobHandlers } from '../../foundation/jobs/worker.js'
import { getAnySkill } from './queries.js'
import { rescanVersion } from './scan-version.js'
import type { Scanner } from './scanner.js'
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
  const version = await deps.db.find<Row<'skill_version', 'id' | 'skill_id' | 'document'>>(sql`
    select id, skill_id, document from skill_version where rules_version < ${RULES_VERSION}
    order by rules_version, id limit 1`)
  if (!version) return false
  const scan = await rescanVersion(deps, await getAnySkill(deps.db, undefined, version.skill_id), version.document)
  await deps.db.transaction(async (db) => {
    await lockSkill(db, version.skill_id)
    const skill = await getAnySkill(db, undefined, version.skill_id)
    await db.run(sql`
      update skill_version set scan_status = ${scan.status}, findings = ${JSON.stringify(scan.findings)},
        rules_version = ${RULES_VERSION}
      where id = ${version.id}`)
    if (skill.deleted_at === null) await arrangeVersions(db, deps, skill)
  })
  return true
}
