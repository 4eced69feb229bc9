import sql from 'sql-template-tag'
import type { Config } from '../../config/config.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'

interface ModeratorDeps {
  readonly config: Pick<Config, 'MODERATOR_WALLETS'>
  readonly db: Db
}

/** Whether a wallet moderates. People call rarely, so each call asks, and an answer holds on every instance at once. */
export async function isModeratorWallet({ config, db }: ModeratorDeps, wallet: string | null): Promise<boolean> {
  if (wallet === null) return false
  const address = wallet.toLowerCase()
  if (config.MODERATOR_WALLETS.some((moderator) => moderator === address)) return true
  return (await db.find(sql`select from moderator where wallet = ${address}`)) !== undefined
}

/** A wallet that moderates, and who says so. */
export interface Moderator {
  readonly wallet: string
  readonly name: string
  readonly addedAt: string | null
  readonly isConfigured: boolean
}

/** Lists the wallets of MODERATOR_WALLETS, then those that were added. */
export async function listModerators({ config, db }: ModeratorDeps): Promise<Moderator[]> {
  const rows = await db.many<Row<'moderator'>>(sql`select * from moderator order by added_at, wallet`)
  return [
    ...config.MODERATOR_WALLETS.map((wallet) => ({ wallet, name: '', addedAt: null, isConfigured: true })),
    ...rows.map(({ wallet, name, added_at }) => ({
      wallet,
      name,
      addedAt: added_at.toISOString(),
      isConfigured: false,
    })),
  ]
}

/** Lets a wallet moderate from now on. Repeating it changes the name. */
export async function addModerator(db: Db, moderator: { wallet: string; name: string; now: Date }): Promise<void> {
  const { wallet, name, now } = moderator
  await db.run(sql`
    insert into moderator (wallet, name, added_at) values (${wallet.toLowerCase()}, ${name}, ${now})
    on conflict (wallet) do update set name = excluded.name`)
}

/** Returns whether the wallet was there. */
export async function removeModerator(db: Db, wallet: string): Promise<boolean> {
  return (await db.run(sql`delete from moderator where wallet = ${wallet.toLowerCase()}`)) > 0
}
