import { randomBytes } from 'node:crypto'
import { type Endpoint, endpoints, isPending, PendingApproval, type Topic } from '@rookery/api'
import { type Call, type Client, type ClientOptions, createClient } from '@rookery/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { pino } from 'pino'
import { createApp } from '../src/app.js'
import { atPort, type Config, readConfig } from '../src/config/config.js'
import type { Deps } from '../src/deps.js'
import { type Features, openFeatures } from '../src/features/open-features.js'
import { openPlatform } from '../src/features/platform/open.js'
import type { Post } from '../src/features/webhooks/post.js'
import { createWorker } from '../src/foundation/jobs/worker.js'
import { UNDECLARED } from '../src/http/answer-errors.js'
import { createJobHandlers } from '../src/start/job-handlers.js'
import { openDeps, type Replacements } from '../src/start/open-deps.js'
import { createCheapEmbedder, embeddersOf } from './cheap-embedder.js'
import { createTestClock, type TestClock } from './clock.js'
import { createTestDatabase } from './database.js'
import { listen, type TestListener } from './listen.js'
import { createSeed, type Seed } from './seed.js'

/** The real service on its own database. */
export interface TestServer {
  readonly url: string
  readonly config: Config
  readonly deps: Deps
  readonly features: Features
  readonly clock: TestClock
  readonly seed: Seed
  /** What was logged, line by line. */
  readonly logged: string[]
  /** A client that checks every answer against its schema. */
  client(options?: Partial<ClientOptions>): Client
  /** Listens from now on: events committed before the call are in order by then, so they cannot arrive late. */
  listen(client: Client, topics: readonly Topic[], resume?: string): Promise<TestListener>
  /** Runs the background work that is due. */
  drain(): Promise<number>
  stop(): Promise<void>
}

// No limits and no shared answers.
const FOR_TESTS = {
  SHARED_ANSWERS_MS: '0',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_SEARCHES: '0',
  RATE_LIMIT_DOCUMENTS: '0',
  RATE_LIMIT_SIGN_INS: '0',
  RATE_LIMIT_MEDIA: '0',
  RATE_LIMIT_REGISTRATIONS: '0',
  RATE_LIMIT_VERIFICATIONS: '0',
  RATE_LIMIT_DAILY_FOLLOWS: '0',
  RATE_LIMIT_DAILY_LIKES: '0',
  RATE_LIMIT_DAILY_BLOCKS: '0',
  REPEATED_POSTS_PER_HOUR: '0',
}

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly replace?: Replacements & { readonly post?: Post }
  /** Replaces `fetch` in all clients. */
  readonly fetch?: typeof fetch
}

/** Starts a server on a new database. */
export async function startServer(options: ServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase()
  const server = await startServerOn({ ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }, options)
  return {
    ...server,
    async stop() {
      await server.stop()
      await database.remove()
    },
  }
}

/** Starts a server on a given database, for tests of restarts and of several instances. */
export async function startServerOn(
  database: Readonly<Record<string, string>>,
  { env = {}, replace = {}, fetch: send = fetch }: ServerOptions = {},
): Promise<TestServer> {
  const clock = createTestClock()
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const config = atPort(readConfig({ ...FOR_TESTS, ...database, ...env }), await freePort())
  const embedders = embeddersOf(createCheapEmbedder())
  const deps = await openDeps(config, log, { clock, embeddedChain: 'none', embedders, ...replace })
  const features = openFeatures(deps, replace)
  const app = await createApp(deps, features, { platform: openPlatform(deps, features.hub, 0) })
  const url = await app.listen({ host: '127.0.0.1', port: config.PORT })
  const { db, queue } = deps
  const onError = (kind: string, error: Error) => logged.push(`${kind}: ${error.message}`)
  const worker = createWorker({
    db,
    clock: deps.clock,
    queue,
    handlers: createJobHandlers(deps, features),
    lanes: 1,
    onError,
  })
  // What follows from a write trails it by some milliseconds: a test that writes and then looks waits for that.
  const settled: typeof fetch = async (input, init) => {
    const response = await send(input, init)
    if (init?.method !== 'GET') await deps.orderer.settle()
    return response
  }
  const client = (more: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: url, attempts: 1, onAnswer: checkAnswer, fetch: settled, ...more })
  return {
    url,
    config,
    deps,
    features,
    clock,
    logged,
    client,
    async listen(...listener) {
      await deps.orderer.settle()
      return listen(...listener)
    },
    seed: createSeed(client, () => deps.orderer.settle()),
    drain: () => worker.drain(),
    async stop() {
      await app.close()
      await features.close()
      await deps.close()
      requireDeclared(logged)
    },
  }
}

/** Fails the test file when an endpoint answered with an error that it does not declare. */
function requireDeclared(logged: readonly string[]): void {
  const undeclared = logged.filter((line) => line.includes(UNDECLARED)).map((line) => JSON.parse(line))
  const errors = new Set(undeclared.map(({ route, code }) => `${route} ${code}`))
  if (errors.size > 0) throw new Error(`Errors that their endpoints do not declare: ${[...errors].join(', ')}`)
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))

/** Fails the test when an answer does not match the schema of its endpoint. */
function checkAnswer({ name }: Call, answer: unknown): void {
  const endpoint: Endpoint = endpoints[name]
  const validate = ajv.compile(isPending(answer) && endpoint.charge === 'post' ? PendingApproval : endpoint.output)
  if (!validate(answer))
    throw new Error(`${endpoint.method} ${endpoint.path} answered ${ajv.errorsText(validate.errors)}`)
}
