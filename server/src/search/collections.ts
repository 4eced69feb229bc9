import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../db/db.js'
import { idAt } from '../db/id-at.js'
import { type Model, tableOf, vectorLiteral } from './vectors.js'

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
  readonly table: 'tweet_embedding' | 'agent_embedding'
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

export const collections: readonly Collection[] = [tweetTexts, agentTexts]

function chosen(which: Which, id: Sql, isMissing: Sql, since: (time: Date) => Sql): Sql {
  if (!('before' in which)) return sql`${id} = any(${which}::uuid[]) and ${isMissing} order by ${id} desc`
  const { before, limit, missingSince } = which
  const narrow = missingSince ? sql`${isMissing} and ${since(missingSince)}` : sql`true`
  return sql`${id} < ${before} and ${narrow} order by ${id} desc limit ${limit}`
}

function given(texts: readonly Text[], vectors: readonly Float32Array[]): Sql {
  return sql`unnest(${texts.map(({ id }) => id)}::uuid[], ${texts.map(({ at }) => at)}::timestamptz[],
    ${vectors.map(vectorLiteral)}::text[]) as it (id, at, vector)`
}

async function countRows(db: Db, from: Sql): Promise<number> {
  return (await db.one<{ total: number }>(sql`select count(*)::int as total from ${from}`)).total
}
