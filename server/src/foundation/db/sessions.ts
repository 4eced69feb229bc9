import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { ConfigError } from '../../base/config-error.js'
import { mapOutage } from './away.js'
import { isDirectSql } from './pooler.js'
import { findServers } from './servers.js'

const ANSWER_MS = 5_000
const HEARD_WITHIN_MS = 2_000

/**
 * Proves that a connection receives what is sent to it while it does nothing, as without it the keys that an instance knows
 * would be out of date: through a pooler that hands out servers by transaction, messages reach nobody. Refuses with what to set.
 */
export async function requireSessions(url: string, directUrl: string | undefined): Promise<void> {
  const listener = await connect(directUrl ?? url)
  let sender: Client | undefined
  try {
    // Without a pooler there is nothing to prove.
    if (directUrl === undefined && (await isDirect(listener))) return
    sender = await connect(url)
    const speak = (channel: string) => sender?.query('select pg_notify($1, null)', [channel])
    if (await isHeard(listener, speak)) return
    if (directUrl === undefined) throw new ConfigError(POOLED)
    throw new ConfigError((await areOne(listener, sender)) ? DIRECT_POOLED : DIFFERENT)
  } finally {
    for (const client of [listener, sender]) void client?.end().catch(() => {})
  }
}

const POOLED =
  'DATABASE_URL goes through a pooler that keeps no sessions (such as PgBouncer with pool_mode = transaction), so the messages between ' +
  'instances would be lost: set DATABASE_DIRECT_URL to the address of PostgreSQL itself.'
const DIRECT_POOLED =
  'DATABASE_DIRECT_URL goes through a pooler that keeps no sessions, so the messages between instances would be lost: ' +
  'set it to the address of PostgreSQL itself.'
const DIFFERENT = 'DATABASE_DIRECT_URL and DATABASE_URL are different databases: they must be two ways to the same one.'

async function connect(url: string): Promise<Client> {
  const { connectionString, Client } = findServers(url)
  const client = new Client({
    connectionString,
    application_name: 'rookery-start',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  client.on('error', () => {})
  await mapOutage(client.connect())
  return client
}

/** Whether there is no pooler between this connection and the server. */
export async function isDirect(client: Client): Promise<boolean> {
  const { rows } = await mapOutage(client.query(`select ${isDirectSql(client)} as yes`))
  return rows[0]?.yes === true
}

/** Whether a connection receives a message that `speak` sends to a channel while the connection does nothing. */
export async function isHeard(
  client: Client,
  speak: (channel: string) => Promise<unknown> | undefined,
): Promise<boolean> {
  const channel = `rookery_${randomUUID().replaceAll('-', '')}`
  const heard = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), HEARD_WITHIN_MS)
    client.on('notification', (message) => {
      if (message.channel !== channel) return
      clearTimeout(timer)
      resolve(true)
    })
  })
  await mapOutage(client.query(`listen ${channel}`))
  await mapOutage(Promise.resolve(speak(channel)))
  const isHeard = await heard
  await client.query(`unlisten ${channel}`).catch(() => {})
  return isHeard
}

/** Whether two connections lead to the same database. */
async function areOne(...clients: Client[]): Promise<boolean> {
  const identities = clients.map(async (client) => {
    const { rows } = await client.query(`
      select oid, (select system_identifier from pg_control_system()) as cluster
      from pg_database where datname = current_database()`)
    return JSON.stringify(rows)
  })
  return new Set(await Promise.all(identities)).size === 1
}
