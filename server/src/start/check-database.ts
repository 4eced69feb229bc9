import type { Client } from 'pg'
import type { Logger } from 'pino'
import { systemClock } from '../base/clock.js'
import { type Config, poolShare, processNames } from '../config/config.js'
import { awaitPostgres } from '../foundation/db/await-postgres.js'
import { findMissing } from '../foundation/db/migrate.js'
import { findServers } from '../foundation/db/servers.js'
import { requireSessions } from '../foundation/db/sessions.js'
import { type Finding, failed, ok, type Report, run, warning } from './finding.js'

const DOUBTFUL_MS = 5_000
const WRONG_MS = 60_000
const ANSWER_WITHIN_MS = 5_000
// Past a pooler, for work that needs a session.
const SESSIONS = 3

interface State {
  readonly user: string
  readonly database: string
  readonly schema: string | null
  readonly mayCreate: boolean | null
  readonly mayExtend: boolean
  readonly hasVector: boolean
  readonly hasTrigrams: boolean
  readonly mayHaveTrigrams: boolean
  /** Whose our tables are, if they belong to a role that this one does not belong to. */
  readonly owner: string | null
  readonly now: Date
}

// pgvector and pg_trgm are trusted: whoever may create in the database may create them, if the server's files say so too.
const STATE = `
with creatable as (
  select name, bool_or(usesuper.yes or not version.superuser
    or (version.trusted and has_database_privilege(current_database(), 'CREATE'))) as yes
  from pg_available_extension_versions version,
    lateral (select rolsuper as yes from pg_roles where rolname = current_user) usesuper
  where name in ('vector', 'pg_trgm') group by name)
select current_user as user, current_database() as database, current_schema() as schema,
  has_schema_privilege(current_schema(), 'CREATE') as "mayCreate",
  coalesce((select yes from creatable where name = 'vector'), false) as "mayExtend",
  exists (select from pg_extension where extname = 'vector') as "hasVector",
  exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
  coalesce((select yes from creatable where name = 'pg_trgm'), false) as "mayHaveTrigrams",
  (select pg_get_userbyid(relowner) from pg_class
    where oid = to_regclass('migration') and not pg_has_role(relowner, 'USAGE')) as owner,
  clock_timestamp() as now`

/** What PostgreSQL has to be and to allow. Without DATABASE_URL there is nothing to ask. */
export async function databaseChecks(
  config: Config,
  { waitMs, log }: { waitMs: number; log: Pick<Logger, 'warn'> },
): Promise<Report[]> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl } = config
  if (!url) return []
  const reached = await run({
    name: 'PostgreSQL',
    look: async () => {
      await awaitPostgres(url, { waitMs, log })
      if (directUrl) await awaitPostgres(directUrl, { waitMs, log, variable: 'DATABASE_DIRECT_URL' })
      await requireSessions(url, directUrl)
      return ok('it answers, is new enough and has pgvector')
    },
  })
  if (reached.finding.is === 'failed') return [reached]
  const { connectionString, Client } = findServers(directUrl ?? url)
  const client = new Client({
    connectionString,
    query_timeout: ANSWER_WITHIN_MS,
    application_name: 'rookery-start',
  })
  client.on('error', () => {})
  await client.connect()
  try {
    return [reached, ...(await look(client, config))]
  } finally {
    void client.end().catch(() => {})
  }
}

async function look(client: Client, config: Config): Promise<Report[]> {
  const askedAt = systemClock.now().getTime()
  const { rows } = await client.query<State>(STATE)
  const state = rows[0]
  if (!state) throw new Error('PostgreSQL did not say what it allows')
  const apart = state.now.getTime() - (askedAt + systemClock.now().getTime()) / 2
  const clock = { name: 'clock', finding: config.CLOCK === 'system' ? clockFinding(apart) : ok('it is told') }
  const connections = await run({ name: 'connections', look: () => connectionsFinding(client, config) })
  const migrations = await run({ name: 'migrations', look: () => migrationsFinding(client, config) })
  if (migrations.finding.text === UP_TO_DATE || config.MIGRATE === 'never') return [migrations, connections, clock]
  return [
    migrations,
    connections,
    { name: 'extensions', finding: extensionFinding(state) },
    { name: 'privileges', finding: privilegeFinding(state) },
    clock,
  ]
}

/** Only what the program itself needs: others come and go. One process more, as there is while they are replaced. */
async function connectionsFinding(client: Client, config: Config): Promise<Finding> {
  const { length } = processNames(config)
  const each = (config.DATABASE_DIRECT_URL ? SESSIONS : poolShare(config)) + 1
  const needed = (length === 1 ? 1 : length + 1) * each
  const { rows } = await client.query<{ most: number }>(`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most`)
  const most = rows[0]?.most ?? 0
  if (needed <= most) return ok(`it may need ${needed} of ${most}`)
  return failed(
    `The program may need ${needed} connections (${length} processes with ${each} each, and one while it is replaced), and PostgreSQL has ${most}. Raise max_connections, or lower DATABASE_POOL or WEB_PROCESSES.`,
  )
}

const UP_TO_DATE = 'none is missing'

async function migrationsFinding(client: Client, { MIGRATE }: Config): Promise<Finding> {
  const missing = (await findMissing(client)).length
  if (missing === 0) return ok(UP_TO_DATE)
  if (MIGRATE === 'start') return ok(`${missing} are missing, which the start applies`)
  return failed(
    `The database lacks ${missing} migrations of this version, and MIGRATE is never: run rookery-operate migrate first.`,
  )
}

function extensionFinding(state: State): Finding {
  const { database, user, hasVector, mayExtend, hasTrigrams, mayHaveTrigrams } = state
  if (!hasVector && !mayExtend)
    return failed(
      `DATABASE_URL: "${user}" may not create the extension pgvector. Let a superuser run "create extension vector" in the database "${database}".`,
    )
  if (!hasTrigrams && !mayHaveTrigrams)
    return warning(
      `DATABASE_URL: "${user}" cannot create the extension pg_trgm, so names of agents are searched without an index. Let a superuser run "create extension pg_trgm" in the database "${database}" before the first start.`,
    )
  return ok('pgvector and pg_trgm exist or can be created')
}

function privilegeFinding({ user, schema, mayCreate, owner, database }: State): Finding {
  if (schema === null)
    return failed(`DATABASE_URL: "${user}" has no schema to create tables in. Correct its search_path, or create one.`)
  if (!mayCreate)
    return failed(
      `DATABASE_URL: "${user}" may not create tables in the schema "${schema}". Let its owner run "grant create on schema ${schema} to ${user}" in the database "${database}".`,
    )
  if (owner !== null)
    return failed(
      `DATABASE_URL: the tables belong to "${owner}", and "${user}" may not change them. Use that account to migrate, or grant "${user}" its role.`,
    )
  return ok(`"${user}" may create tables in the schema "${schema}"`)
}

export function clockFinding(apartMs: number): Finding {
  const seconds = Math.abs(apartMs / 1000).toFixed(1)
  const text = `The clock of the database is ${seconds} s ${apartMs > 0 ? 'ahead of' : 'behind'} the one of this machine. Set both by NTP.`
  if (Math.abs(apartMs) >= WRONG_MS) return failed(text)
  return Math.abs(apartMs) >= DOUBTFUL_MS ? warning(text) : ok(`the database's and ours are ${seconds} s apart`)
}
