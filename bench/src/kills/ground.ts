import { randomBytes } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noDeadlines, openEmbedded, openPostgres } from '@rookery/server/database'
import { startPostgres } from '@rookery/tooling/require-postgres'
import type { Pool } from 'pg'
import { startCheapEmbeddings } from '../program/cheap-embeddings.js'
import { type Program, startProgram } from '../program/start-program.js'
import type { Sample } from '../seed/sample.js'
import { seedCheckout } from '../seed/seed-checkout.js'

export type Engine = 'postgres' | 'embedded'

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
export const SEED = 1
const SIZES = { agents: 60, tweets: 300, follows: 400, likes: 600, seed: SEED }

/** The data that the killed programs share. */
export interface Ground {
  readonly sample: Sample
  start(): Promise<Program>
  /** Reads the database while no program uses it, and leaves the recovery after a kill to the next program. */
  inspect<T>(work: (pool: Pool) => Promise<T>): Promise<T>
  remove(): Promise<void>
}

export async function prepareGround(engine: Engine): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-kills-'))
  const server = engine === 'postgres' ? await startPostgres() : undefined
  const databaseUrl = server?.url('postgres')
  const embeddings = await startCheapEmbeddings()
  const secret = randomBytes(32).toString('hex')
  const database = databaseUrl === undefined ? {} : { databaseUrl }
  const sizes = { ...SIZES, until: Date.now() }
  const sample = await seedCheckout({ checkout: CHECKOUT, dataDir, secret, sizes, ...database })
  const env = {
    SERVER_SECRET: secret,
    // A killed program's temporary files are removed with the folder.
    TMPDIR: dataDir,
    EMBEDDINGS: embeddings.url,
    EMBEDDINGS_MODEL: 'cheap',
    // Reads must see what was written a moment ago.
    SHARED_ANSWERS_MS: '0',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  return {
    sample,
    start: () => startProgram(env, { dataDir }),
    inspect: (work) => (databaseUrl === undefined ? inspectCopy(dataDir, work) : inspectServer(databaseUrl, work)),
    async remove() {
      embeddings.stop()
      await server?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function inspectServer<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const { pool, close } = openPostgres(url, { poolSize: 1, deadlines: noDeadlines })
  try {
    // PostgreSQL finishes what a killed client had sent before it notices.
    const others = `select from pg_stat_activity
      where backend_type = 'client backend' and datname = current_database() and pid <> pg_backend_pid()`
    while ((await pool.query(others)).rowCount) await wait(20)
    return await work(pool)
  } finally {
    await close()
  }
}

// Opening a database recovers it. The program under test has to do that itself, so this opens a copy.
async function inspectCopy<T>(dataDir: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'rookery-kills-copy-'))
  try {
    await cp(join(dataDir, 'database'), copy, { recursive: true, filter: (file) => !lstatSync(file).isSocket() })
    const { pool, close } = await openEmbedded(copy)
    try {
      return await work(pool)
    } finally {
      await close()
    }
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}
