import { type ScanResult, skillVersionTypedData } from '@rookery/api'
import { RULES_VERSION } from '@rookery/skill-scan'
import sql from 'sql-template-tag'
import { type Hex, hashTypedData } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { requireSignature } from '../agents/signatures.js'
import { showFilesOfSkill } from '../media/public-files.js'
import { composeDocument, computeDigest, readSource } from './document.js'
import { type FullVersionRow, getOwnSkill, getVersion, type SkillRow } from './queries.js'
import { scanChange, scanVersion } from './scan-version.js'
import type { Scanner } from './scanner.js'
import { type Finding, isSameItem, replacePart, type VersionTexts } from './served-texts.js'
import { useTags } from './tags.js'
import { arrangeVersions, lockSkill, requireVersionNumber } from './versions.js'

export interface NewVersion {
  readonly versionNumber: string
  readonly content: string
  readonly description?: string
  readonly signature?: Hex
}

type PublishDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'config' | 'chain'> & { readonly scanner: Scanner }

/** A version as it is stored and served, before it is scanned. */
export interface ComposedVersion extends VersionTexts {
  readonly versionNumber: string
  readonly signature?: Hex
}

/** Composes a version from what its author sent. */
export function composeVersion(
  skill: Pick<SkillRow, 'id' | 'slug' | 'name' | 'description'>,
  { versionNumber, content, description = '', signature }: NewVersion,
): ComposedVersion {
  const document = composeDocument(readSource(content), { ...skill, versionNumber })
  return { versionNumber, document, content, description, revoked_reason: null, ...(signature && { signature }) }
}

const MOST_VERSIONS = 1_000

/** Adds a version to an item. The item must be locked or new. Returns the version's id. */
export async function publishVersion(
  db: Db,
  deps: PublishDeps,
  skill: SkillRow,
  { versionNumber, document, content, description, signature }: ComposedVersion,
  { status, findings }: ScanResult,
): Promise<string> {
  const digest = computeDigest(document)
  if (signature !== undefined) await requireVersionSignature(deps, skill, { versionNumber, digest }, signature)
  const id = deps.ids.next()
  const now = deps.clock.now()
  try {
    await db.run(sql`
      insert into skill_version (id, skill_id, number, place, description, content, document, digest, signature,
        scan_status, findings, rules_version, created_at)
      values (${id}, ${skill.id}, ${versionNumber}, 0, ${description}, ${content}, ${document}, ${digest},
        ${signature ?? null}, ${status}, ${JSON.stringify(findings)}, ${RULES_VERSION}, ${now})`)
  } catch (error) {
    if (violatedConstraint(error) === 'skill_version_number_key') throw new Problem('VERSION_EXISTS')
    throw error
  }
  if (skill.is_served && status !== 'blocked')
    await useTags(db, { wallet: skill.wallet_address, tags: skill.tags }, { at: now, items: 0 })
  await arrangeVersions(db, deps, skill)
  if (content.includes('/media/')) await showFilesOfSkill(db, skill.id)
  return id
}

async function requireVersionSignature(
  { config, chain }: Pick<Deps, 'config' | 'chain'>,
  { id: skillId, wallet_address }: Pick<SkillRow, 'id' | 'wallet_address'>,
  { versionNumber, digest }: { versionNumber: string; digest: string },
  signature: Hex,
): Promise<void> {
  const chainId = chain?.id ?? config.chainId
  const signed = { platformName: config.PLATFORM_NAME, chainId, skillId, versionNumber, digest }
  await requireSignature(chain, {
    address: wallet_address,
    hash: hashTypedData(skillVersionTypedData(signed)),
    signature,
  })
}

/** A version, and the wallet that may sign it. */
export interface PublishedVersion {
  readonly version: FullVersionRow
  readonly signer: `0x${string}`
}

export async function addSkillVersion(
  deps: PublishDeps,
  creator: AgentIdentity,
  { id, ...input }: NewVersion & { id: string },
): Promise<PublishedVersion> {
  const skill = await getOwnSkill(deps.db, creator, id)
  requireVersionNumber(input.versionNumber)
  const version = composeVersion(skill, input)
  const scan = await scanVersion(deps, skill, version)
  const added = await deps.db.transaction(async (db) => {
    await lockSkill(db, skill.id)
    const locked = await getOwnSkill(db, creator, skill.id)
    if (!isSameItem(locked, skill)) return undefined
    await requireFewerVersions(db, skill.id)
    const versionId = await publishVersion(db, deps, locked, version, scan)
    await touchSkill(db, deps, skill.id)
    return { version: await getVersion(db, skill.id, versionId), signer: skill.wallet_address }
  })
  // The creator has changed what was scanned.
  return added ?? addSkillVersion(deps, creator, { id, ...input })
}

async function requireFewerVersions(db: Db, skillId: string): Promise<void> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from skill_version where skill_id = ${skillId}`,
  )
  if (count >= MOST_VERSIONS)
    throw Problem.at('versionNumber', `cannot be added: an item has up to ${MOST_VERSIONS} versions`)
}

async function touchSkill(db: Db, { clock }: Pick<Deps, 'clock'>, skillId: string): Promise<void> {
  await db.run(sql`update skill set updated_at = ${clock.now()} where id = ${skillId}`)
}

/** Changes to a version. */
export interface VersionChange {
  readonly id: string
  readonly versionId: string
  readonly description?: string
  readonly signature?: Hex
  /** Accepted only when it equals the published content. */
  readonly content?: string
}

export async function updateSkillVersion(
  deps: PublishDeps,
  creator: AgentIdentity,
  { id, versionId, description, signature, content }: VersionChange,
): Promise<PublishedVersion> {
  const skill = await getOwnSkill(deps.db, creator, id)
  const version = await getVersion(deps.db, skill.id, versionId)
  if (version.revoked_at !== null) throw new Problem('SKILL_VERSION_NOT_FOUND')
  if (content !== undefined && content !== version.content) throw new Problem('VERSION_IMMUTABLE')
  if (signature !== undefined)
    await requireVersionSignature(deps, skill, { versionNumber: version.number, digest: version.digest }, signature)
  const findings =
    description &&
    (await scanChange(deps, skill, { part: 'description', member: 'description', document: description }))
  await deps.db.transaction(async (db) => {
    await lockSkill(db, skill.id)
    const locked = await getOwnSkill(db, creator, skill.id)
    await db.run(sql`
      update skill_version set description = coalesce(${description ?? null}, description),
        signature = coalesce(${signature ?? null}, signature)
      where id = ${versionId}`)
    if (description === undefined) return
    await storePart(db, versionId, 'description', findings || [])
    await arrangeVersions(db, deps, locked)
  })
  return { version: await getVersion(deps.db, skill.id, versionId), signer: skill.wallet_address }
}

/** Stores what the scan found in a changed part of what a version serves. The item must be locked. */
async function storePart(
  db: Db,
  versionId: string,
  part: 'description' | 'revocation',
  found: readonly Finding[],
): Promise<void> {
  const { findings } = await db.one<Row<'skill_version', 'findings'>>(
    sql`select findings from skill_version where id = ${versionId}`,
  )
  const { status, findings: all } = replacePart(findings, part, found)
  await db.run(sql`
    update skill_version set scan_status = ${status}, findings = ${JSON.stringify(all)} where id = ${versionId}`)
}

export interface Revocation {
  readonly versionNumber: string
  readonly revokedAt: Date
  readonly currentVersion: string | null
}

/** Revokes a version permanently. Its number cannot be used again, and its digest verifies as revoked. */
export async function revokeSkillVersion(
  deps: PublishDeps,
  creator: AgentIdentity,
  { id, versionId, ...input }: { id: string; versionId: string; reason?: string },
): Promise<Revocation> {
  const own = await getOwnSkill(deps.db, creator, id)
  const skillId = own.id
  const reason = input.reason?.trim() || null
  const findings = reason && (await scanChange(deps, own, { part: 'revocation', member: 'reason', document: reason }))
  return deps.db.transaction(async (db) => {
    await lockSkill(db, skillId)
    const skill = await getOwnSkill(db, creator, skillId)
    const { number } = await getVersion(db, skillId, versionId)
    const revoked = await db.run(sql`
      update skill_version set revoked_at = ${deps.clock.now()}, revoked_reason = ${reason}
      where id = ${versionId} and revoked_at is null`)
    if (revoked === 1) await storePart(db, versionId, 'revocation', findings || [])
    const currentVersion = await arrangeVersions(db, deps, skill)
    await touchSkill(db, deps, skillId)
    const { revoked_at } = await getVersion(db, skillId, versionId)
    return { versionNumber: number, revokedAt: revoked_at ?? deps.clock.now(), currentVersion }
  })
}
