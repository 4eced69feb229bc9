import { readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChain } from '@rookery/embedded-chain/test/market'
import { type OpenDatabase, openEmbedded, openPostgres } from '../../src/foundation/db/connect.js'
import { migrate } from '../../src/foundation/db/migrate.js'
import { MIGRATIONS } from '../../src/foundation/db/migrations.js'
import { findIdentity } from '../../src/foundation/folder/identity.js'
import { createTestClock } from '../clock.js'
import { createShareMarket, OPERATOR_PRIVATE_KEY, type ShareMarket } from '../share-market.js'
import { startServerOn } from '../start-server.js'
import { type Answered, answer, type Question } from './questions.js'
import { loadRows } from './rows.js'

// The data of each release in its own folder: rows.sql, chain/, answers.json and release.json. `npm run release` creates it.

export const KEPT_RELEASES = fileURLToPath(new URL('../released', import.meta.url))

/** What is needed to use the data. The secrets protect nothing real. */
export interface KeptRelease {
  readonly version: string
  /** The time at which the questions were asked. */
  readonly askedAt: string
  readonly migrations: readonly string[]
  readonly serverSecret: string
  readonly apiKeys: Readonly<Record<string, string>>
}

type Env = { readonly DATA_DIR: string; readonly DATABASE_URL?: string }

/** The folder of the chain, which a test starts separately: a data folder without its database would be refused. */
export const marketOf = ({ DATA_DIR }: Env) => join(DATA_DIR, 'market')

const WEB_URL = 'http://rookery.test'

export function listKeptReleases(): string[] {
  return readdirSync(KEPT_RELEASES)
}

export async function readKept<T>(version: string, name: string): Promise<T> {
  return JSON.parse(await readFile(join(KEPT_RELEASES, version, name), 'utf8')) as T
}

/** Writes readable JSON that gives line-by-line diffs. */
export function writeKept(folder: string, name: string, content: object): Promise<void> {
  return writeFile(join(folder, name), `${JSON.stringify(content, null, 2)}\n`)
}

/** Fills an empty data folder and database with the data of a release. */
export async function placeRelease(folder: string, { migrations }: KeptRelease, env: Env): Promise<void> {
  await cp(join(folder, 'chain'), join(marketOf(env), 'chain'), { recursive: true })
  const database = await openDatabase(env)
  const released = await mkdtemp(join(tmpdir(), 'rookery-released-'))
  try {
    for (const name of migrations) await cp(join(MIGRATIONS, name), join(released, name))
    await migrate(database.pool, { folder: released })
    const client = await database.pool.connect()
    await loadRows(client, await readFile(join(folder, 'rows.sql'), 'utf8')).finally(() => client.release())
    const identity = await findIdentity(database.db)
    // The rest is rebuilt at the start.
    if (identity) await writeKept(env.DATA_DIR, 'manifest.json', { id: identity, format: 1 })
  } finally {
    await database.close()
    await rm(released, { recursive: true })
  }
}

async function openDatabase({ DATA_DIR, DATABASE_URL }: Env): Promise<OpenDatabase> {
  if (DATABASE_URL) return openPostgres(DATABASE_URL)
  await mkdir(DATA_DIR, { recursive: true })
  return openEmbedded(join(DATA_DIR, 'database'), { image: undefined })
}

/** The current version on such data. */
export interface Successor extends ShareMarket {
  ask(questions: readonly Question[]): Promise<Answered[]>
}

export async function startOnRelease({ serverSecret, apiKeys, askedAt }: KeptRelease, env: Env): Promise<Successor> {
  const { chain, market, stop } = await startMarket(env, serverSecret, new Date(askedAt))
  const { server } = market
  return {
    ...market,
    async ask(questions) {
      const names = new Set(questions.flatMap(({ as }) => /^owner of (.*)/.exec(as)?.[1] ?? []))
      const owners = new Map<string, Awaited<ReturnType<typeof server.seed.login>>>()
      for (const name of names) owners.set(name, await server.seed.login(name))
      return answer(questions, (as) => {
        const [kind, name = ''] = as.split(/ (?:of )?/)
        if (kind === 'owner') return owners.get(name)?.client ?? server.client()
        return server.client(kind === 'agent' ? { apiKey: apiKeys[name] ?? '' } : {})
      })
    },
    chain,
    stop,
  }
}

/** Server and chain. */
export async function startMarket(env: Env, serverSecret: string, at: Date) {
  const chain = await startChain(marketOf(env))
  const server = await startServerOn(
    { ...env, SERVER_SECRET: serverSecret },
    {
      env: { OPERATOR_PRIVATE_KEY, WEB_URL, ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' },
      replace: { embeddedChain: chain, clock: createTestClock(at) },
    },
  ).catch(async (error) => {
    await chain.close()
    throw error
  })
  const market = createShareMarket(server, chain)
  return {
    chain,
    market,
    async stop() {
      await market.stop()
      await server.stop()
      await chain.close()
    },
  }
}
