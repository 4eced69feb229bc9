import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OpenDatabase, Secrets } from '@rookery/server/database'
import type { BenchDatabase } from '../postgres/open.js'
import { readSample } from './sample.js'
import type { SeedRequest } from './seed-checkout.js'

// Runs in its own process: another checkout seeds with its own code, which may have another schema. Everything that
// depends on the schema is therefore loaded from that checkout.
const { checkout, databaseUrl, dataDir, secret, sizes, sampleFile } = JSON.parse(process.argv[2] ?? '') as SeedRequest

// Fewer are there within seconds.
const MANY_TWEETS = 100_000

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
  await writeFile(sampleFile, JSON.stringify(await readSample(opened.pool)))
} finally {
  await opened.close()
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
