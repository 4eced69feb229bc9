import type { SkillType, Visibility } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import { trendOf } from '../../foundation/trend.js'
import { showFilesOfSkill } from '../media/public-files.js'
import { findDescription, listSlugChoices, readSource } from './document.js'
import { publishVersion } from './publish.js'
import { findCurrentVersion, getOwnSkill, getSkill, type SkillRow } from './queries.js'
import { scanMetadata, scanVersion } from './scan-version.js'
import type { Scanner } from './scanner.js'
import { cleanTags, leaveTags, SKILL_HALF_LIFE_MS, useTags } from './tags.js'
import { lockSkill, requireVersionNumber } from './versions.js'

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

type SkillDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'queue' | 'config' | 'chain'> & { readonly scanner: Scanner }

export async function createSkill(deps: SkillDeps, creator: AgentIdentity, input: NewSkill): Promise<SkillRow> {
  const { versionNumber = '1.0.0', type, content } = input
  requireVersionNumber(versionNumber)
  const name = cleanName(input.name)
  const tags = cleanTags(input.tags ?? [])
  const version = { versionNumber, source: readSource(content) }
  const fullDescription = input.description?.trim() || (findDescription(version.source) ?? '')
  const description = fullDescription.slice(0, LONGEST_DESCRIPTION)
  const id = deps.ids.next()
  const slugs = listSlugChoices(name, type, id)
  const heading = { id, slug: slugs[0] ?? type, name, description, wallet_address: creator.walletAddress }
  const scan = await scanVersion(deps, heading, version)
  return deps.db.transaction(async (db) => {
    const now = deps.clock.now()
    const audience = input.visibility === 'private' ? creator.subject : null
    for (const slug of slugs) {
      const added = await db.run(sql`
        insert into skill (id, slug, agent_id, type, name, description, audience, is_active, tags, trend, created_at, updated_at)
        values (${id}, ${slug}, ${creator.id}, ${type}, ${name}, ${description}, ${audience},
          ${input.isActive ?? false}, ${tags}, ${trendOf(now, 1, SKILL_HALF_LIFE_MS)}, ${now}, ${now})
        on conflict (slug) do nothing`)
      if (added === 1) break
    }
    await publishVersion(db, deps, await getSkill(db, creator, id), version, scan)
    return getSkill(db, creator, id)
  })
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
  const { id: skillId } = own
  await scanMetadata(deps, own, input)
  return deps.db.transaction(async (db) => {
    await lockSkill(db, skillId)
    // It may have been taken down since, and what is down counts for no tag.
    const before = await getOwnSkill(db, creator, skillId)
    if (input.content !== undefined && (await findCurrentVersion(db, skillId))?.content !== input.content)
      throw new Problem('VERSION_IMMUTABLE')
    const after = {
      name: input.name === undefined ? before.name : cleanName(input.name),
      description: input.description?.trim() ?? before.description,
      tags: input.tags === undefined ? before.tags : cleanTags(input.tags),
      audience: audienceAfter(creator, before, input.visibility),
      is_active: input.isActive ?? before.is_active,
    }
    await storeChange(db, deps, before, after)
    return getSkill(db, creator, skillId)
  })
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
