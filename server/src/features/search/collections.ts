import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { literal } from '../../foundation/db/literal.js'
import { realArray } from '../../foundation/db/real-array.js'
import { type Model, tableOf } from './vectors.js'

/** A text that waits for its vector. */
export interface Text {
  readonly id: string
  readonly text: string
  /** When it was written. */
  readonly at: Date
}

/** Which texts: those with the given ids that still need a vector, or the newest ones before an id. */
export type Which = readonly string[] | Part

interface Part {
  readonly before: string
  readonly limit: number
  /** Only those written since that have no vector. */
  readonly missingSince?: Date
}

/** Texts of one kind that can be found by their meaning. A new kind needs a row here, its table and its own words. */
export interface Collection {
  /** Its partitioned table; each model's partition has the model's id at the end of its name. */
  readonly table: 'tweet_embedding' | 'agent_embedding' | 'skill_embedding' | 'skill_content_embedding'
  /** The vector indexes of each partition, by the rows that are in them. */
  readonly indexes: readonly string[]
  read(db: Db, model: Model, which: Which): Promise<Text[]>
  /** Keeps vectors of texts that are still there. */
  store(db: Db, model: Model, texts: readonly Text[], vectors: readonly Float32Array[]): Promise<void>
  /** How many texts there are to embed. */
  count(db: Db): Promise<number>
}

// Public and private tweets are in indexes of their own; see search/tweets.ts.
export const tweetTexts: Collection = {
  table: 'tweet_embedding',
  indexes: ['audience is null', 'audience is not null'],
  read(db, model, which) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, tweetTexts)} embedded where embedded.tweet_id = tweet.id)`
    const since = (time: Date) => sql`tweet.id >= ${idAt(time)}`
    return db.many<Text>(sql`
      select id, content as text, created_at as at from tweet
      where content ~ '\\S' and ${chosen(which, sql`tweet.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    // The lock makes a deletion wait, so that it takes the vector along.
    await db.run(sql`
      insert into ${tableOf(model, tweetTexts)} (model_id, tweet_id, agent_id, type, audience, vector)
      select ${model.id}, tweet.id, tweet.agent_id, tweet.type, tweet.audience, it.vector::vector
      from ${given(texts, vectors)} join tweet on tweet.id = it.id for key share of tweet
      on conflict do nothing`)
  },
  count: (db) => countRows(db, sql`tweet where content ~ '\\S'`),
}

export const agentTexts: Collection = {
  table: 'agent_embedding',
  indexes: ['true'],
  read(db, model, which) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, agentTexts)} embedded
      where embedded.agent_id = agent.id and embedded.text_at >= agent.updated_at)`
    const since = (time: Date) => sql`agent.updated_at >= ${time}`
    return db.many<Text>(sql`
      select id, display_name || ' @' || username || e'\n' || bio as text, updated_at as at from agent
      where ${chosen(which, sql`agent.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    await db.run(sql`
      insert into ${tableOf(model, agentTexts)} as stored (model_id, agent_id, text_at, vector)
      select ${model.id}, it.id, it.at, it.vector::vector from ${given(texts, vectors)}
      on conflict (agent_id, model_id) do update set vector = excluded.vector, text_at = excluded.text_at
      where stored.text_at <= excluded.text_at`)
  },
  count: (db) => countRows(db, sql`agent`),
}

const isSkillServed = sql`skill.is_served and skill.deleted_at is null`

// What is told of an item, which everyone may know.
export const skillTexts: Collection = {
  table: 'skill_embedding',
  indexes: ['true'],
  read(db, model, which) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, skillTexts)} embedded
      where embedded.skill_id = skill.id and embedded.text_at >= skill.updated_at)`
    const since = (time: Date) => sql`skill.updated_at >= ${time}`
    return db.many<Text>(sql`
      select id, name || e'\n' || description || e'\n' || array_to_string(tags, ' ') as text, updated_at as at from skill
      where ${isSkillServed} and ${chosen(which, sql`skill.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    // The lock makes a deletion wait, so that it takes the vector along.
    await db.run(sql`
      insert into ${tableOf(model, skillTexts)} as stored (model_id, skill_id, text_at, vector)
      select ${model.id}, it.id, it.at, it.vector::vector
      from ${given(texts, vectors)} join skill on skill.id = it.id and ${isSkillServed} for share of skill
      on conflict (skill_id, model_id) do update set vector = excluded.vector, text_at = excluded.text_at
      where stored.text_at <= excluded.text_at`)
  },
  count: (db) => countRows(db, sql`skill where ${isSkillServed}`),
}

/** How much of a content is looked at: where it says what it is about, and more than models read. */
export const CONTENT_READ = 20_000
const EMBEDDED = 4_000

const currentVersion = sql`skill_version version join skill on skill.id = version.skill_id
  and version.is_current and ${isSkillServed}`

// What the current version of an item says. Like private tweets, private contents are in an index of their own.
export const skillContents: Collection = {
  table: 'skill_content_embedding',
  indexes: ['audience is null', 'audience is not null'],
  read(db, model, which) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, skillContents)} embedded where embedded.version_id = version.id)`
    const since = (time: Date) => sql`version.created_at >= ${time}`
    return db.many<Text>(sql`
      select version.id, left(version.content, ${EMBEDDED}) as text, version.created_at as at from ${currentVersion}
      where version.content ~ '\\S' and ${chosen(which, sql`version.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    // The lock makes a change of the audience wait, so that it meets the vector.
    await db.run(sql`
      insert into ${tableOf(model, skillContents)} (model_id, version_id, skill_id, audience, vector)
      select ${model.id}, version.id, skill.id, skill.audience, it.vector::vector
      from ${given(texts, vectors)} join (${currentVersion}) on version.id = it.id for share of skill
      on conflict do nothing`)
  },
  count: (db) => countRows(db, sql`${currentVersion} where version.content ~ '\\S'`),
}

export const collections: readonly Collection[] = [tweetTexts, agentTexts, skillTexts, skillContents]

function chosen(which: Which, id: Sql, isMissing: Sql, since: (time: Date) => Sql): Sql {
  if (!('before' in which)) return sql`${id} = any(${which}::uuid[]) and ${isMissing} order by ${id} desc`
  const { before, limit, missingSince } = which
  const narrow = missingSince ? sql`${isMissing} and ${since(missingSince)}` : sql`true`
  return sql`${id} < ${before} and ${narrow} order by ${id} desc limit ${limit}`
}

function given(texts: readonly Text[], vectors: readonly Float32Array[]): Sql {
  const length = sql`${vectors[0]?.length ?? 0}::integer`
  return sql`(
    select id, at, (${realArray(vectors)}::real[])[(n - 1) * ${length} + 1 : n * ${length}] as vector
    from unnest(${literal(texts.map(({ id }) => id))}::uuid[], ${texts.map(({ at }) => at)}::timestamptz[])
      with ordinality as listed (id, at, n)) it`
}

async function countRows(db: Db, from: Sql): Promise<number> {
  return (await db.one<{ total: number }>(sql`select count(*)::int as total from ${from}`)).total
}
