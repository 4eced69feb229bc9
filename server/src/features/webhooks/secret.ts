import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { Webhook } from 'standardwebhooks'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import type { Secrets } from '../../foundation/secrets.js'

const PURPOSE = 'webhook-secret'

/** Makes a secret: in clear, to be shown once, and sealed, to be stored with the name of what it is sealed by. */
export function makeSecret(secrets: Secrets): { secret: string; sealed: Buffer; sealedBy: string | undefined } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealed: secrets.seal(PURPOSE, secret), sealedBy: secrets.ids[0] }
}

/** The headers of a signed delivery (Standard Webhooks), signed with each of the stored secrets. */
export function signedHeaders(
  secrets: Secrets,
  stored: readonly Buffer[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const signatures = stored.map((sealed) => new Webhook(secrets.unseal(PURPOSE, sealed)).sign(id, at, body))
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Rookery-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}

/** Counts webhooks whose secrets can be read with none of these secrets of the installation. */
export async function countSealedByOthers(db: Db, ids: readonly string[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from webhook where sealed_by is null or sealed_by <> all(${ids}::text[])`)
  return count
}

const AT_A_TIME = 500

/** Seals the secrets of all webhooks with the newest secret of the installation. Returns how many it has sealed. */
export async function resealSecrets({ db, secrets }: { db: Db; secrets: Secrets }): Promise<number> {
  const [newest] = secrets.ids
  let resealed = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await db.many<Row<'webhook', 'id' | 'secret' | 'old_secret'>>(sql`
      select id, secret, old_secret from webhook
      where id > ${after} and sealed_by is distinct from ${newest} order by id limit ${AT_A_TIME}`)
    const last = rows.at(-1)
    if (!last) return resealed
    after = last.id
    const fresh = rows.flatMap((row) => reseal(secrets, row))
    const column = <Name extends keyof (typeof fresh)[0]>(name: Name) => fresh.map((row) => row[name])
    // Its agent may have replaced the secret meanwhile.
    resealed += await db.run(sql`
      update webhook set secret = fresh.secret, old_secret = fresh.old_secret, sealed_by = ${newest}
      from unnest(${column('id')}::uuid[], ${column('before')}::bytea[], ${column('secret')}::bytea[],
        ${column('oldSecret')}::bytea[]) fresh (id, before, secret, old_secret)
      where webhook.id = fresh.id and webhook.secret = fresh.before`)
  }
}

interface FreshlySealed {
  readonly id: string
  readonly before: Buffer
  readonly secret: Buffer
  readonly oldSecret: Buffer | null
}

/** None for a webhook that no secret of the list can open. */
function reseal(secrets: Secrets, row: Row<'webhook', 'id' | 'secret' | 'old_secret'>): FreshlySealed[] {
  const again = (sealed: Buffer) => secrets.seal(PURPOSE, secrets.unseal(PURPOSE, sealed))
  try {
    const oldSecret = row.old_secret && again(row.old_secret)
    return [{ id: row.id, before: row.secret, secret: again(row.secret), oldSecret }]
  } catch {
    return []
  }
}
