import type { SkillType, Visibility } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { findHeld } from '../../foundation/held-names.js'
import { trendOf } from '../../foundation/trend.js'
import { showFilesOfSkill } from '../media/public-files.js'
import { findDescription, listSlugChoices, readSource } from './document.js'
import { composeVersion, publishVersion } from './publish.js'
import { findCurrentVersion, getOwnSkill, getSkill, type SkillRow } from './queries.js'
import { scanItem, scanVersion } from './scan-version.js'
import type { Scanner } from './scanner.js'
import { type Finding, isSameItem, replacePart } from './served-texts.js'
import { cleanTags, leaveTags, SKILL_HALF_LIFE_MS, useTags } from './tags.js'
import { arrangeVersions, lockSkill, requireVersionNumber } from './versions.js'

/** An item with its first version. */
export interface NewSkill {
  readonly name: string
  readonly content: string
  readonly type: SkillType
  readonly versionNumber?: string
  readonly description?: string
  readonly visibility?: Visibility
  readonly isActive?: boolean
  readonly tags?: readonly string[]
}

type SkillDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'config' | 'chain' | 'secrets'> & {
  readonly scanner: Scanner
}

export async function createSkill(deps: SkillDeps, creator: AgentIdentity, input: NewSkill): Promise<SkillRow> {
  const { versionNumber = '1.0.0', type, content } = input
  requireVersionNumber(versionNumber)
  const name = cleanName(input.name)
  const tags = cleanTags(input.tags ?? [])
  const fullDescription = input.description?.trim() || (findDescription(readSource(content)) ?? '')
  const description = fullDescription.slice(0, LONGEST_DESCRIPTION)
  const id = deps.ids.next()
  const item = { id, name, description, tags, wallet_address: creator.walletAddress }
  for (const slug of await listFreeSlugs(deps, listSlugChoices(name, type, id))) {
    // The slug is part of the document, so that another one is another text to scan.
    const version = composeVersion({ ...item, slug }, { versionNumber, content })
    const scan = await scanVersion(deps, item, version)
    const created = await deps.db.transaction(async (db) => {
      const now = deps.clock.now()
      const audience = input.visibility === 'private' ? creator.subject : null
      const added = await db.run(sql`
        insert into skill (id, slug, agent_id, type, name, description, audience, is_active, tags, trend, created_at, updated_at)
        values (${id}, ${slug}, ${creator.id}, ${type}, ${name}, ${description}, ${audience},
          ${input.isActive ?? false}, ${tags}, ${trendOf(now, 1, SKILL_HALF_LIFE_MS)}, ${now}, ${now})
        on conflict (slug) do nothing`)
      if (added === 0) return undefined
      await publishVersion(db, deps, await getSkill(db, creator, id), version, scan)
      return getSkill(db, creator, id)
    })
    if (created) return created
  }
  throw new Error('An item has no slug of its own')
}

async function listFreeSlugs(deps: SkillDeps, choices: readonly string[]): Promise<string[]> {
  const { db } = deps
  const taken = await db.many<Pick<SkillRow, 'slug'>>(sql`select slug from skill where slug = any(${choices}::text[])`)
  // Whoever has installed the item of somebody who was erased does not get that of a stranger under its slug.
  const names = choices.map((choice) => `slug ${choice}` as const)
  const held = await findHeld(db, deps, names)
  return choices.filter((choice) => !taken.some(({ slug }) => slug === choice) && !held.has(`slug ${choice}`))
}

const LONGEST_DESCRIPTION = 1024

function cleanName(name: string): string {
  const clean = name.trim().replace(/\s+/g, ' ')
  if (clean === '') throw Problem.at('name', 'must not be empty')
  return clean
}

/** Changes to an item; absent fields stay the same. */
export interface SkillChange extends Partial<Omit<NewSkill, 'type' | 'versionNumber'>> {
  readonly id: string
}

/** Changes the metadata of an item. Its content changes only through new versions. */
export async function updateSkill(deps: SkillDeps, creator: AgentIdentity, input: SkillChange): Promise<SkillRow> {
  const own = await getOwnSkill(deps.db, creator, input.id)
  const texts = {
    name: input.name === undefined ? own.name : cleanName(input.name),
    description: input.description?.trim() ?? own.description,
    tags: input.tags === undefined ? own.tags : cleanTags(input.tags),
  }
  const isChanged = !isSameItem(own, texts)
  const findings = isChanged ? await scanItem(deps, own, texts) : []
  const updated = await deps.db.transaction(async (db) => {
    await lockSkill(db, own.id)
    // It may have been taken down since, and what is down counts for no tag.
    const before = await getOwnSkill(db, creator, own.id)
    if (!isSameItem(before, own)) return undefined
    if (input.content !== undefined && (await findCurrentVersion(db, own.id))?.content !== input.content)
      throw new Problem('VERSION_IMMUTABLE')
    const audience = audienceAfter(creator, before, input.visibility)
    await storeChange(db, deps, before, { ...texts, audience, is_active: input.isActive ?? before.is_active })
    if (isChanged) {
      await labelVersions(db, own.id, findings)
      await arrangeVersions(db, deps, await getOwnSkill(db, creator, own.id))
    }
    return getSkill(db, creator, own.id)
  })
  // The creator has changed it meanwhile.
  return updated ?? updateSkill(deps, creator, input)
}

/** Stores with every version what the scan found in the new texts of its item. */
async function labelVersions(db: Db, skillId: string, found: readonly Finding[]): Promise<void> {
  const versions = await db.many<Row<'skill_version', 'id' | 'findings'>>(
    sql`select id, findings from skill_version where skill_id = ${skillId}`,
  )
  const labelled = versions
    .filter(({ findings }) => found.length > 0 || findings.some(({ part }) => part === 'item'))
    .map(({ id, findings }) => ({ id, ...replacePart(findings, 'item', found) }))
  await db.run(sql`
    update skill_version set scan_status = labelled.status, findings = labelled.findings
    from jsonb_to_recordset(${JSON.stringify(labelled)}::jsonb) as labelled (id uuid, status text, findings jsonb)
    where skill_version.id = labelled.id`)
}

function audienceAfter(creator: AgentIdentity, { audience }: SkillRow, visibility: Visibility | undefined) {
  if (visibility === undefined) return audience
  return visibility === 'private' ? creator.subject : null
}

type Changeable = Pick<SkillRow, 'name' | 'description' | 'tags' | 'audience' | 'is_active'>

async function storeChange(db: Db, { clock, queue }: SkillDeps, before: SkillRow, after: Changeable): Promise<void> {
  const now = clock.now()
  await db.run(sql`
    update skill set name = ${after.name}, description = ${after.description}, tags = ${after.tags},
      audience = ${after.audience}, is_active = ${after.is_active}, updated_at = ${now}
    where id = ${before.id}`)
  if (after.audience !== before.audience) {
    await db.run(sql`update skill_content_embedding set audience = ${after.audience} where skill_id = ${before.id}`)
    await showFilesOfSkill(db, before.id)
  }
  if (!before.is_served) return
  const wallet = before.wallet_address
  await leaveTags(db, { wallet, tags: before.tags.filter((tag) => !after.tags.includes(tag)) })
  await useTags(db, { wallet, tags: after.tags.filter((tag) => !before.tags.includes(tag)) }, { at: now, items: 1 })
  await queue.enqueue(db, 'embed_skill', { id: before.id })
}

/** Hides an item permanently. Keeps its history, so that copies of it can still be verified. */
export async function deleteSkill(deps: SkillDeps, creator: AgentIdentity, { id }: { id: string }): Promise<string> {
  const { id: skillId } = await getOwnSkill(deps.db, creator, id)
  await deps.db.transaction(async (db) => {
    await lockSkill(db, skillId)
    const skill = await getOwnSkill(db, creator, skillId)
    const now = deps.clock.now()
    await db.run(
      sql`update skill set deleted_at = ${now}, updated_at = ${now}, is_active = false where id = ${skillId}`,
    )
    if (skill.is_served) await leaveTags(db, { wallet: skill.wallet_address, tags: skill.tags })
    await db.run(sql`delete from skill_embedding where skill_id = ${skillId}`)
    await db.run(sql`delete from skill_content_embedding where skill_id = ${skillId}`)
  })
  return skillId
}
