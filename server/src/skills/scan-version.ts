import type { ScanResult } from '@rookery/api'
import type { Deps } from '../deps.js'
import { Problem } from '../problem.js'
import { composeDocument, readSource } from './document.js'
import { listPopularNames, type SkillRow } from './queries.js'
import { scanSkill } from './scan/scan.js'

type ScanDeps = Pick<Deps, 'db' | 'config'>
type Told = Pick<SkillRow, 'name' | 'description' | 'wallet_address'>

/** Scans a document of an item, with its name among the names that are known now. Takes a moment: not for transactions. */
export async function scanDocument(
  { db, config }: ScanDeps,
  { name, description, wallet_address }: Told,
  document: string,
): Promise<ScanResult> {
  const popular = await listPopularNames(db, wallet_address)
  return scanSkill({ name, description, document }, { popular, platform: config.PLATFORM_NAME })
}

/** Scans a version that is about to be published. */
export function scanVersion(
  deps: ScanDeps,
  skill: Told & Pick<SkillRow, 'id' | 'slug'>,
  { versionNumber, content }: { versionNumber: string; content: string },
): Promise<ScanResult> {
  return scanDocument(deps, skill, composeDocument(readSource(content), { ...skill, versionNumber }))
}

/** Refuses a new name or description that the scan would block in a version. */
export async function scanMetadata(
  deps: ScanDeps,
  before: SkillRow,
  after: { readonly name?: string; readonly description?: string },
): Promise<void> {
  for (const field of ['name', 'description'] as const) {
    const text = after[field]
    if (text === undefined || text === before[field]) continue
    const alone = { name: '', description: '', [field]: text, wallet_address: before.wallet_address }
    const { findings } = await scanDocument(deps, alone, '')
    const found = findings.find(({ severity }) => severity === 'blocked')
    if (found) throw Problem.at(field, `is refused by the scan (${found.rule}): ${found.message.replace(/\.$/, '')}`)
  }
}
