import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type EmbeddedChain, startEmbeddedChain } from '@rookery/embedded-chain'
import { startProgram } from '@rookery/tooling/start-program'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startCheapEmbeddings } from '../program/cheap-embeddings.js'
import type { Sample } from '../seed/sample.js'
import { seedCheckout } from '../seed/seed-checkout.js'
import { type Clock, createClock } from './clock.js'
import type { Findings } from './findings.js'
import { type Front, openFront } from './front.js'
import { type Line, openLine } from './line.js'
import { type ChaosPostgres, startChaosPostgres } from './postgres.js'
import { type ChaosRedis, startChaosRedis } from './redis.js'
import { type Supervised, supervise } from './supervisor.js'

export type Dependency = 'postgres' | 'redis' | 'chain'

/** A program with its own lines to its dependencies, and a clock that can be set. */
export interface Member extends Supervised {
  /** Only a web process answers here. */
  readonly url: string
  readonly lines: Readonly<Record<Dependency, Line>>
  readonly clock: Clock
}

export interface Stage {
  readonly sample: Sample
  /** The newest event before the clients start. */
  readonly lastEventId: number
  readonly front: Front
  readonly webs: readonly Member[]
  readonly worker: Member
  readonly postgres: ChaosPostgres
  readonly redis: ChaosRedis
  readonly chain: EmbeddedChain
  /** Stops everything that is still running. */
  remove(): Promise<void>
}

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
/** The seed of the data, independent of the seed of the faults. */
export const SEED = 1
const SIZES = { agents: 80, tweets: 300, follows: 600, likes: 600, seed: SEED }
const READY_WITHIN_MS = 60_000

interface Options {
  readonly findings: Findings
  /** Whether PostgreSQL's disk can be filled. */
  readonly disk: boolean
}

/** Starts two web processes and a worker with dependencies of their own. */
export async function buildStage({ findings, disk }: Options): Promise<Stage> {
  const opened: (() => Promise<unknown>)[] = []
  const remove = async () => {
    for (const close of opened.splice(0).reverse()) await close()
  }
  try {
    return { ...(await buildAll(findings, disk, opened)), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function buildAll(findings: Findings, disk: boolean, opened: (() => Promise<unknown>)[]) {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-chaos-'))
  opened.push(() => rm(folder, { recursive: true, force: true }))
  const operatorKey = generatePrivateKey()
  const [{ postgres, ...seeded }, redis, chain, embeddings] = await Promise.all([
    startPostgresWithData(folder, disk, opened),
    startChaosRedis(),
    startChain(folder, operatorKey),
    startCheapEmbeddings(),
  ])
  opened.push(
    () => redis.remove(),
    () => chain.close(),
    async () => embeddings.stop(),
  )

  const env = {
    SERVER_SECRET: seeded.secret,
    EMBEDDINGS: embeddings.url,
    EMBEDDINGS_MODEL: 'cheap',
    // Reads must see what was written a moment ago.
    SHARED_ANSWERS_MS: '0',
    // Nobody logs in.
    SOCIAL_NETWORK: 'x-oembed',
    CHAIN_ID: `${chain.chainId}`,
    CONTRACT_ADDRESS: chain.contract,
    PRICE_FEED: chain.priceFeed,
    OPERATOR_PRIVATE_KEY: operatorKey,
  }

  async function startMember(name: string, role: 'web' | 'worker'): Promise<Member> {
    const lines = {
      postgres: await openLine({ path: postgres.socket }),
      redis: await openLine({ path: redis.socket }),
      chain: await openLine({ port: Number(new URL(chain.rpcUrl).port), host: '127.0.0.1' }),
    }
    for (const line of Object.values(lines)) opened.push(() => line.close())
    const dataDir = join(folder, name.replace(' ', '-'))
    const clock = createClock(join(folder, `${name.replace(' ', '-')}.clock`), () => member.signal('SIGUSR2'))
    const port = await findFreePort()
    const start = () =>
      startProgram({
        dataDir,
        nodeFlags: clock.nodeFlags,
        readyWithinMs: READY_WITHIN_MS,
        env: {
          ...env,
          ROLE: role,
          PORT: `${port}`,
          TMPDIR: folder,
          DATABASE_URL: `postgresql://postgres@127.0.0.1:${lines.postgres.port}/postgres`,
          REDIS_URL: `redis://127.0.0.1:${lines.redis.port}`,
          CHAIN_RPC_URL: `http://127.0.0.1:${lines.chain.port}`,
        },
      })
    const supervised = await supervise(name, start, findings)
    const member: Member = Object.assign(supervised, { url: `http://127.0.0.1:${port}`, lines, clock })
    opened.push(() => member.stop())
    return member
  }

  const [first, second, worker] = await Promise.all([
    startMember('web 1', 'web'),
    startMember('web 2', 'web'),
    startMember('the worker', 'worker'),
  ])
  const webs = [first, second]
  const front = await openFront(webs.map(({ url }) => Number(new URL(url).port)))
  opened.push(() => front.close())
  return { ...seeded, postgres, redis, chain, webs, worker, front }
}

async function startPostgresWithData(folder: string, disk: boolean, opened: (() => Promise<unknown>)[]) {
  const postgres = await startChaosPostgres({ disk })
  opened.push(() => postgres.remove())
  const secret = randomBytes(32).toString('hex')
  const sizes = { ...SIZES, until: Date.now() }
  const sample = await seedCheckout({ checkout: CHECKOUT, dataDir: folder, secret, sizes, databaseUrl: postgres.url })
  const [log] = await postgres.run<{ last_id: string }>('select last_id from event_log')
  return { postgres, secret, sample, lastEventId: Number(log?.last_id ?? 0) }
}

async function startChain(folder: string, operatorKey: `0x${string}`): Promise<EmbeddedChain> {
  const operator = privateKeyToAccount(operatorKey).address
  const log = { info: () => {}, error: () => {} }
  const chain = await startEmbeddedChain({ dataDir: folder, port: 0, operator, bankKey: generatePrivateKey(), log })
  await chain.ready
  return chain
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

export function membersOf({ webs, worker }: Stage): readonly Member[] {
  return [...webs, worker]
}

/** Waits until all programs are running; false if that takes too long. */
export async function waitUntilUp(stage: Stage, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    if (membersOf(stage).every(({ isUp }) => isUp)) return true
    await wait(20)
  }
  return false
}
