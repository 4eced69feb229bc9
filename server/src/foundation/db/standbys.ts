import sql from 'sql-template-tag'
import type { Db } from './db.js'

/** How far the slowest standby is behind, in seconds; undefined without one that this account may see. */
export async function findReplayLag(db: Db): Promise<number | undefined> {
  const { lag } = await db.one<{ lag: number | null }>(sql`
    select extract(epoch from max(replay_lag))::float8 as lag from pg_stat_replication`)
  return lag ?? undefined
}
