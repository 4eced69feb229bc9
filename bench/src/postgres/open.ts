import { randomBytes } from 'node:crypto'
import {
  createSecrets,
  noDeadlines,
  type OpenDatabase,
  openPostgres,
  readOrMakeSecret,
  type Secrets,
} from '@rookery/server/database'
import { UsageError } from '@rookery/tooling/command'
import { KEPT_FOLDER, startKeptPostgres } from './kept-postgres.js'

/** The database of a command, and the secret that its keys are hashed with. */
export interface BenchDatabase extends OpenDatabase {
  readonly url: string
  readonly secret: string
  readonly secrets: Secrets
}

/** The options that say where the database is. */
export const databaseOptions = { 'private-postgres': false, folder: KEPT_FOLDER }

export const databaseOptionLines = [
  ['--private-postgres', 'start a private PostgreSQL server; without it DATABASE_URL says where the database is'],
  ['--folder <path>', `where that server keeps its data (default ${KEPT_FOLDER})`],
] as const

interface Options {
  readonly 'private-postgres': boolean
  readonly folder: string
}

/** Opens a database made for one run. */
export function openAt(url: string, { poolSize = 4 } = {}): BenchDatabase {
  const secret = randomBytes(32).toString('hex')
  return { ...openPostgres(url, { poolSize, deadlines: noDeadlines }), url, secret, secrets: createSecrets(secret) }
}

export async function openBenchDatabase(options: Options, { poolSize = 4 } = {}): Promise<BenchDatabase> {
  const { DATABASE_URL, SERVER_SECRET, DATA_DIR } = process.env
  if (!options['private-postgres'] && !DATABASE_URL)
    throw new UsageError('Set DATABASE_URL, or use --private-postgres to start a private server.')
  const server = options['private-postgres'] ? await startKeptPostgres(options.folder) : undefined
  const url = server?.url('postgres') ?? DATABASE_URL ?? ''
  const secret = SERVER_SECRET ?? (await readOrMakeSecret(server?.folder ?? DATA_DIR ?? '.data'))
  const database = openPostgres(url, { poolSize, deadlines: noDeadlines })
  return {
    ...database,
    url,
    secret,
    secrets: createSecrets(secret),
    async close() {
      await database.close()
      await server?.stop()
    },
  }
}
