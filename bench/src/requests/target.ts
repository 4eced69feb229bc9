import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type OpenDatabase, openPostgres } from '@rookery/server/database'
import { type Program, startProgram } from '../program/start-program.js'
import { seededApiKey } from '../seed/people.js'
import type { SeedPlan } from '../seed/plan.js'
import { seedCheckout } from '../seed/seed-checkout.js'
import type { RequestData } from './workloads.js'

const THIS_CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
// What is never reached is counted all the same.
const UNREACHED = '999999999'
const PRODUCTION = {
  LOG_LEVEL: 'info',
  RATE_LIMIT_READS: UNREACHED,
  RATE_LIMIT_WRITES: UNREACHED,
  RATE_LIMIT_SEARCHES: UNREACHED,
  RATE_LIMIT_ALL_NEW_SEARCHES: UNREACHED,
  RATE_LIMIT_DOCUMENTS: UNREACHED,
  RATE_LIMIT_DAILY_FOLLOWS: UNREACHED,
  RATE_LIMIT_DAILY_LIKES: UNREACHED,
  REPEATED_POSTS_PER_HOUR: '20',
}
const SEARCH_READY_MS = 120_000

/** A measured program on its own database. */
export interface Target {
  readonly name: string
  readonly url: string
  readonly pid: number
  /** Absent for the embedded database, which runs inside the program. */
  readonly database: (OpenDatabase & { readonly url: string; readonly secret: string }) | undefined
  readonly data: RequestData
  /** How many requests of each workload have been used. */
  readonly used: Map<string, number>
  /** Empties the file with the program's log, which would fill the disk in a long run. */
  clearLog(): Promise<void>
  stop(): Promise<void>
}

export interface TargetOptions {
  readonly name: string
  /** Default: this one. */
  readonly checkout?: string
  /** Absent for the embedded database. */
  readonly databaseUrl?: string
  readonly sizes: SeedPlan
  /** Default: the local model. */
  readonly embeddings?: Readonly<Record<string, string>>
  /** How many web processes. Default: one. */
  readonly processes?: number
  /** Whether it logs only warnings, and counts neither calls nor repeated texts. */
  readonly isUnlimited?: boolean
}

/** A seeded database on which programs can be started repeatedly. */
export interface Ground {
  start(nodeFlags?: readonly string[]): Promise<Target>
  remove(): Promise<void>
}

export async function prepareGround({
  name,
  checkout,
  databaseUrl,
  sizes,
  embeddings = {},
  isUnlimited = false,
  processes = 1,
}: TargetOptions): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rookery-bench-'))
  const secret = randomBytes(32).toString('hex')
  const seeding = { checkout: checkout ?? THIS_CHECKOUT, dataDir, secret, sizes }
  const sample = await seedCheckout({ ...seeding, ...(databaseUrl !== undefined && { databaseUrl }) })
  const keys = sample.agentNumbers.map((n) => seededApiKey(sizes.seed, n))
  const used = new Map<string, number>()
  const logFile = join(dataDir, 'program.log')
  const env = {
    SERVER_SECRET: secret,
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...embeddings,
    ...(!isUnlimited && PRODUCTION),
    ...(processes > 1 && { WEB_PROCESSES: `${processes}` }),
  }
  return {
    async start(nodeFlags = []) {
      const program = await startProgram(env, {
        dataDir,
        logFile,
        nodeFlags,
        ...(checkout !== undefined && { checkout }),
      })
      const database =
        databaseUrl === undefined
          ? undefined
          : { ...openPostgres(databaseUrl, { poolSize: 2 }), url: databaseUrl, secret }
      await waitForSearch(program)
      return {
        name,
        url: program.url,
        pid: program.pid,
        database,
        data: { ...sample, keys },
        used,
        clearLog: () => truncate(logFile),
        async stop() {
          await database?.close()
          await program.stop()
        },
      }
    },
    remove: () => rm(dataDir, { recursive: true, force: true }),
  }
}

// Once search answers, texts without a vector are in the job queue.
async function waitForSearch({ url }: Program): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const { status } = await fetch(`${url}/v1/tweets/search?q=weather`)
    if (status === 200) return
    if (performance.now() - startedAt > SEARCH_READY_MS) throw new Error(`Search still answers ${status}`)
    await wait(100)
  }
}
