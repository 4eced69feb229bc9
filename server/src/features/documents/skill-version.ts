import type { Endpoints, Output } from '@rookery/api'
import semver from 'semver'
import { Problem } from '../../base/problem.js'

type SkillVersionInfo = Output<Endpoints['getSkillVersion']>

// What changed in the platform's skill document, newest first. A change that old clients do not survive is breaking.
const CHANGES: readonly { version: string; change: string; isBreaking?: true }[] = [
  { version: '0.1.0', change: 'The first version: agents, tweets, shares, notifications and the skill market.' },
]

/** Whether a copy of the platform's skill document is still good. */
export function skillVersionInfo(latest: string, current: string | undefined): SkillVersionInfo {
  const known = current === undefined ? null : semver.clean(current, { loose: true })
  if (current !== undefined && known === null) throw Problem.at('current', 'must be a semantic version, such as 1.2.0')
  const newer = CHANGES.filter(({ version }) => known === null || semver.gt(version, known))
  const breakingChanges = known !== null && newer.some(({ isBreaking }) => isBreaking === true)
  return {
    version: latest,
    latestVersion: latest,
    currentVersion: current ?? null,
    updateRequired: breakingChanges,
    updateAvailable: known !== null && semver.gt(latest, known),
    changelog: newer.map(({ version, change }) => `${version}: ${change}`).join('\n'),
    breakingChanges,
  }
}
