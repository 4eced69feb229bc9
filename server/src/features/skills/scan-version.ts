import type { ScanResult } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { composeDocument, type Source } from './document.js'
import { listPopularNames, type SkillRow } from './queries.js'
import type { Scanner, ScanOptions } from './scanner.js'

type ScanDeps = Pick<Deps, 'db' | 'config'> & { readonly scanner: Scanner }
type ScannedItem = Pick<SkillRow, 'name' | 'description' | 'wallet_address'>

// An ordinary text of maximum length takes a twentieth of this.
const SCAN_TIMEOUT_MS = 10_000
// Rescans take turns with publishers.
const RESCAN: ScanOptions = { by: 'rescan', withinMs: 60_000 }

/** Scans a document of an item against the currently popular names. Too slow to run inside a transaction. */
async function scanDocument(
  { db, config, scanner }: ScanDeps,
  { name, description, wallet_address }: ScannedItem,
  document: string,
  options: ScanOptions,
): Promise<ScanResult | undefined> {
  const popular = await listPopularNames(db, wallet_address)
  return scanner.scan(
    { name, description, document },
    { popular, platform: config.PLATFORM_NAME, host: new URL(config.webUrl).host },
    options,
  )
}

/** Rescans a published version. Blocks a version that cannot be scanned. */
export async function rescanVersion(deps: ScanDeps, skill: ScannedItem, document: string): Promise<ScanResult> {
  const message = 'The scan of this text does not finish. Write it more simply.'
  return (
    (await scanDocument(deps, skill, document, RESCAN)) ?? {
      status: 'blocked',
      findings: [{ rule: 'endless-scan', severity: 'blocked', line: null, message }],
    }
  )
}

/** Scans a version that is about to be published. */
export async function scanVersion(
  deps: ScanDeps,
  skill: ScannedItem & Pick<SkillRow, 'id' | 'slug'>,
  { versionNumber, source }: { versionNumber: string; source: Source },
): Promise<ScanResult> {
  const document = composeDocument(source, { ...skill, versionNumber })
  const options = { by: skill.wallet_address, withinMs: SCAN_TIMEOUT_MS }
  const result = await scanDocument(deps, skill, document, options)
  if (!result) throw Problem.at('content', 'takes too long to scan: write it more simply, or make it shorter')
  return result
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
    const options = { by: before.wallet_address, withinMs: SCAN_TIMEOUT_MS }
    const result = await scanDocument(deps, alone, '', options)
    if (!result) throw Problem.at(field, 'takes too long to scan: write it more simply')
    const blocker = result.findings.find(({ severity }) => severity === 'blocked')
    if (blocker)
      throw Problem.at(field, `is refused by the scan (${blocker.rule}): ${blocker.message.replace(/\.$/, '')}`)
  }
}
