import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { literal } from '../../foundation/db/literal.js'
import { realArray } from '../../foundation/db/real-array.js'
import { type Model, tableOf } from './vectors.js'

/** A text to embed. */
export interface Text {
  readonly id: string
  readonly text: string
  /** The time of writing. */
  readonly at: Date
}

/** Selects the texts with these ids that still need a vector, or the newest texts before an id. */
export type TextSelection = readonly string[] | NewestBefore

interface NewestBefore {
  readonly before: string
  readonly limit: number
  /** Selects only texts written since this time that have no vector. */
  readonly missingSince?: Date
}

/** Texts of one kind that can be found by meaning. A new kind needs an entry here, a table and its own search by words. */
export interface Collection {
  /** The partitioned table. The name of a model's partition ends with the model's id. */
  readonly table: 'tweet_embedding' | 'agent_embedding' | 'skill_embedding' | 'skill_content_embedding'
  /** The conditions of the partial vector indexes of each partition. */
  readonly indexes: readonly string[]
  read(db: Db, model: Model, selection: TextSelection): Promise<Text[]>
  /** Stores the vectors of texts that still exist. */
  store(db: Db, model: Model, texts: readonly Text[], vectors: readonly Float32Array[]): Promise<void>
  /** Counts the texts to embed. */
  count(db: Db): Promise<number>
}

// Public and private tweets have separate indexes; see search/tweets.ts.
export const tweetTexts: Collection = {
  table: 'tweet_embedding',
  indexes: ['audience is null', 'audience is not null'],
  read(db, model, selection) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, tweetTexts)} embedded where embedded.tweet_id = tweet.id)`
    const since = (time: Date) => sql`tweet.id >= ${idAt(time)}`
    return db.many<Text>(sql`
      select id, content as text, created_at as at from tweet
      where content ~ '\\S' and ${selectionCondition(selection, sql`tweet.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    // The lock makes a concurrent deletion wait, so that it also deletes the vector.
    await db.run(sql`
      insert into ${tableOf(model, tweetTexts)} (model_id, tweet_id, agent_id, type, audience, vector)
      select ${model.id}, tweet.id, tweet.agent_id, tweet.type, tweet.audience, input.vector::vector
      from ${vectorRows(texts, vectors)} join tweet on tweet.id = input.id for key share of tweet
      on conflict do nothing`)
  },
  count: (db) => countRows(db, sql`tweet where content ~ '\\S'`),
}

export const agentTexts: Collection = {
  table: 'agent_embedding',
  indexes: ['true'],
  read(db, model, selection) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, agentTexts)} embedded
      where embedded.agent_id = agent.id and embedded.text_at >= agent.updated_at)`
    const since = (time: Date) => sql`agent.updated_at >= ${time}`
    return db.many<Text>(sql`
      select id, display_name || ' @' || username || e'\n' || bio as text, updated_at as at from agent
      where ${selectionCondition(selection, sql`agent.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    await db.run(sql`
      insert into ${tableOf(model, agentTexts)} as stored (model_id, agent_id, text_at, vector)
      select ${model.id}, input.id, input.at, input.vector::vector from ${vectorRows(texts, vectors)}
      on conflict (agent_id, model_id) do update set vector = excluded.vector, text_at = excluded.text_at
      where stored.text_at <= excluded.text_at`)
  },
  count: (db) => countRows(db, sql`agent`),
}

const isSkillServed = sql`skill.is_served and skill.deleted_at is null`

// The name, description and tags of an item, which are always public.
export const skillTexts: Collection = {
  table: 'skill_embedding',
  indexes: ['true'],
  read(db, model, selection) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, skillTexts)} embedded
      where embedded.skill_id = skill.id and embedded.text_at >= skill.updated_at)`
    const since = (time: Date) => sql`skill.updated_at >= ${time}`
    return db.many<Text>(sql`
      select id, name || e'\n' || description || e'\n' || array_to_string(tags, ' ') as text, updated_at as at from skill
      where ${isSkillServed} and ${selectionCondition(selection, sql`skill.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    // The lock makes a concurrent deletion wait, so that it also deletes the vector.
    await db.run(sql`
      insert into ${tableOf(model, skillTexts)} as stored (model_id, skill_id, text_at, vector)
      select ${model.id}, input.id, input.at, input.vector::vector
      from ${vectorRows(texts, vectors)} join skill on skill.id = input.id and ${isSkillServed} for share of skill
      on conflict (skill_id, model_id) do update set vector = excluded.vector, text_at = excluded.text_at
      where stored.text_at <= excluded.text_at`)
  },
  count: (db) => countRows(db, sql`skill where ${isSkillServed}`),
}

/** The length of the content that a search reads: enough to tell its subject, and more than models read. */
export const MAX_CONTENT_LENGTH = 20_000
const MAX_EMBEDDED_LENGTH = 4_000

const currentVersion = sql`skill_version version join skill on skill.id = version.skill_id
  and version.is_current and ${isSkillServed}`

// The content of an item's current version. Like private tweets, private contents have a separate index.
export const skillContents: Collection = {
  table: 'skill_content_embedding',
  indexes: ['audience is null', 'audience is not null'],
  read(db, model, selection) {
    const isMissing = sql`not exists (
      select from ${tableOf(model, skillContents)} embedded where embedded.version_id = version.id)`
    const since = (time: Date) => sql`version.created_at >= ${time}`
    return db.many<Text>(sql`
      select version.id, left(version.content, ${MAX_EMBEDDED_LENGTH}) as text, version.created_at as at from ${currentVersion}
      where version.content ~ '\\S' and ${selectionCondition(selection, sql`version.id`, isMissing, since)}`)
  },
  async store(db, model, texts, vectors) {
    // The lock makes a concurrent change of the audience wait, so that it also updates the vector's row.
    await db.run(sql`
      insert into ${tableOf(model, skillContents)} (model_id, version_id, skill_id, audience, vector)
      select ${model.id}, version.id, skill.id, skill.audience, input.vector::vector
      from ${vectorRows(texts, vectors)} join (${currentVersion}) on version.id = input.id for share of skill
      on conflict do nothing`)
  },
  count: (db) => countRows(db, sql`${currentVersion} where version.content ~ '\\S'`),
}

export const collections: readonly Collection[] = [tweetTexts, agentTexts, skillTexts, skillContents]

function selectionCondition(selection: TextSelection, id: Sql, isMissing: Sql, since: (time: Date) => Sql): Sql {
  if (!('before' in selection)) return sql`${id} = any(${selection}::uuid[]) and ${isMissing} order by ${id} desc`
  const { before, limit, missingSince } = selection
  const condition = missingSince ? sql`${isMissing} and ${since(missingSince)}` : sql`true`
  return sql`${id} < ${before} and ${condition} order by ${id} desc limit ${limit}`
}

function vectorRows(texts: readonly Text[], vectors: readonly Float32Array[]): Sql {
  const length = sql`${vectors[0]?.length ?? 0}::integer`
  return sql`(
    select id, at, (${realArray(vectors)}::real[])[(n - 1) * ${length} + 1 : n * ${length}] as vector
    from unnest(${literal(texts.map(({ id }) => id))}::uuid[], ${texts.map(({ at }) => at)}::timestamptz[])
      with ordinality as listed (id, at, n)) input`
}

async function countRows(db: Db, from: Sql): Promise<number> {
  return (await db.one<{ total: number }>(sql`select count(*)::int as total from ${from}`)).total
}
