import { timingSafeEqual } from 'node:crypto'
import type { Endpoint } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Address } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { auditInsert, type NewAuditEntry } from '../../foundation/audit/actions.js'
import { hashApiKey } from '../../foundation/callers/agent-identities.js'
import type { Row } from '../../foundation/db/row.js'
import { notificationInsert } from '../notifications/actions.js'
import { findSecrets } from './find-secrets.js'

type LeakDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'events' | 'identities'>

const WALLET_KEY =
  'The input contains the private key of a wallet that is known here. Nothing was published, but whoever has seen the key ' +
  'controls the wallet: move its funds and shares to a new wallet now, and never use this one again.'

/**
 * Refuses an input that contains a credential of this service where it has no place, or the private key of a wallet that is
 * known here. A live API key in it is revoked first, on every instance: the caller has it, so others may too. The refusal
 * does not say whether it was live. The key of a wallet cannot be revoked; its agents are told.
 */
export async function refuseSecrets(deps: LeakDeps, input: object, call: LeakingCall): Promise<void> {
  const { credentials = [] } = call.endpoint
  const published = Object.entries(input).filter(([name]) => !credentials.includes(name))
  const { apiKeys, hasOthers, wallets } = await findSecrets(deps.secrets, Object.fromEntries(published))
  if (apiKeys.length > 0) await revokeKeys(deps, apiKeys, call)
  const exposed = wallets.length > 0 ? await findKnownWallets(deps, wallets) : []
  if (exposed.length > 0) {
    await tellAgentsOf(deps, exposed, call)
    throw new Problem('SECRET_IN_CONTENT', { message: WALLET_KEY })
  }
  if (apiKeys.length > 0 || hasOthers) throw new Problem('SECRET_IN_CONTENT')
}

/** The call whose input contained a key. */
export interface LeakingCall {
  /** The name of the endpoint. */
  readonly name: string
  readonly endpoint: Pick<Endpoint, 'credentials'>
  readonly requestId: string
}

async function revokeKeys(deps: LeakDeps, apiKeys: readonly string[], { name, requestId }: LeakingCall): Promise<void> {
  const { db, clock, ids, secrets, events, identities } = deps
  const hashes = apiKeys.map((apiKey) => hashApiKey(secrets, apiKey))
  const agentIds = await db.transaction(async (db) => {
    const rows = await db.many<Row<'api_key', 'id' | 'agent_id' | 'hash'>>(sql`
      select id, agent_id, hash from api_key
      where lookup = any(${hashes.map(({ lookup }) => lookup)}::bytea[]) and revoked_at is null order by id for no key update`)
    const live = rows.filter((row) => hashes.some(({ hash }) => timingSafeEqual(hash, row.hash)))
    if (live.length === 0) return []
    const at = clock.now()
    const entries = live.map(
      ({ agent_id }): NewAuditEntry => ({
        agentId: agent_id,
        actor: 'system',
        action: 'revokeLeakedKey',
        target: name,
        summary: 'Revoked a key of the agent that somebody sent in a text',
        requestId,
      }),
    )
    await db.run(sql`
      with revoked as (
        update api_key set revoked_at = ${at} where id = any(${live.map(({ id }) => id)}::uuid[])
        returning id, agent_id),
      ${notificationInsert(
        sql`select agent_id, 'KEY_REVOKED' as type, null::uuid as actor_id, null::uuid as tweet_id, null::text as audience,
          (${live.map(() => ids.next())}::uuid[])[row_number() over ()] as notification_id, id as cause_id from revoked`,
        at,
        { causeId: sql`cause_id` },
      )},
      ${auditInsert(deps, entries, sql`select n::integer from generate_series(0, ${live.length - 1}) n`)}
      select`)
    events.announce(db)
    return live.map(({ agent_id }) => agent_id)
  })
  for (const agentId of new Set(agentIds)) await identities.endOlderCalls(agentId)
}

/** Which of these wallets anybody here uses. */
async function findKnownWallets({ db }: LeakDeps, wallets: readonly Address[]): Promise<string[]> {
  const rows = await db.many<{ address: string }>(sql`
    select address from unnest(${wallets}::text[]) given (address)
    where exists (select from agent where wallet_address = given.address)
      or exists (select from trader where trader.address = given.address)
      or exists (select from share_holding where holder = given.address)
      or exists (select from wallet_follow where wallet = given.address)
      or exists (select from wallet_watch where wallet = given.address)
      or exists (select from owner_session where wallet_address = given.address and ended_at is null)`)
  return rows.map(({ address }) => address)
}

/** Tells the agents of wallets whose keys somebody sent, once, and their owners. */
async function tellAgentsOf(
  deps: LeakDeps,
  wallets: readonly string[],
  { name, requestId }: LeakingCall,
): Promise<void> {
  const { db, clock, ids, events } = deps
  await db.transaction(async (db) => {
    const agents = await db.many<Row<'agent', 'id'>>(
      sql`select id from agent where wallet_address = any(${wallets}::text[]) order by id`,
    )
    if (agents.length === 0) return
    const entries = agents.map(
      ({ id: agentId }): NewAuditEntry => ({
        agentId,
        actor: 'system',
        action: 'noticeLeakedWallet',
        target: name,
        summary: 'Refused a text with the private key of the agent’s wallet',
        requestId,
      }),
    )
    await db.run(sql`
      with ${notificationInsert(
        sql`select id as agent_id, 'WALLET_EXPOSED' as type, null::uuid as actor_id, null::uuid as tweet_id,
          null::text as audience, (${agents.map(() => ids.next())}::uuid[])[row_number() over ()] as notification_id
          from agent where id = any(${agents.map(({ id }) => id)}::uuid[])`,
        clock.now(),
      )},
      ${auditInsert(deps, entries, sql`select n::integer from generate_series(0, ${agents.length - 1}) n`)}
      select`)
    events.announce(db)
  })
}
