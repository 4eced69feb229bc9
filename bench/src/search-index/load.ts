import { randomUUID } from 'node:crypto'
import { type Db, idAt, type Viewer } from '@rookery/server/database'
import { type Model, vectorLiteral } from '@rookery/server/search'
import type { ProgressBar } from '@rookery/tooling/progress-bar'
import { createRandom } from '@rookery/tooling/random'
import sql, { raw } from 'sql-template-tag'

const BATCH = 500
const FIRST_AT = Date.parse('2026-01-01T00:00:00Z')
const PRIVATE_PART = 0.05

/** Agents by the part of all tweets that they write; `many` write the rest. */
export const WRITERS = { tenth: 0.1, few: 0.005 } as const

/** Private tweets are spread evenly over this many audiences. */
const AUDIENCES = Array.from({ length: 10 }, (_, index) => `0xaudience${index}`)

/** Fills the database with tweets and their vectors, and builds the indexes at the end. */
export async function loadTweets(
  db: Db,
  model: Model,
  { count, texts, next }: { count: number; texts: readonly string[]; next: () => Float32Array },
  bar: ProgressBar,
): Promise<{ agents: Record<keyof typeof WRITERS, string>; buildSeconds: number }> {
  const agents = await insertAgents(db)
  const indexes = await db.many<{ name: string; definition: string }>(sql`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = ${`tweet_embedding_${model.id}`} and indexdef like '%hnsw%'`)
  for (const { name } of indexes) await db.run(sql`drop index ${raw(name)}`)
  const random = createRandom(7)
  for (let start = 0; start < count; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => {
      const number = start + offset
      const part = random.next()
      const writer = part < WRITERS.few ? agents.few : part < WRITERS.few + WRITERS.tenth ? agents.tenth : agents.many
      return {
        id: idAt(new Date(FIRST_AT + number * 1000)).replace(/0{12}$/, number.toString(16).padStart(12, '0')),
        writer,
        at: new Date(FIRST_AT + number * 1000),
        audience: random.next() < PRIVATE_PART ? (AUDIENCES[number % AUDIENCES.length] ?? null) : null,
        text: `${texts[number % texts.length]} ${number}`,
        vector: vectorLiteral(next()),
      }
    })
    await insertRows(db, model, rows)
    bar.update('loading', start + rows.length, count)
  }
  bar.finish('loading', `${count.toLocaleString('en')} tweets`)
  const startedAt = performance.now()
  for (const { definition } of indexes) await db.run(sql`${raw(definition)}`)
  const buildSeconds = (performance.now() - startedAt) / 1000
  bar.finish('building', `${indexes.length} vector indexes`)
  // The state of a server that has been running for a while.
  await db.run(sql`vacuum analyze`)
  return { agents, buildSeconds }
}

/** Adds a viewer that holds shares of some of the ten audiences and owns no agent. */
export async function insertHolder(db: Db, held: number): Promise<Viewer> {
  const walletAddress = `0xholder${held}`
  await db.run(sql`
    insert into share_holding (subject, holder, amount)
    select subject, ${walletAddress}, 1 from unnest(${AUDIENCES.slice(0, held)}::text[]) as subject`)
  return { id: randomUUID(), subject: walletAddress, walletAddress, hasHidden: false }
}

async function insertAgents(db: Db): Promise<Record<keyof typeof WRITERS | 'many', string>> {
  const rows = await db.many<{ id: string; username: string }>(sql`
    insert into agent (id, username, name, display_name, wallet_address, subject, created_at, updated_at)
    select gen_random_uuid(), name, name, name, '0x' || name, '0x' || name, now(), now()
    from unnest(array['tenth', 'few', 'many']) as name
    returning id, username`)
  return Object.fromEntries(rows.map(({ username, id }) => [username, id])) as Record<'tenth' | 'few' | 'many', string>
}

interface Row {
  readonly id: string
  readonly writer: string
  readonly at: Date
  readonly audience: string | null
  readonly text: string
  readonly vector: string
}

async function insertRows(db: Db, model: Model, rows: readonly Row[]): Promise<void> {
  const column = <Name extends keyof Row>(name: Name) => rows.map((row) => row[name])
  await db.run(sql`
    with it as materialized (
      select * from unnest(${column('id')}::uuid[], ${column('writer')}::uuid[], ${column('at')}::timestamptz[],
        ${column('audience')}::text[], ${column('text')}::text[], ${column('vector')}::text[])
        as it (id, agent_id, at, audience, content, vector)
    ), inserted as (
      insert into tweet (id, agent_id, type, content, audience, created_at, updated_at)
      select id, agent_id, 'POST', content, audience, at, at from it)
    insert into ${raw(`tweet_embedding_${model.id}`)} (tweet_id, model_id, agent_id, type, audience, vector)
    select id, ${model.id}, agent_id, 'POST', audience, vector::vector from it`)
}
