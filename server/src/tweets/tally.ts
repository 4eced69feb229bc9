import { createHash } from 'node:crypto'
import type { TweetType } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../db/db.js'

const SHARDS = 16

/** Counts a public tweet that came or went. Writers by different agents mostly touch different rows. */
export async function tallyTweets(db: Db, agentId: string, type: TweetType, by: number): Promise<void> {
  const shard = (createHash('sha1').update(agentId).digest()[0] ?? 0) % SHARDS
  await db.run(sql`
    insert into tally (name, shard, value) values (${`tweets:${type}`}, ${shard}, ${by})
    on conflict (name, shard) do update set value = tally.value + excluded.value`)
}

/** How many public tweets of these types there are. */
export function tweetTotal(types: readonly TweetType[]) {
  const names = types.map((type) => `tweets:${type}`)
  return sql`select coalesce(sum(value), 0)::int as total from tally where name = any(${names})`
}
