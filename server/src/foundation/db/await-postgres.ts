import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { ConfigError } from '../../base/config-error.js'
import { listServers } from './servers.js'

export interface AwaitOptions {
  /** How long to wait for a server that does not answer yet. */
  readonly waitMs: number
  readonly log: Pick<Logger, 'warn'>
  /** The variable that holds the URL. */
  readonly variable?: 'DATABASE_URL' | 'DATABASE_DIRECT_URL'
}

const OLDEST = 15
const ANSWER_WITHIN_MS = 5_000
const AGAIN_AFTER_MS = 250
const WARN_EVERY_MS = 5_000

/** Resolves when the database can be used. Waits for a server that may still be starting, and logs that it waits. */
export async function awaitPostgres(
  url: string,
  { waitMs, log, variable = 'DATABASE_URL' }: AwaitOptions,
): Promise<void> {
  const begunAt = performance.now()
  let lastWarning = { at: Number.NEGATIVE_INFINITY, what: '' }
  for (;;) {
    const problem = await findProblem(url)
    if (!problem) return
    const now = performance.now()
    const seconds = Math.round((now - begunAt) / 1000)
    if (!problem.mayPass || now - begunAt >= waitMs)
      throw new ConfigError(
        `${variable}: ${problem.what}. ${problem.remedy}${problem.mayPass ? ` Waited for ${seconds} s.` : ''}`,
      )
    if (now - lastWarning.at >= WARN_EVERY_MS || lastWarning.what !== problem.what) {
      log.warn(`Waiting for the database since ${seconds} s: ${problem.what}`)
      lastWarning = { at: now, what: problem.what }
    }
    await wait(AGAIN_AFTER_MS)
  }
}

interface Problem {
  readonly what: string
  readonly remedy: string
  /** Whether waiting may help. */
  readonly mayPass?: boolean
}

/** The problem with a database, if none of its servers can be used. */
async function findProblem(url: string): Promise<Problem | undefined> {
  const problems = await Promise.all(listServers(url).map(findServerProblem))
  const found = problems.filter((problem) => problem !== undefined)
  const [first] = found
  if (!first || found.length < problems.length) return undefined
  if (found.length === 1) return first
  return {
    what: found.map(({ what }) => what).join(', and '),
    remedy: first.remedy,
    mayPass: found.some(({ mayPass }) => mayPass),
  }
}

async function findServerProblem(url: string): Promise<Problem | undefined> {
  const client = new Client({
    connectionString: url,
    application_name: 'rookery-start',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<Server>(SERVER)
    return rows[0] && serverProblem(rows[0], addressOf(client))
  } catch (error) {
    return connectionProblem(error as Error & { code?: string }, client)
  } finally {
    // Not awaited: a server that hangs would not answer this either.
    void client.end().catch(() => {})
  }
}

interface Server {
  readonly version: number
  readonly isReadOnly: boolean
  readonly isStandby: boolean
  readonly available: string | null
  readonly installed: string | null
}

const SERVER = `
select current_setting('server_version_num')::int as version,
       current_setting('transaction_read_only') = 'on' as "isReadOnly",
       pg_is_in_recovery() as "isStandby",
       (select default_version from pg_available_extensions where name = 'vector') as available,
       (select extversion from pg_extension where extname = 'vector') as installed`

function serverProblem(
  { version, isReadOnly, isStandby, available, installed }: Server,
  address: string,
): Problem | undefined {
  const major = Math.floor(version / 10_000)
  if (major < OLDEST)
    return { what: `PostgreSQL ${major} at ${address} is too old`, remedy: `Use version ${OLDEST} or newer.` }
  if (isStandby)
    return {
      what: `PostgreSQL at ${address} takes no writes (a standby)`,
      remedy: 'Promote it, or use the address of the server that does.',
      mayPass: true,
    }
  if (isReadOnly)
    return {
      what: `PostgreSQL at ${address} takes no writes (default_transaction_read_only)`,
      remedy: 'Use the address of the server that does.',
    }
  if (!isNewEnough(installed) && !isNewEnough(available))
    return {
      what: `PostgreSQL at ${address} needs the extension pgvector 0.8 or newer, and ${available ? `has ${available}` : 'does not have it'}`,
      remedy: `Install it on that server (Debian and Ubuntu: apt install postgresql-${major}-pgvector) and start again.`,
    }
  return undefined
}

function isNewEnough(pgvector: string | null): boolean {
  const [major = 0, minor = 0] = pgvector?.split('.').map(Number) ?? []
  return major > 0 || minor >= 8
}

// By the error codes of Node and PostgreSQL. No message may contain the password.
function connectionProblem(error: Error & { code?: string }, client: Client): Problem {
  const address = addressOf(client)
  const { code = '', message } = error
  const { user, database = '' } = client
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return {
      what: `no PostgreSQL listens at ${address}`,
      remedy: 'Start it, or correct host and port.',
      mayPass: true,
    }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      what: `the host of ${address} is unknown (${code})`,
      remedy: 'Correct it.',
      mayPass: code === 'EAI_AGAIN',
    }
  if (code === '57P03')
    return { what: `PostgreSQL at ${address} says: ${message}`, remedy: 'Look at its log.', mayPass: true }
  if (code === '53300')
    return {
      what: `PostgreSQL at ${address} has no connection left (${message})`,
      remedy: 'Raise its max_connections, or lower DATABASE_POOL on the instances.',
      mayPass: true,
    }
  if (code === '3D000')
    return {
      what: `there is no database "${database}" at ${address}`,
      remedy: `Create it (createdb ${database}), or correct the name.`,
    }
  if (code === '28P01')
    return { what: `PostgreSQL at ${address} does not accept the password of "${user}"`, remedy: 'Correct it.' }
  if (/password must be a (non-empty )?string/.test(message))
    return { what: `PostgreSQL at ${address} asks for a password of "${user}"`, remedy: 'Put it into the URL.' }
  if (code.startsWith('28'))
    return {
      what: `PostgreSQL at ${address} does not admit "${user}" (${message})`,
      remedy: 'Correct the account, or admit it in pg_hba.conf.',
    }
  if (/SSL|TLS|certificate/i.test(message) || /CERT/.test(code))
    return {
      what: `PostgreSQL at ${address} and the service do not agree about TLS (${message})`,
      remedy: 'Correct sslmode, or name the certificate with sslrootcert.',
    }
  // A timeout or a cut connection may pass; most other errors from PostgreSQL itself would come again.
  return {
    what: `PostgreSQL at ${address} does not answer (${message || code})`,
    remedy: 'Check host and port, and the firewall between.',
    mayPass: !('severity' in error) || /^(08|57|53)/.test(code),
  }
}

function addressOf({ host, port }: Client): string {
  return host.startsWith('/') ? `${host} (socket of port ${port})` : `${host}:${port}`
}
