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

/** The data that the program is killed on. */
export interface Ground {
  readonly sample: Sample
  start(): Promise<Program>
  /** Looks at the database while no program runs on it, and leaves it to the program to repair what a kill left. */
  look<T>(work: (pool: Pool) => Promise<T>): Promise<T>
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
    // What a killed program leaves behind goes with the folder.
    TMPDIR: dataDir,
    EMBEDDINGS: embeddings.url,
    EMBEDDINGS_MODEL: 'cheap',
    // What was written a moment ago is looked for.
    SHARED_ANSWERS_MS: '0',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  return {
    sample,
    start: () => startProgram(env, { dataDir }),
    look: (work) => (databaseUrl === undefined ? lookAtCopy(dataDir, work) : lookAtServer(databaseUrl, work)),
    async remove() {
      embeddings.stop()
      await server?.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function lookAtServer<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
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

// To open a database is to repair it. That is for the program to do, so the copy is opened.
async function lookAtCopy<T>(dataDir: string, work: (pool: Pool) => Promise<T>): Promise<T> {
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
