import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { trendOf, trendWith, trendWithout } from '../../foundation/trend.js'

/** The time after which the use of a tag or of an item counts half. */
export const SKILL_HALF_LIFE_MS = 7 * 24 * 60 * 60_000

const SHAPE = /^[\p{Letter}\p{Number}][\p{Letter}\p{Mark}\p{Number}+._-]*$/u

/** Normalises tags: without `#`, in lower case, with hyphens for spaces, each once. */
export function cleanTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag, index) => {
    const text = cleanTag(tag)
    if (!SHAPE.test(text)) throw Problem.at(`tags.${index}`, 'must be made of letters, digits and + . _ -')
    return text
  })
  return [...new Set(clean)]
}

export function cleanTag(tag: string): string {
  return tag
    .normalize('NFKC')
    .toLowerCase()
    .trim()
    .replace(/^#+/, '')
    .replace(/[\s,]+/g, '-')
}

/** Tags that an owner uses. */
interface TagUse {
  readonly wallet: string
  readonly tags: readonly string[]
}

// Always in the same order, so that concurrent writers of the same tags wait for each other instead of deadlocking.
const sortTags = (tags: readonly string[]) => [...tags].sort()

/** Records that an owner uses tags, on `items` more items. An owner counts once per tag, as of the last use. */
export async function useTags(
  db: Db,
  { wallet, tags }: TagUse,
  { at, items }: { at: Date; items: 0 | 1 },
): Promise<void> {
  for (const tag of sortTags(tags)) {
    await db.run(sql`
      insert into skill_tag (name, items_count, trend) values (${tag}, ${items}, '-infinity')
      on conflict (name) do update set items_count = skill_tag.items_count + excluded.items_count`)
    const before = await db.find<Row<'skill_tag_use', 'at'>>(
      sql`select at from skill_tag_use where tag = ${tag} and wallet = ${wallet}`,
    )
    await db.run(sql`
      insert into skill_tag_use (tag, wallet, items_count, at) values (${tag}, ${wallet}, ${items}, ${at})
      on conflict (tag, wallet) do update
      set items_count = skill_tag_use.items_count + excluded.items_count, at = excluded.at`)
    const without = before ? trendWithout(sql`trend`, before.at, 1, SKILL_HALF_LIFE_MS) : sql`trend`
    await db.run(sql`update skill_tag set trend = ${without} where name = ${tag}`)
    await db.run(sql`
      update skill_tag set trend = ${trendWith(sql`trend`, at, 1, SKILL_HALF_LIFE_MS)} where name = ${tag}`)
  }
}

/** Records that an owner uses tags on one item fewer. */
export async function leaveTags(db: Db, { wallet, tags }: TagUse): Promise<void> {
  for (const tag of sortTags(tags)) {
    await db.run(sql`update skill_tag set items_count = items_count - 1 where name = ${tag}`)
    const left = await db.find<Row<'skill_tag_use', 'items_count' | 'at'>>(sql`
      update skill_tag_use set items_count = items_count - 1 where tag = ${tag} and wallet = ${wallet}
      returning items_count, at`)
    if (left?.items_count === 0) {
      await db.run(sql`delete from skill_tag_use where tag = ${tag} and wallet = ${wallet}`)
      await db.run(sql`
        update skill_tag set trend = ${trendWithout(sql`trend`, left.at, 1, SKILL_HALF_LIFE_MS)} where name = ${tag}`)
    }
    await db.run(sql`delete from skill_tag where name = ${tag} and items_count = 0`)
  }
}

export interface TrendingTag {
  readonly name: string
  readonly usageCount: number
  readonly score: number
}

/** Lists tags by the number of their owners, weighted towards recent use. A single index scan. */
export async function listTrendingTags(db: Db, now: Date, limit: number): Promise<TrendingTag[]> {
  const rows = await db.many<Row<'skill_tag', 'name' | 'items_count' | 'trend'>>(sql`
    select name, items_count, trend from skill_tag order by trend desc, name desc limit ${limit}`)
  const today = trendOf(now, 1, SKILL_HALF_LIFE_MS)
  return rows.map(({ name, items_count, trend }) => ({
    name,
    usageCount: items_count,
    score: Math.round(2 ** (trend - today) * 10_000) / 10_000,
  }))
}
