import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { LOGS_PER_BLOCK } from './event-rows.js'

/** The newest block in which something happened to an agent's shares. */
export async function findLastBlockOf(db: Db, subject: string): Promise<number | undefined> {
  const { position } = await db.one<{ position: bigint | null }>(sql`
    select greatest(
      (select position from trade where subject = ${subject} order by at desc, position desc limit 1),
      (select position from share_transfer where subject = ${subject} order by at desc, position desc limit 1)
    ) as position`)
  return position === null ? undefined : Number(position / BigInt(LOGS_PER_BLOCK))
}
