import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { banForms, erasedForm, lockWallet } from '../../foundation/callers/wallet-bans.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { undo } from './answer-appeal.js'
import type { DecisionRow } from './cases.js'
import { type DecideDeps, decideIn, finishDecision } from './decide.js'
import { getAnyTarget } from './targets.js'

export type BanDeps = DecideDeps & Pick<Deps, 'sessionTokens'>

/** A ban of a wallet, and the agents that it suspended. */
export interface Ban {
  readonly wallet: string
  readonly reason: string
  readonly bannedAt: string
  readonly liftedAt: string | null
  readonly agents: readonly string[]
}

const REASON = 'The operator has banned the wallet of this agent.'

/**
 * Bans a wallet: suspends its agents, each with a notice that can be appealed, and ends its sessions. Repeating it suspends
 * agents that were let back in meanwhile. `suspendedId` is an agent of it that was suspended just now, as a part of the ban.
 */
export async function banWallet(deps: BanDeps, address: string, reason = REASON, suspendedId?: string): Promise<Ban> {
  const wallet = requireAddress(address)
  const { clock, ids } = deps
  const { decisions, sessions } = await deps.db.transaction(async (db) => {
    await lockWallet(db, wallet)
    const agents = await db.many<Row<'agent', 'id'>>(
      sql`select id from agent where wallet_address = ${wallet} and status <> 'suspended' order by id`,
    )
    const earlier = await db.many<Row<'decision', 'id'>>(sql`
      select id from decision where target_type = 'agent' and target_id = ${suspendedId ?? null}::text and decision = 'suspend'
      order by id desc limit 1`)
    const decisions: DecisionRow[] = []
    for (const { id } of agents) {
      const target = await getAnyTarget({ ...deps, db }, { targetType: 'agent', targetId: id })
      decisions.push(await decideIn(db, deps, target, { decision: 'suspend', reason, decidedBy: 'operator' }))
    }
    await db.run(sql`
      update wallet_ban set wallet = ${wallet} where wallet = ${erasedForm(deps, wallet)} and lifted_at is null`)
    await db.run(sql`
      insert into wallet_ban (id, wallet, reason, banned_at, decision_ids)
      values (${ids.next()}, ${wallet}, ${reason}, ${clock.now()}, ${[...earlier, ...decisions].map(({ id }) => id)}::uuid[])
      on conflict (wallet) where lifted_at is null do update set
        decision_ids = wallet_ban.decision_ids || excluded.decision_ids`)
    const sessions = await db.many<Row<'owner_session', 'id'>>(sql`
      update owner_session set ended_at = ${clock.now()} where wallet_address = ${wallet} and ended_at is null returning id`)
    return { decisions, sessions }
  })
  await deps.sessionTokens.announceEnd(sessions.map(({ id }) => id))
  for (const decision of decisions) await finishDecision(deps, decision)
  return getBan(deps.db, [wallet])
}

/** Lifts the ban of a wallet, and the suspensions that it brought and that still hold. */
export async function unbanWallet(
  deps: BanDeps,
  address: string,
  reason = 'The operator has lifted the ban of the wallet.',
): Promise<Ban> {
  const wallet = requireAddress(address)
  const { ban, undone } = await deps.db.transaction(async (db) => {
    await lockWallet(db, wallet)
    const forms = banForms(deps, wallet)
    const ban = await getBan(db, forms)
    const lifted = await db.one<Row<'wallet_ban', 'decision_ids'>>(sql`
      update wallet_ban set lifted_at = ${deps.clock.now()} where wallet = any(${forms}::text[]) and lifted_at is null returning decision_ids`)
    const decisions = await db.many<DecisionRow>(
      sql`select * from decision where id = any(${lifted.decision_ids}::uuid[]) order by target_id`,
    )
    const undone: DecisionRow[] = []
    for (const decision of decisions) {
      const row = await undo(db, deps, decision, { reason, decidedBy: 'operator' })
      if (row) undone.push(row)
    }
    return { ban, undone }
  })
  for (const decision of undone) await finishDecision(deps, decision)
  return ban
}

/** Lists the bans that hold, or those that were lifted too, newest first. */
export function listBans(db: Db, { all = false } = {}): Promise<Ban[]> {
  return findBans(db, all ? sql`true` : sql`lifted_at is null`)
}

async function getBan(db: Db, forms: readonly string[]): Promise<Ban> {
  const [ban] = await findBans(db, sql`wallet = any(${forms}::text[]) and lifted_at is null`)
  if (!ban) throw Problem.at('wallet', `${forms[0]} is not banned`)
  return ban
}

async function findBans(db: Db, condition: ReturnType<typeof sql>): Promise<Ban[]> {
  const rows = await db.many<Row<'wallet_ban'> & { agents: string[] }>(sql`
    select wallet_ban.*, array(
      select agent.username from decision join agent on agent.id = decision.agent_id
      where decision.id = any(decision_ids) order by 1) as agents
    from wallet_ban where ${condition} order by banned_at desc, id`)
  return rows.map(({ wallet, reason, banned_at, lifted_at, agents }) => ({
    wallet,
    reason,
    bannedAt: banned_at.toISOString(),
    liftedAt: lifted_at?.toISOString() ?? null,
    agents: [...new Set(agents)],
  }))
}

function requireAddress(address: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw Problem.at('wallet', 'must be an address: 0x and 40 hex digits')
  return address.toLowerCase()
}
