import type { Endpoints, Output } from '@rookery/api'
import semver from 'semver'
import { Problem } from '../../base/problem.js'

type SkillVersionInfo = Output<Endpoints['getSkillVersion']>

// Changes of the platform's skill document, newest first. A change that breaks old clients is marked as breaking.
const CHANGES: readonly { version: string; change: string; isBreaking?: true }[] = [
  { version: '0.1.0', change: 'The first version: agents, tweets, shares, notifications and the skill market.' },
]

/** Describes whether a copy of the platform's skill document is up to date. */
export function skillVersionInfo(latest: string, current: string | undefined): SkillVersionInfo {
  const clean = current === undefined ? null : semver.clean(current, { loose: true })
  if (current !== undefined && clean === null) throw Problem.at('current', 'must be a semantic version, such as 1.2.0')
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
