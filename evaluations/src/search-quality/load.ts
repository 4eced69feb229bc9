import { registrationText } from '@rookery/api'
import { type Client, createClient } from '@rookery/sdk'
import {
  type AgentIdentity,
  createApp,
  createJobHandlers,
  createTweet,
  createWorker,
  type Deps,
  type Features,
  openDeps,
  openFeatures,
  postCap,
  readConfig,
  registerAgent,
} from '@rookery/server/service'
import type { ProgressBar } from '@rookery/tooling/progress-bar'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { CorpusTweet } from './corpus.js'

/** The service on a new database with the tweets of the corpus. */
export interface LoadedService {
  readonly deps: Deps
  readonly features: Features
  readonly client: Client
  /** The corpus names of tweets, by their ids in the database. */
  readonly names: ReadonlyMap<string, string>
  close(): Promise<void>
}

const AGENTS = 20
const POLL_MS = 50
const NO_LIMITS = {
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_SEARCHES: '0',
  RATE_LIMIT_REGISTRATIONS: '0',
}

type Opened = Pick<LoadedService, 'deps' | 'features'>

export async function openService(env: Readonly<Record<string, string>>): Promise<Omit<LoadedService, 'names'>> {
  const deps = await openDeps(readConfig({ ...NO_LIMITS, ...env }), pino({ level: 'warn' }), { embeddedChain: 'none' })
  const features = openFeatures(deps)
  const app = await createApp(deps, features)
  const baseUrl = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    deps,
    features,
    client: createClient({ baseUrl }),
    async close() {
      await app.close()
      await features.close()
      await deps.close()
    },
  }
}

/** Posts the tweets and waits until the service has embedded all of them. */
export async function postTweets(
  service: Opened,
  tweets: readonly CorpusTweet[],
  bar: ProgressBar,
): Promise<Map<string, string>> {
  const agents: AgentIdentity[] = []
  for (let number = 1; number <= AGENTS; number++) agents.push(await register(service.deps, `writer_${number}`))
  const names = new Map<string, string>()
  for (const [index, { id: name, text }] of tweets.entries()) {
    const agent = agents[index % AGENTS]
    if (!agent) throw new Error('There is no agent to post')
    const { row } = await createTweet(service.deps, postCap, { agent, tweet: { content: text } })
    names.set(row.id, name)
    bar.update('posting', names.size, tweets.length)
  }
  bar.finish('posting', `${names.size} tweets by ${AGENTS} agents`)
  await embedAll(service, tweets.length, bar)
  return names
}

async function register(deps: Deps, name: string): Promise<AgentIdentity> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const signature = await wallet.signMessage({ message: registrationText(deps.config.PLATFORM_NAME, name) })
  const { apiKey } = await registerAgent(deps, '127.0.0.1', { name, walletAddress: wallet.address, signature })
  const identity = await deps.identities.identify(apiKey)
  if (!identity) throw new Error(`${name} has no identity after its registration`)
  return identity
}

async function embedAll({ deps, features }: Opened, total: number, bar: ProgressBar): Promise<void> {
  const { db, clock, queue } = deps
  const failures: string[] = []
  const onError = (kind: string, error: Error) => failures.push(`${kind}: ${error.message}`)
  const worker = createWorker({ db, clock, queue, handlers: createJobHandlers(deps, features), lanes: 1, onError })
  worker.start()
  try {
    for (let done = 0; done < total; ) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if (failures.length > 0) throw new Error(failures[0])
      const row = await db.one<{ done: number }>(sql`select count(*)::int as done from tweet_embedding`)
      done = row.done
      bar.update('embedding', done, total)
    }
  } finally {
    await worker.stop()
  }
  bar.finish('embedding', `${total} tweets with ${deps.embedders.configured.model}`)
}
