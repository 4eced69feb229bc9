import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import { digestOfErased, type ErasureView } from './erasures.js'
import type { AgentSought, OwnerSought, Sought, WalletSought } from './sought.js'

type FindDeps = Pick<Deps, 'db' | 'secrets'>

type AgentRow = Row<'agent', 'id' | 'username' | 'name' | 'wallet_address' | 'subject' | 'x_username'>

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds an agent by its username or id. */
export async function findAgentToErase({ db }: Pick<FindDeps, 'db'>, name: string): Promise<AgentSought> {
  const wanted = name.replace(/^@/, '').toLowerCase()
  const agent = await db.find<AgentRow>(sql`
    select id, username, name, wallet_address, subject, x_username from agent
    where erased_at is null and ${UUID.test(wanted) ? sql`id = ${wanted}` : sql`username = ${wanted}`}`)
  if (!agent) throw new Problem('AGENT_NOT_FOUND')
  const { id, username, wallet_address: wallet, subject, x_username: xHandle } = agent
  return { kind: 'agent', id, username, name: agent.name, wallet, subject, xHandle }
}

/**
 * Finds an owner by the handle or id of their account, logged in or not. A handle can pass to another account: where several
 * have had it, only the id says who is meant.
 */
export async function findOwnerToErase({ db }: Pick<FindDeps, 'db'>, name: string): Promise<OwnerSought> {
  const wanted = name.replace(/^@/, '').toLowerCase()
  const accounts = await db.many<{ x_id: string }>(sql`
    select x_id from owner where x_id = ${name} or lower(x_handle) = ${wanted}
    union select x_id from agent where x_id = ${name} or (x_id is not null and lower(x_owner_handle) = ${wanted})`)
  const xId = (accounts.find(({ x_id }) => x_id === name) ?? accounts[0])?.x_id ?? null
  if (accounts.length > 1 && xId !== name)
    throw Problem.at(
      'owner',
      `${name} is the handle of several accounts: name one of ${accounts.map(({ x_id }) => x_id).join(', ')}`,
    )
  const owner = await db.find<Row<'owner', 'id' | 'x_handle'>>(sql`select id, x_handle from owner where x_id = ${xId}`)
  const agents = await db.many<Row<'agent', 'id' | 'x_username' | 'x_owner_handle'>>(sql`
    select id, x_username, x_owner_handle from agent
    where erased_at is null and (x_id = ${xId} or (x_id is null and lower(x_username) = ${wanted})) order by id`)
  if (xId === null && agents.length === 0)
    throw Problem.at('owner', `${name} is neither the handle nor the id of an owner`)
  const handles = [owner?.x_handle, ...agents.flatMap((agent) => [agent.x_username, agent.x_owner_handle])]
  return {
    kind: 'owner',
    id: owner?.id ?? null,
    xId,
    handles: [...new Set(handles.flatMap((handle) => handle?.toLowerCase() ?? []))],
    agentIds: agents.map(({ id }) => id),
  }
}

/** The agents that an owner vouches for: whoever only says so may be somebody else’s. */
export async function listAgentsOfOwner({ db }: Pick<FindDeps, 'db'>, { xId }: OwnerSought): Promise<string[]> {
  const rows = await db.many<Row<'agent', 'id'>>(
    sql`select id from agent where x_id = ${xId} and erased_at is null order by id`,
  )
  return rows.map(({ id }) => id)
}

export function walletToErase(address: string): WalletSought {
  if (!/^0x[0-9a-f]{40}$/i.test(address)) throw Problem.at('wallet', 'must be an address: 0x and 40 hex digits')
  return { kind: 'wallet', wallet: address.toLowerCase() as `0x${string}` }
}

/** The agents of a wallet, in the order of their registration. */
export function listAgentsOfWallet(
  { db }: Pick<FindDeps, 'db'>,
  wallet: string,
): Promise<Row<'agent', 'id' | 'username'>[]> {
  return db.many(sql`
    select id, username from agent where wallet_address = ${wallet} and erased_at is null order by created_at, id`)
}

/** Finds in a restored database whom an erasure was about; undefined where there is nobody any more. */
export async function findErased(
  deps: FindDeps,
  { kind, agentId, digest }: Pick<ErasureView, 'kind' | 'agentId' | 'digest'>,
): Promise<Sought | undefined> {
  const isIt = (key: string) => digestOfErased(deps, kind, key).toString('hex') === digest
  if (kind === 'agent') return agentId === null ? undefined : findAgentToErase(deps, agentId).catch(noneIfUnknown)
  const keys = kind === 'owner' ? listAccounts(deps) : listWallets(deps)
  const key = (await keys).find(isIt)
  if (key === undefined) return undefined
  return kind === 'owner' ? findOwnerToErase(deps, key) : walletToErase(key)
}

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error
}

async function listAccounts({ db }: FindDeps): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select x_id as key from owner union select x_id from agent where x_id is not null`)
  return rows.map(({ key }) => key)
}

async function listWallets({ db }: FindDeps): Promise<string[]> {
  const rows = await db.many<{ key: string }>(sql`
    select wallet_address as key from owner_session where wallet_address is not null
    union select wallet from wallet_follow union select wallet from wallet_watch union select wallet from wallet_alert
    union select wallet from push_subscription where wallet is not null union select wallet from wallet_ban
    union select wallet_address from static_signature union select wallet from skill_use
    union select wallet_address from agent`)
  return rows.map(({ key }) => key)
}
