import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Secrets } from '../../foundation/secrets.js'

const PURPOSE = 'push-subscription'
const AT_A_TIME = 500

/** Counts browsers whose addresses can be read with none of these secrets of the installation. */
export async function countBrowsersSealedByOthers(db: Db, ids: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from push_subscription where sealed_by is null or sealed_by <> all(${ids}::text[])`)
  return count
}

/** Seals the addresses of all browsers with the newest secret of the installation. Returns how many it has sealed. */
export async function resealBrowsers({ db, secrets }: { db: Db; secrets: Secrets }): Promise<number> {
  const [newest] = secrets.ids
  let resealed = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db.many<Row<'push_subscription', 'id' | 'sealed'>>(sql`
      select id, sealed from push_subscription
      where id > ${after} and sealed_by is distinct from ${newest} order by id limit ${AT_A_TIME}`)
    const last = rows.at(-1)
    if (!last) return resealed
    after = last.id
    const fresh = rows.flatMap(({ id, sealed }) => {
      const again = reseal(secrets, sealed)
      return again ? [{ id, before: sealed, again }] : []
    })
    resealed += await db.run(sql`
      update push_subscription set sealed = fresh.sealed, sealed_by = ${newest}
      from unnest(${fresh.map(({ id }) => id)}::uuid[], ${fresh.map(({ before }) => before)}::bytea[],
        ${fresh.map(({ again }) => again)}::bytea[]) fresh (id, before, sealed)
      where push_subscription.id = fresh.id and push_subscription.sealed = fresh.before`)
  }
}

/** Undefined for one that no secret of the list can open. */
function reseal(secrets: Secrets, sealed: Buffer): Buffer | undefined {
  try {
    return secrets.seal(PURPOSE, secrets.unseal(PURPOSE, sealed))
  } catch {
    return undefined
  }
}
