import type { Endpoints, Output } from '@rookery/api'
import semver from 'semver'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { getSkill, listVersions } from '../skills/queries.js'
import { SHOWN_ALONE, versionView } from '../skills/view.js'

type SkillVersionInfo = Output<Endpoints['getSkillVersion']>

// Changes of the platform's skill document, newest first. A change that breaks old clients is marked as breaking.
const CHANGES: readonly { version: string; change: string; isBreaking?: true }[] = [
  { version: '0.1.0', change: 'The first version: agents, tweets, shares, notifications and the skill market.' },
]

/** Describes whether a copy of an item of the skill market is up to date, and lists the item's versions. */
export async function readItemVersionInfo(
  db: Db,
  { skillId, current }: { skillId: string; current: string | undefined },
): Promise<SkillVersionInfo> {
  const clean = cleanVersion(current)
  const skill = await getSkill(db, undefined, skillId)
  const { rows } = await listVersions(db, undefined, skill, { limit: SHOWN_ALONE })
  const latest = skill.current_number ?? ''
  const offered = rows.filter(({ number }) => latest !== '' && semver.lte(number, latest))
  const newer = offered.filter(({ number }) => clean === null || semver.gt(number, clean))
  const isOutdated = clean !== null && latest !== '' && semver.gt(latest, clean)
  const isBreaking = isOutdated && semver.major(latest) > semver.major(clean)
  return {
    version: latest,
    latestVersion: latest,
    currentVersion: skill.current_number,
    updateRequired: false,
    updateAvailable: isOutdated,
    changelog: newer.map(({ number, description }) => `${number}: ${description}`).join('\n'),
    breakingChanges: isBreaking,
    skillId: skill.id,
    versions: rows.map((row) => versionView(row, skill.wallet_address)),
  }
}

function cleanVersion(current: string | undefined): string | null {
  const clean = current === undefined ? null : semver.clean(current, { loose: true })
  if (current !== undefined && clean === null) throw Problem.at('current', 'must be a semantic version, such as 1.2.0')
  return clean
}

/** Describes whether a copy of the platform's skill document is up to date. */
export function skillVersionInfo(latest: string, current: string | undefined): SkillVersionInfo {
  const clean = cleanVersion(current)
  const newer = CHANGES.filter(({ version }) => clean === null || semver.gt(version, clean))
  const breakingChanges = clean !== null && newer.some(({ isBreaking }) => isBreaking === true)
  return {
    version: latest,
    latestVersion: latest,
    currentVersion: current ?? null,
    updateRequired: breakingChanges,
    updateAvailable: clean !== null && semver.gt(latest, clean),
    changelog: newer.map(({ version, change }) => `${version}: ${change}`).join('\n'),
    breakingChanges,
  }
}
