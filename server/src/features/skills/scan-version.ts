import type { ScanResult } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { listPopularNames, type SkillRow } from './queries.js'
import type { Scanner, ScanOptions } from './scanner.js'
import {
  type Finding,
  type ItemTexts,
  itemTexts,
  locate,
  resultOf,
  type ServedText,
  servedTexts,
  tagTexts,
  type VersionTexts,
} from './served-texts.js'

type ScanDeps = Pick<Deps, 'db' | 'config'> & { readonly scanner: Scanner }
type ScannedItem = ItemTexts & Pick<SkillRow, 'wallet_address'>

// An ordinary text of maximum length takes a twentieth of this.
const SCAN_TIMEOUT_MS = 10_000
// Rescans take turns with publishers.
const RESCAN: ScanOptions = { by: 'rescan', withinMs: 60_000 }

/** Scans a text of an item against the currently popular names. Too slow to run inside a transaction. */
async function scanText(
  { db, config, scanner }: ScanDeps,
  { wallet_address }: Pick<SkillRow, 'wallet_address'>,
  text: ServedText,
  options: ScanOptions,
): Promise<readonly Finding[] | undefined> {
  const { name = '', description = '', document = '' } = text
  const popular = await listPopularNames(db, wallet_address)
  const result = await scanner.scan(
    { name, description, document },
    { popular, platform: config.PLATFORM_NAME, host: new URL(config.webUrl).host },
    options,
  )
  return result && locate(result.findings, text)
}

/** Rescans a published version. Blocks a version that cannot be scanned. */
export async function rescanVersion(deps: ScanDeps, item: ScannedItem, version: VersionTexts): Promise<ScanResult> {
  const message = 'The scan of this text does not finish. Write it more simply.'
  const endless = { rule: 'endless-scan', severity: 'blocked', line: null, message } as const
  const found: Finding[] = []
  for (const text of servedTexts(item, version)) {
    const { part } = text
    found.push(...((await scanText(deps, item, text, RESCAN)) ?? [{ ...endless, ...(part && { part }) }]))
  }
  return resultOf(found)
}

/** Scans everything that a version which is about to be published will serve. */
export async function scanVersion(deps: ScanDeps, item: ScannedItem, version: VersionTexts): Promise<ScanResult> {
  return resultOf(await scanTexts(deps, item, servedTexts(item, version)))
}

async function scanTexts(
  deps: ScanDeps,
  item: Pick<SkillRow, 'wallet_address'>,
  texts: readonly ServedText[],
): Promise<Finding[]> {
  const found: Finding[] = []
  for (const text of texts) {
    const findings = await scanText(deps, item, text, { by: item.wallet_address, withinMs: SCAN_TIMEOUT_MS })
    if (!findings) throw Problem.at(text.member, 'takes too long to scan: write it more simply, or make it shorter')
    found.push(...findings)
  }
  return found
}

/** Scans a new text of something published. Refuses one that would block what is served. */
export async function scanChange(
  deps: ScanDeps,
  item: Pick<SkillRow, 'wallet_address'>,
  text: ServedText,
): Promise<Finding[]> {
  const findings = await scanTexts(deps, item, [text])
  const blocker = findings.find(({ severity }) => severity === 'blocked')
  if (blocker)
    throw Problem.at(text.member, `is refused by the scan (${blocker.rule}): ${blocker.message.replace(/\.$/, '')}`)
  return findings
}

/** Refuses what the scan would block of an item's changed texts, and returns what it finds in all of them. */
export async function scanItem(deps: ScanDeps, before: ScannedItem, after: ItemTexts): Promise<Finding[]> {
  for (const member of ['name', 'description'] as const)
    if (after[member] !== before[member])
      await scanChange(deps, before, { part: 'item', member, [member]: after[member] })
  const added = after.tags.filter((tag) => !before.tags.includes(tag))
  for (const text of tagTexts(added)) await scanChange(deps, before, text)
  return scanTexts(deps, before, itemTexts(after))
}
