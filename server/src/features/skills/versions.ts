import semver from 'semver'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { SkillRow } from './queries.js'
import { leaveTags, useTags } from './tags.js'

type PlacedVersion = Row<'skill_version', 'id' | 'number' | 'place' | 'is_current'> & { readonly is_served: boolean }

export function requireVersionNumber(number: string): void {
  if (semver.valid(number) !== number) throw Problem.at('versionNumber', 'must be a semantic version, such as 1.2.0')
}

/** Chooses the version that is served by default: the highest release, or the highest pre-release if there is no release. */
export function chooseCurrent<V extends { readonly number: string }>(served: readonly V[]): V | undefined {
  const highest = [...served].sort((a, b) => semver.rcompare(a.number, b.number))
  return highest.find(({ number }) => semver.prerelease(number) === null) ?? highest[0]
}

/** Locks an item while its versions change. */
export async function lockSkill(db: Db, id: string): Promise<void> {
  await db.run(sql`select from skill where id = ${id} for update`)
}

/**
 * Orders the versions of an item after one was added, revoked or rescanned, and chooses the current one. The item must be
 * locked. Returns the number of the current version.
 */
export async function arrangeVersions(
  db: Db,
  { queue, clock }: Pick<Deps, 'queue' | 'clock'>,
  skill: Pick<SkillRow, 'id' | 'tags' | 'wallet_address' | 'is_served' | 'withheld'>,
): Promise<string | null> {
  const versions = await db.many<PlacedVersion>(sql`
    select id, number, place, is_current, revoked_at is null and scan_status <> 'blocked' as is_served
    from skill_version where skill_id = ${skill.id}`)
  await placeVersions(db, versions)
  const current = chooseCurrent(versions.filter((version) => version.is_served))
  const before = versions.find((version) => version.is_current)
  if (current?.id !== before?.id) {
    if (before) {
      await db.run(sql`update skill_version set is_current = false where id = ${before.id}`)
      await db.run(sql`delete from skill_content_embedding where version_id = ${before.id}`)
    }
    if (current) {
      await db.run(sql`update skill_version set is_current = true where id = ${current.id}`)
      await queue.enqueue(db, 'embed_skill_content', { id: current.id })
    }
  }
  await serveOrHide(db, { queue, clock }, skill, current !== undefined)
  return current?.number ?? null
}

async function placeVersions(db: Db, versions: readonly PlacedVersion[]): Promise<void> {
  const sorted = [...versions].sort((a, b) => semver.compare(a.number, b.number))
  const moved = sorted
    .map(({ id, place }, index) => ({ id, place, to: index + 1 }))
    .filter(({ place, to }) => place !== to)
  if (moved.length === 0) return
  await db.run(sql`
    update skill_version set place = moved.place
    from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ to }) => to)}::int[]) as moved (id, place)
    where skill_version.id = moved.id`)
}

// Only served items can be found, are listed and count.
async function serveOrHide(
  db: Db,
  { queue, clock }: Pick<Deps, 'queue' | 'clock'>,
  skill: Pick<SkillRow, 'id' | 'tags' | 'wallet_address' | 'is_served' | 'withheld'>,
  isServed: boolean,
): Promise<void> {
  if (isServed === skill.is_served) return
  await db.run(sql`update skill set is_served = ${isServed} where id = ${skill.id}`)
  // What is taken down counts for no tag until it is back.
  const use = { wallet: skill.wallet_address, tags: skill.withheld === null ? skill.tags : [] }
  if (isServed) {
    await useTags(db, use, { at: clock.now(), items: 1 })
    await queue.enqueue(db, 'embed_skill', { id: skill.id })
  } else {
    await leaveTags(db, use)
    await db.run(sql`delete from skill_embedding where skill_id = ${skill.id}`)
  }
}
