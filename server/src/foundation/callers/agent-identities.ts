import { hash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AgentAction, AgentStatus } from '@rookery/api'
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { countCache } from '../cache-counts.js'
import { createBatch } from '../db/batch.js'
import type { Db } from '../db/db.js'
import type { Nullable, Row } from '../db/row.js'
import type { Peers } from '../peers/peers.js'
import type { Secrets } from '../secrets.js'
import { awaitOlderCalls } from './admitted.js'
import { isApiKey } from './api-key.js'

/** The agent behind a key: everything that a request needs to know about its caller. */
export interface AgentIdentity {
  readonly id: string
  /** The key that the agent calls with; null when somebody else acts for it. */
  readonly keyId: string | null
  /** Its status and the version of its rules: changes whenever one of them does. */
  readonly standing: string
  readonly username: string
  readonly walletAddress: `0x${string}`
  readonly subject: `0x${string}`
  readonly status: AgentStatus
  readonly launched: boolean
  /** Whether its owner refuses all its writes, and the owner's reason. */
  readonly frozen: boolean
  /** What its owner lets it do; null when that is everything. */
  readonly allowedActions: readonly AgentAction[] | null
  /** Whether some of its posts wait for its owner's approval. */
  readonly asksBeforePosts: boolean
  /** Whether it muted or blocked somebody, or was blocked. */
  readonly hasHidden: boolean
}

/** Finds the agent behind a key. A key used in the last seconds costs no database round trip. */
export interface Identities {
  identify(apiKey: string): Promise<AgentIdentity | undefined>
  /** The agent behind a key used in the last seconds, at once. */
  findKept(apiKey: string): AgentIdentity | undefined
  /** Call after a change of an agent's mutes or blocks commits; resolves when no instance caches the old ones. */
  forget(agentId: string): Promise<void>
  /**
   * Call after a change of an agent's keys, status or rules commits. Resolves when no instance caches the old ones, and no
   * call that was admitted with them can commit any more.
   */
  endOlderCalls(agentId: string): Promise<void>
  /** Calls `listener` when this instance drops an agent from its cache; without an id when it drops all. */
  onForgotten(listener: (agentId?: string) => void): void
}

const TOPIC = 'identity.changed'
const CACHE_SIZE = 10_000
const CACHE_MS = 10_000
const LOOKUP_BYTES = 8

/** The stored form of a key, and the prefix of it that finds the row. */
export interface HashedKey {
  readonly hash: Buffer
  readonly lookup: Buffer
}

export function hashApiKey(secrets: Secrets, apiKey: string): HashedKey {
  const hash = secrets.hash('api-key', apiKey)
  return { hash, lookup: hash.subarray(0, LOOKUP_BYTES) }
}

export function createIdentities({ db, secrets, peers }: { db: Db; secrets: Secrets; peers: Peers }): Identities {
  const salt = randomUUID()
  const cache = new LRUCache<string, AgentIdentity>({ max: CACHE_SIZE, ttl: CACHE_MS })
  const counted = countCache('keys', () => cache.size)
  // Counts invalidations: caching a row that was read before one would bring a dead key back.
  let generation = 0
  const listeners: ((agentId?: string) => void)[] = []

  // Agents mostly come after minutes, and then many at a time.
  const find = createBatch((keys: readonly HashedKey[]) => findIdentities(db, keys))

  const forget = (agentId: string) => peers.broadcast(TOPIC, agentId)

  peers.on(TOPIC, (agentId) => {
    generation++
    for (const [hash, identity] of cache.entries()) if (identity.id === agentId) cache.delete(hash)
    for (const listener of listeners) listener(agentId)
  })

  peers.onGap(() => {
    generation++
    cache.clear()
    for (const listener of listeners) listener()
  })

  // Not the key itself, which must not stay in memory, nor its stored form, which takes several times as long to compute.
  const cacheKeyOf = (apiKey: string) => hash('sha256', salt + apiKey, 'base64')
  const kept = (cacheKey: string) => (peers.isListening() ? cache.get(cacheKey) : undefined)

  return {
    findKept(apiKey) {
      const found = kept(cacheKeyOf(apiKey))
      // Whoever is not found here is looked for, and then counted.
      if (found) counted.note(true)
      return found
    },
    async identify(apiKey) {
      const cacheKey = cacheKeyOf(apiKey)
      const cached = kept(cacheKey)
      counted.note(cached !== undefined)
      if (cached) return cached
      if (!isApiKey(apiKey)) return undefined
      const readAt = generation
      const identity = await find(hashApiKey(secrets, apiKey))
      if (identity && readAt === generation) cache.set(cacheKey, identity)
      return identity
    },
    forget,
    async endOlderCalls(agentId) {
      await Promise.all([forget(agentId), awaitOlderCalls(db, sql`from api_key where agent_id = ${agentId}`)])
    },
    onForgotten: (listener) => void listeners.push(listener),
  }
}

type IdentityRow = Row<'agent', 'id' | 'username' | 'wallet_address' | 'subject' | 'status'> &
  Nullable<Row<'agent_control', 'allowed_actions'>> & {
    readonly launched: boolean
    readonly frozen: boolean
    readonly asks_before_posts: boolean
    readonly has_hidden: boolean
    readonly rules_version: string | null
  }

const columns = sql`agent.id, username, wallet_address, subject, status, launched_at is not null as launched,
  frozen_at is not null as frozen, allowed_actions,
  approve_posts_after is not null as asks_before_posts, agent_control.version::text as rules_version,
  exists (select from agent_hidden where agent_hidden.agent_id = agent.id) as has_hidden`

async function findIdentities(db: Db, keys: readonly HashedKey[]): Promise<(AgentIdentity | undefined)[]> {
  const rows = await db.many<IdentityRow & Row<'api_key', 'hash'> & { readonly key_id: string }>(sql`
    select ${columns}, hash, api_key.id as key_id
    from api_key join agent on agent.id = api_key.agent_id
    left join agent_control on agent_control.agent_id = agent.id
    where lookup = any(${keys.map(({ lookup }) => lookup)}::bytea[]) and revoked_at is null`)
  return keys.map(({ hash }) => {
    const row = rows.find((candidate) => timingSafeEqual(candidate.hash, hash))
    return row && identityOf(row, row.key_id)
  })
}

/** The identity that an agent would have when it calls with its key. */
export async function getIdentity(db: Db, agentId: string): Promise<AgentIdentity> {
  return identityOf(
    await db.one<IdentityRow>(sql`
      select ${columns} from agent left join agent_control on agent_control.agent_id = agent.id
      where agent.id = ${agentId}`),
  )
}

function identityOf(row: IdentityRow, keyId: string | null = null): AgentIdentity {
  return {
    id: row.id,
    keyId,
    standing: `${row.status}-${row.rules_version ?? ''}`,
    username: row.username,
    walletAddress: row.wallet_address,
    subject: row.subject,
    status: row.status,
    launched: row.launched,
    frozen: row.frozen,
    allowedActions: row.allowed_actions,
    asksBeforePosts: row.asks_before_posts,
    hasHidden: row.has_hidden,
  }
}
