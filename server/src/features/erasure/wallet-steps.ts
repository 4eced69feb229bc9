import sql from 'sql-template-tag'
import { erasedForm } from '../../foundation/callers/wallet-bans.js'
import { holdName } from '../../foundation/held-names.js'
import type { StaticText } from '../agents/static-signatures.js'
import { heldSignature } from '../agents/static-signatures.js'
import { removeUse } from '../skills/use.js'
import { leaveAudit, leaveRefusals } from './audit-steps.js'
import { reportsBy } from './moderation-steps.js'
import type { WalletSought } from './sought.js'
import { deleted, emptied, part, ROWS_AT_ONCE, type Step, special } from './step.js'

const its = ({ wallet }: WalletSought) => sql`wallet = ${wallet}`

/** Everything that is taken out for a wallet. What is derived from the chain stays by its address. */
export const walletSteps: readonly Step<WalletSought>[] = [
  // With them go refresh tokens and tickets.
  deleted('owner_session', ({ wallet }) => sql`wallet_address = ${wallet}`),
  deleted('push_subscription', its),
  deleted('wallet_follow', its),
  deleted('wallet_watch', its),
  deleted('wallet_alert', its),
  deleted('challenge', ({ wallet }) => sql`wallet_address = ${wallet}`),
  deleted('idempotent_answer', ({ wallet }) => sql`scope like ${`wallet:${wallet} %`}`),
  deleted('wallet_balance', ({ wallet }) => sql`address = ${wallet}`),
  deleted('stale_value', ({ wallet }) => sql`address = ${wallet} and not is_subject`),
  special(
    'static_signature',
    'deleted',
    async (db, deps, { wallet }) => {
      const rows = await db.many<Pick<StaticText, 'purpose' | 'name'>>(
        sql`delete from static_signature where wallet_address = ${wallet} returning purpose, name`,
      )
      for (const row of rows) await holdName(db, deps, heldSignature({ wallet, ...row }))
      return part(rows.length)
    },
    ({ wallet }) => sql`wallet_address = ${wallet}`,
  ),
  special(
    'skill_use',
    'deleted',
    async (db, _, { wallet }) => {
      const rows = await db.many<{ skill_id: string }>(
        sql`select skill_id from skill_use where wallet = ${wallet} order by skill_id limit ${ROWS_AT_ONCE}`,
      )
      for (const { skill_id: id } of rows) await removeUse(db, { walletAddress: wallet }, { id })
      return part(rows.length)
    },
    its,
  ),
  emptied('wallet_ban', its, ({ wallet }, deps) => sql`wallet = ${erasedForm(deps, wallet)}, reason = ''`),
  emptied(
    'decision',
    ({ wallet }) => sql`decided_by = ${wallet}`,
    () => sql`decided_by = 'erased'`,
  ),
  emptied(
    'appeal',
    ({ wallet }) => sql`answered_by = ${wallet}`,
    () => sql`answered_by = 'erased'`,
  ),
  reportsBy(),
  leaveAudit,
  leaveRefusals,
]
