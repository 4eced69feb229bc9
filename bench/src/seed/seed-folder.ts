import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { OpenDatabase } from '@rookery/server/foundation/db/connect'
import type { Secrets } from '@rookery/server/foundation/secrets'
import type { BenchDatabase } from '../postgres/open.js'
import { readSample } from './sample.js'
import type { SeedRequest } from './seed-checkout.js'

// A process of its own: another checkout seeds with its own code, whose schema may be another one. Everything that
// knows the schema is therefore loaded from the checkout that is asked for.
const { checkout, databaseUrl, dataDir, secret, sizes, sampleFile } = JSON.parse(process.argv[2] ?? '') as SeedRequest

interface Checkout {
  readonly connect: {
    openPostgres(url: string, options: object): OpenDatabase
    /** Older checkouts have none. */
    readonly noDeadlines?: object
    openEmbedded(dataDir: string): Promise<OpenDatabase>
  }
  readonly secrets: { createSecrets(root: string): Secrets }
  readonly seeding: { seed(database: BenchDatabase, sizes: object, options: { quiet: boolean }): Promise<void> }
}

const { connect, secrets, seeding } = await load()
const opened =
  databaseUrl === undefined
    ? await connect.openEmbedded(join(dataDir, 'database'))
    : connect.openPostgres(databaseUrl, { deadlines: connect.noDeadlines })
const database = { ...opened, url: databaseUrl ?? '', secret, secrets: secrets.createSecrets(secret) }
try {
  await seeding.seed(database, sizes, { quiet: true })
  await writeFile(sampleFile, JSON.stringify(await readSample(opened.pool)))
} finally {
  await opened.close()
}

async function load(): Promise<Checkout> {
  const from = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  return {
    connect: await from('server/src/foundation/db/connect.ts'),
    secrets: await from('server/src/foundation/secrets.ts'),
    seeding: await from('bench/src/seed/command.ts'),
  }
}
