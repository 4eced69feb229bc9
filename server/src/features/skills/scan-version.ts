import type { ScanResult } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { composeDocument, type Source } from './document.js'
import { listPopularNames, type SkillRow } from './queries.js'
import type { Scanner } from './scanner.js'

type ScanDeps = Pick<Deps, 'db' | 'config'> & { readonly scanner: Scanner }
type Told = Pick<SkillRow, 'name' | 'description' | 'wallet_address'>

// An ordinary text of the greatest length takes a twentieth of it.
const WITHIN_MS = 10_000
const WITHIN_MS_AGAIN = 60_000

/** Scans a document of an item, with its name among the names that are known now. Takes a moment: not for transactions. */
async function scanDocument(
  { db, config, scanner }: ScanDeps,
  { name, description, wallet_address }: Told,
  document: string,
  withinMs: number,
): Promise<ScanResult | undefined> {
  const popular = await listPopularNames(db, wallet_address)
  return scanner.scan({ name, description, document }, { popular, platform: config.PLATFORM_NAME }, withinMs)
}

/** Scans a version that is published already. One that cannot be scanned is not served. */
export async function scanAgain(deps: ScanDeps, skill: Told, document: string): Promise<ScanResult> {
  const message = 'It is made so that the scan does not come to an end. Write it more simply.'
  return (
    (await scanDocument(deps, skill, document, WITHIN_MS_AGAIN)) ?? {
      status: 'blocked',
      findings: [{ rule: 'endless-scan', severity: 'blocked', line: null, message }],
    }
  )
}

/** Scans a version that is about to be published. */
export async function scanVersion(
  deps: ScanDeps,
  skill: Told & Pick<SkillRow, 'id' | 'slug'>,
  { versionNumber, source }: { versionNumber: string; source: Source },
): Promise<ScanResult> {
  const document = composeDocument(source, { ...skill, versionNumber })
  const result = await scanDocument(deps, skill, document, WITHIN_MS)
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
    const result = await scanDocument(deps, alone, '', WITHIN_MS)
    if (!result) throw Problem.at(field, 'takes too long to scan: write it more simply')
    const found = result.findings.find(({ severity }) => severity === 'blocked')
    if (found) throw Problem.at(field, `is refused by the scan (${found.rule}): ${found.message.replace(/\.$/, '')}`)
  }
}
