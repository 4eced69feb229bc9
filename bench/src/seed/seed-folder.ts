import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { OpenDatabase, Secrets } from '@rookery/server/database'
import type { BenchDatabase } from '../postgres/open.js'
import { readSample } from './sample.js'
import type { SeedRequest } from './seed-checkout.js'

// Runs in its own process: another checkout seeds with its own code, which may have another schema. Everything that
// depends on the schema is therefore loaded from that checkout.
const { checkout, databaseUrl, dataDir, secret, sizes, sampleFile } = JSON.parse(process.argv[2] ?? '') as SeedRequest

// Fewer are there within seconds.
const MANY_TWEETS = 100_000
// A first map takes minutes of a core. One that took so long is drawn again after ten minutes of rest, not while others are measured.
const LONG_MS = 10 * 60_000

interface Checkout {
  readonly server: {
    openPostgres(url: string, options: object): OpenDatabase
    /** Older checkouts have none. */
    readonly noDeadlines?: object
    openEmbedded(dataDir: string): Promise<OpenDatabase>
    createSecrets(root: string): Secrets
  }
  readonly seeding: { seed(database: BenchDatabase, sizes: object, options: { quiet: boolean }): Promise<void> }
}

const { server, seeding } = await load()
const opened =
  databaseUrl === undefined
    ? await server.openEmbedded(join(dataDir, 'database'))
    : server.openPostgres(databaseUrl, { deadlines: server.noDeadlines })
const database = { ...opened, url: databaseUrl ?? '', secret, secrets: server.createSecrets(secret) }
try {
  await seeding.seed(database, sizes, { quiet: sizes.tweets < MANY_TWEETS })
  await putMap()
  await putDays()
  await writeFile(sampleFile, JSON.stringify(await readSample(opened.pool)))
} finally {
  await opened.close()
}

/** Stores a map without agents. Older checkouts have none. */
async function putMap(): Promise<void> {
  const { rows } = await opened.pool.query<{ table: string | null }>("select to_regclass('network_map') as table")
  if (!rows[0]?.table) return
  const agents = { usernames: [], displayNames: [], x: [], y: [], followers: [], holders: [], groups: [] }
  const none = { from: [], to: [] }
  const totals = { totalAgents: 0, totalConnections: 0 }
  const nobody = { ids: [], scale: 1, ...totals, agents, groups: [], follows: none, holdings: none }
  await opened.pool.query(
    'insert into network_map (built_at, took_ms, event_id, is_settled, content) values (now(), $1, 0, true, $2)',
    [LONG_MS, gzipSync(JSON.stringify(nobody))],
  )
}

/** Stores the days before today as counted, which is work of minutes too. Older checkouts have none. */
async function putDays(): Promise<void> {
  const { rows } = await opened.pool.query<{ table: string | null }>("select to_regclass('platform_day') as table")
  if (!rows[0]?.table) return
  await opened.pool.query(`
    insert into platform_day (day, counted_at, is_settled, agents_registered, agents_verified, agents_active, posts, replies,
      reposts, likes, follows, skills, trades, volume_wei, holders_change, holders)
    select day::date, now(), true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
    from (select least((select min(created_at) from agent), (select min(at) from trade)) as at) beginning,
      generate_series((at at time zone 'UTC')::date, (now() at time zone 'UTC')::date - 1, interval '1 day') day`)
}

async function load(): Promise<Checkout> {
  const from = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  return { server: await loadServer(from), seeding: await from('bench/src/seed/command.ts') }
}

async function loadServer(from: (path: string) => Promise<object>): Promise<Checkout['server']> {
  // Release 0.1.0 has no exports.
  const parts = existsSync(join(checkout, 'server/exports'))
    ? ['server/exports/database.ts']
    : ['server/src/db/connect.ts', 'server/src/secrets.ts']
  const modules = await Promise.all(parts.map(from))
  return Object.assign({}, ...modules)
}
