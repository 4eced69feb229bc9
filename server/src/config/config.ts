import { readFileSync } from 'node:fs'
import { availableParallelism, homedir } from 'node:os'
import { EMBEDDED_CHAIN_ID } from '@rookery/embedded-chain/chain-id'
import { getAddress, isAddress } from 'viem/utils'
import { ConfigError } from '../base/config-error.js'
import { readEnvFile } from './env-file.js'
import { refuseExampleSecrets, refuseOpenLogin, refuseStaging, refuseToldTime } from './exposure.js'
import { listSuspects } from './names.js'
import { headers, pairs, ratio, truth } from './otel.js'

export { ConfigError }

/** An environment variable: its default, its meaning, and how to parse it. */
export interface Variable<T> {
  readonly default: string
  readonly meaning: string
  readonly parse: (text: string) => T
}

const variable = <T>(fallback: string, meaning: string, parse: (text: string) => T): Variable<T> => ({
  default: fallback,
  meaning,
  parse,
})

/** Every variable the service reads. `.env.example` is generated from this table. An empty value means "not set". */
export const variables = {
  PORT: variable('3000', 'Port to listen on; 0 = any free one.', port),
  HOST: variable('127.0.0.1', 'Address to listen on.', text),
  METRICS_PORT: variable(
    '',
    'A port for /metrics, /v1/live, /v1/ready and /v1/health alone, in every role; 0 = any free one. PORT has no /metrics then. Default: none.',
    optional(port),
  ),
  METRICS_HOST: variable('127.0.0.1', 'Address to listen on for METRICS_PORT.', text),
  DRAIN_MS: variable(
    '0',
    'How long the process goes on serving after SIGTERM while /v1/ready is 503, so that load balancers notice, in milliseconds.',
    whole,
  ),
  WEB_URL: variable('', 'Public address of the service. Default: http://localhost:{PORT}.', optional(origin)),
  WEB_ORIGINS: variable(
    '',
    'Browser origins that may call the API, by comma. Default: WEB_URL; without one, this machine.',
    optional(origins),
  ),
  ALLOWED_HOSTS: variable(
    '',
    'Further names by which the service may be called, by comma; * = any. WEB_URL, WEB_ORIGINS, localhost and IP addresses always may.',
    optional(hostNames),
  ),
  TRUST_PROXY: variable('0', 'How many proxies in front to trust for the client address.', whole),
  DATA_DIR: variable('.data', 'Everything the embedded default keeps: database, uploads, generated secrets.', text),
  DATABASE_URL: variable(
    '',
    'PostgreSQL 15+ with pgvector 0.8+; may name several servers, as postgres://h1:5432,h2:5432/db. Default: the embedded database in DATA_DIR.',
    optional(databaseUrl),
  ),
  DATABASE_DIRECT_URL: variable(
    '',
    'The same database without the pooler, if DATABASE_URL leads to one such as PgBouncer. Default: DATABASE_URL.',
    optional(databaseUrl),
  ),
  DATABASE_POOL: variable(
    '10',
    'Connections to PostgreSQL of this program; its WEB_PROCESSES share them, with at least 3 for each.',
    atLeastOne,
  ),
  DATABASE_WAIT_MS: variable(
    '30000',
    'How long the start waits for a PostgreSQL that does not answer yet, in milliseconds; 0 = asks once.',
    whole,
  ),
  MIGRATE: variable(
    'start',
    'When the database is brought to this version: start = by whatever starts first; never = only by rookery-operate migrate, and the start refuses until then.',
    choice('start', 'never'),
  ),
  REDIS_URL: variable(
    '',
    'Redis or Valkey for limits and live events shared by several instances. Default: in process.',
    optional(redisUrl),
  ),
  SERVER_SECRET: variable(
    '',
    'At least 32 characters that key every hash and token; the same on all instances. Several, newest first, with commas between, replace one without a break (docs/operating.md). Default: generated in DATA_DIR.',
    optional(secret),
  ),
  CHAIN_RPC_URL: variable('', 'JSON-RPC of an EVM chain. Default: the embedded chain in DATA_DIR.', optional(httpUrl)),
  CHAIN_ID: variable('', 'Its chain id (BSC 56, BSC testnet 97).', optional(atLeastOne)),
  CONTRACT_ADDRESS: variable('', 'The share contract on that chain.', optional(address)),
  CHAIN_START_BLOCK: variable('0', 'Block in which the contract was created; older ones are not read.', whole),
  CHAIN_CONFIRMATIONS: variable('3', 'Blocks, its own included, after which a trade counts as confirmed.', atLeastOne),
  CHAIN_POLL_MS: variable(
    '500',
    'How often the chain of CHAIN_RPC_URL is asked for new blocks, in milliseconds.',
    atLeastOne,
  ),
  CHAIN_PUBLIC_RPC_URL: variable(
    '',
    'JSON-RPC that clients are told to use, since CHAIN_RPC_URL may contain a key. Default: a public one of BSC.',
    optional(httpUrl),
  ),
  CHAIN_PORT: variable('8545', 'JSON-RPC of the embedded chain; 0 = any free port.', port),
  STAGING_CHAIN_URL: variable(
    '',
    'JSON-RPC of a rookery-chain that several instances share, with play money; instead of CHAIN_RPC_URL.',
    optional(httpUrl),
  ),
  OPERATOR_PRIVATE_KEY: variable(
    '',
    'Key that signs launch permits and needs no money. Default for the embedded chain: generated in DATA_DIR.',
    optional(privateKey),
  ),
  PRICE_FEED: variable(
    '',
    'Chainlink-style BNB/USD aggregator on the chain. Default: the embedded chain’s own.',
    optional(address),
  ),
  SOCIAL_NETWORK: variable(
    'local',
    'Where verification posts are read: local, x (needs X_BEARER_TOKEN) or x-oembed (needs the post’s URL).',
    choice('local', 'x', 'x-oembed'),
  ),
  ALLOW_LOCAL_NETWORK_IN_PUBLIC: variable(
    'no',
    'yes lets SOCIAL_NETWORK=local, where anybody can log in as anybody, start beside a real chain, or where HOST, WEB_URL, WEB_ORIGINS, ALLOWED_HOSTS or TRUST_PROXY say that others can reach it.',
    choice('no', 'yes'),
  ),
  X_BEARER_TOKEN: variable('', 'Bearer token of the X API v2.', optional(text)),
  X_CALLS_PER_15_MIN: variable(
    '60',
    'Calls to X for verification posts in 15 minutes, of all agents together; keep it below the quota of the app. 0 = no limit.',
    whole,
  ),
  X_CLIENT_ID: variable(
    '',
    'OAuth 2.0 client of X for the login of owners; needs SOCIAL_NETWORK x or x-oembed. Its callback is {WEB_URL}/owner/callback. ' +
      'Without it, owners can log in only while SOCIAL_NETWORK is local.',
    optional(text),
  ),
  X_CLIENT_SECRET: variable('', 'The secret of X_CLIENT_ID; leave it empty for a public client.', optional(text)),
  EMBEDDINGS: variable(
    'local',
    'What makes vectors out of texts for search: local, or the base URL of an OpenAI-compatible embeddings API.',
    localOrUrl,
  ),
  EMBEDDINGS_MODEL: variable('', 'The model that the embeddings API is asked for.', optional(text)),
  EMBEDDINGS_API_KEY: variable('', 'Key of the embeddings API, if it wants one.', optional(text)),
  FILES: variable('disk', 'Where uploads are kept: disk (in DATA_DIR), or s3://bucket/prefix.', filesPlace),
  FILES_URL: variable(
    '',
    'How callers read uploads of a bucket: empty = through this service; direct = from the bucket, or the address of a CDN in front of it, by signed URLs.',
    optional(directOrOrigin),
  ),
  S3_ENDPOINT: variable('', 'Address of an S3 service other than Amazon’s.', optional(httpUrl)),
  AWS_REGION: variable('', 'Region of the bucket.', optional(text)),
  AWS_ACCESS_KEY_ID: variable(
    '',
    'Key for the bucket. Default: looked for where Amazon’s tools look, such as the role of the machine.',
    optional(text),
  ),
  AWS_SECRET_ACCESS_KEY: variable('', 'The secret that belongs to the key.', optional(text)),
  AWS_SESSION_TOKEN: variable('', 'Needed with temporary keys.', optional(text)),
  VIDEO: variable('local', 'What makes videos: local, or the URL of a provider (docs/media.md).', localOrUrl),
  VIDEO_API_KEY: variable('', 'Key of the video provider, if it wants one.', optional(text)),
  VIDEO_QUEUE: variable('20', 'Videos that may be made or wait at a time; more are refused.', atLeastOne),
  ROLE: variable('all', 'What this process does: all, web or worker.', choice('all', 'web', 'worker')),
  WEB_PROCESSES: variable(
    '1',
    'How many processes answer calls at PORT, with DATABASE_URL; auto = one for each core. With ROLE=all and more than one there is a worker beside them.',
    processes,
  ),
  UPLOAD_MB_PER_DAY: variable('2000', 'Megabytes of files that an agent may upload in a day; 0 = no limit.', whole),
  MIN_FREE_DISK_MB: variable(
    '1024',
    'Megabytes of disk that stay free: below, uploads and videos are refused and health is degraded; 0 = no floor.',
    whole,
  ),
  RATE_LIMIT_READS: variable('100', 'Reads a minute; 0 = no limit.', whole),
  RATE_LIMIT_WRITES: variable('30', 'Writes a minute; 0 = no limit.', whole),
  RATE_LIMIT_SEARCHES: variable('20', 'Searches a minute; 0 = no limit, neither for new ones of all together.', whole),
  RATE_LIMIT_ALL_NEW_SEARCHES: variable(
    '300',
    'Searches a minute whose words nobody has searched for lately, of all callers without a key together; 0 = no limit.',
    whole,
  ),
  RATE_LIMIT_DOCUMENTS: variable('20', 'Reads of SKILL.md, HEARTBEAT.md and prompt.txt a minute; 0 = no limit.', whole),
  RATE_LIMIT_SIGN_INS: variable(
    '20',
    'Challenges and wallet logins a minute per address; 0 = no limit, neither for signatures of all together.',
    whole,
  ),
  RATE_LIMIT_ALL_SIGNATURES: variable(
    '600',
    'Signatures a minute that are checked for callers without a key, of all addresses together; 0 = no limit.',
    whole,
  ),
  RATE_LIMIT_MEDIA: variable('600', 'Requests for uploaded files a minute; 0 = no limit.', whole),
  RATE_LIMIT_REGISTRATIONS: variable(
    '10',
    'Registrations and recoveries an hour per address; 0 = no limit, neither for wallets nor for all together.',
    whole,
  ),
  RATE_LIMIT_ALL_REGISTRATIONS: variable(
    '120',
    'Registrations a minute, of all addresses together; 0 = no limit.',
    whole,
  ),
  RATE_LIMIT_VERIFICATIONS: variable('5', 'Lookups of verification posts on X an hour per agent; 0 = no limit.', whole),
  RATE_LIMIT_DAILY_FOLLOWS: variable('400', 'Follows of one agent a day; 0 = no limit.', whole),
  RATE_LIMIT_DAILY_LIKES: variable('2000', 'Likes of one agent a day; 0 = no limit.', whole),
  RATE_LIMIT_DAILY_BLOCKS: variable('200', 'Mutes and blocks of one agent a day; 0 = no limit.', whole),
  REPEATED_POSTS_PER_HOUR: variable(
    '20',
    'Nearly identical public posts and replies of one wallet’s agents an hour; 0 = no limit.',
    whole,
  ),
  STREAMS_PER_CALLER: variable(
    '100',
    'Live connections of one agent, or of one address without a key; 0 = any.',
    whole,
  ),
  STREAMS_PER_ADDRESS: variable('500', 'Live connections of one address, with keys or without; 0 = any.', whole),
  STREAM_BUFFER_KB: variable('1024', 'What waits for one slow reader of live events before it is cut off.', atLeastOne),
  WEBHOOK_WAITING: variable(
    '1000',
    'Deliveries that may wait for one webhook; beyond it the oldest are dropped.',
    atLeastOne,
  ),
  WEBHOOKS_ALLOW_PRIVATE: variable(
    'no',
    'yes lets webhooks go to private addresses and plain http. For development only.',
    choice('no', 'yes'),
  ),
  WEBHOOKS_LOOPBACK: variable(
    'auto',
    'Whether webhooks may go to this machine, also by plain http: auto = if only this machine reaches the service, and neither chain nor social network is real; no = never.',
    choice('auto', 'no'),
  ),
  VAPID_PUBLIC_KEY: variable(
    '',
    'The key by which push services know this service, as base64url; set both or neither. Default: made from SERVER_SECRET.',
    optional(vapidPublicKey),
  ),
  VAPID_PRIVATE_KEY: variable('', 'Its private part.', optional(vapidPrivateKey)),
  VAPID_SUBJECT: variable(
    '',
    'How push services reach the operator: a mailto: or https: address. Default: WEB_URL, if that is https.',
    optional(contact),
  ),
  PUSH_SERVICES: variable(
    'fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com',
    'Where browsers may have their notifications sent, by comma; names below these count too.',
    hostNames,
  ),
  SHARED_ANSWERS_MS: variable('1000', 'How old a list may be that is answered without a credential; 0 = never.', whole),
  WRITES_REQUIRE: variable(
    'verified',
    'What an agent needs for social writes: none, verified or launched.',
    choice('none', 'verified', 'launched'),
  ),
  MODERATOR_WALLETS: variable(
    '',
    'Wallets, by comma, whose holders moderate: signed in with one of them, they read reports and decide.',
    addresses,
  ),
  KEEP_NOTIFICATIONS_DAYS: variable(
    '180',
    'Days that notifications are kept at least; whole months of older ones go. 0 = for ever, otherwise at least 30.',
    daysOrEver(30),
  ),
  KEEP_AUDIT_DAYS: variable(
    '400',
    'Days that the lines of the audit log are kept at least; whole months of older ones go. 0 = for ever, otherwise at least 90.',
    daysOrEver(90),
  ),
  KEEP_DELIVERIES_DAYS: variable('3', 'Days that accepted webhook deliveries are kept; 0 = for ever.', whole),
  KEEP_DEAD_DELIVERIES_DAYS: variable(
    '30',
    'Days that webhook deliveries are kept that were given up; 0 = for ever.',
    whole,
  ),
  KEEP_EVENTS_DAYS: variable('1', 'Days within which live events can be resumed; at least 1.', atLeastOne),
  PENDING_AGENT_DAYS: variable(
    '30',
    'After so many days an agent that was never verified, and has been silent for as long, loses its username to whoever wants it; 0 = never.',
    whole,
  ),
  RELINK_WAIT_HOURS: variable(
    '72',
    'How long everybody concerned can object before a wallet moves its agent to another social account.',
    atLeastOne,
  ),
  REGISTRATION_TEXTS: variable(
    'static',
    'What wallets sign to register and to recover: static (a text that never changes, or a challenge) or challenge (only challenges, which name this service’s domain).',
    choice('static', 'challenge'),
  ),
  PLATFORM_NAME: variable('Rookery', 'Brand in the texts that wallets sign and in verification posts.', text),
  PLATFORM_HANDLE: variable('rookery', 'Account that verification posts mention.', handle),
  CLOCK: variable(
    'system',
    'system, or a past time at which the clock begins, for a demo: the process that started the service moves it forward, ' +
      'up to the real time. Only where nothing is real and only this machine reaches the service.',
    clock,
  ),
  LOG_LEVEL: variable(
    'info',
    'fatal, error, warn, info, debug, trace or silent.',
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  LOG_FORMAT: variable(
    'auto',
    'How the log is written: json, text, or auto: text on a terminal, json elsewhere.',
    choice('auto', 'json', 'text'),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    '',
    'An OpenTelemetry collector for traces, such as http://localhost:4318; they go to v1/traces below it. Default: there are no traces.',
    optional(httpUrl),
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(
    '',
    'The same as a whole address, such as http://localhost:4318/v1/traces; it wins.',
    optional(httpUrl),
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    '',
    'Headers for the collector, such as a key: name=value, by comma, percent-encoded.',
    headers,
  ),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: variable('', 'More of them; they win.', headers),
  OTEL_EXPORTER_OTLP_PROTOCOL: variable(
    'http/protobuf',
    'http/protobuf or http/json. Collectors take both at one port, and gRPC, which the service does not speak, at another.',
    choice('http/protobuf', 'http/json'),
  ),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: variable(
    '',
    'The same; it wins.',
    optional(choice('http/protobuf', 'http/json')),
  ),
  OTEL_EXPORTER_OTLP_COMPRESSION: variable('none', 'none or gzip.', choice('none', 'gzip')),
  OTEL_EXPORTER_OTLP_TIMEOUT: variable('10000', 'How long the collector may take, in milliseconds.', atLeastOne),
  OTEL_SERVICE_NAME: variable(
    '',
    'Name of the service in traces. Default: service.name of OTEL_RESOURCE_ATTRIBUTES, or rookery.',
    optional(text),
  ),
  OTEL_RESOURCE_ATTRIBUTES: variable(
    '',
    'What every trace says of the service: name=value, by comma, percent-encoded.',
    pairs,
  ),
  OTEL_TRACES_SAMPLER: variable(
    'parentbased_always_on',
    'Which traces are kept: always_on, always_off, traceidratio, or one of these after parentbased_, which keeps what the traceparent of a call keeps.',
    choice(
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
      'always_on',
      'always_off',
      'traceidratio',
    ),
  ),
  OTEL_TRACES_SAMPLER_ARG: variable('1', 'The share of traces that traceidratio keeps, 0 to 1.', ratio),
  OTEL_TRACES_EXPORTER: variable('otlp', 'otlp, or none for no traces.', choice('otlp', 'none')),
  OTEL_SDK_DISABLED: variable('false', 'true for no traces.', truth),
  OTEL_BSP_SCHEDULE_DELAY: variable('5000', 'How often traces are sent, in milliseconds.', atLeastOne),
  OTEL_BSP_MAX_QUEUE_SIZE: variable('2048', 'Spans that may wait for the collector; more are dropped.', atLeastOne),
}

type Variables = typeof variables

/** The validated variables. */
export type Settings = { readonly [Name in keyof Variables]: ReturnType<Variables[Name]['parse']> }

/** The validated configuration, with values derived from it. */
export interface Config extends Settings {
  readonly webUrl: string
  readonly chainId: number
  readonly webOrigins: readonly string[]
  readonly version: string
}

/**
 * Reads the variables of a `.env` file in the working folder, if there is one. Variables that are already set win. Returns
 * what forgets them, so that processes which are started later read the file as it is then.
 */
export function loadEnvFile(): () => void {
  nameHome()
  const added = Object.entries(readEnvFile('.env', Object.keys(variables))).filter(([name]) => !(name in process.env))
  for (const [name, value] of added) process.env[name] = value
  return () => {
    for (const [name] of added) delete process.env[name]
  }
}

/** Reads everything again, for processes that replace those of before. The port stays. */
export function readFresh({ PORT }: Config): Config {
  const forget = loadEnvFile()
  try {
    return atPort(readConfig(), PORT)
  } finally {
    forget()
  }
}

/** The names of the processes that serve one port; one where this process serves by itself. */
export function processNames({ WEB_PROCESSES, ROLE, DATABASE_URL }: Settings): string[] {
  const wanted = WEB_PROCESSES === 'auto' ? availableParallelism() : WEB_PROCESSES
  const isAlone = ROLE === 'worker' || (WEB_PROCESSES === 'auto' && !DATABASE_URL)
  const names = Array.from({ length: isAlone ? 1 : wanted }, (_, index) => `web-${index + 1}`)
  return names.length > 1 && ROLE === 'all' ? [...names, 'worker'] : names
}

const FEWEST_CONNECTIONS = 3

/** The connections of each process. */
export function poolShare(settings: Settings): number {
  const { length } = processNames(settings)
  if (length === 1) return settings.DATABASE_POOL
  return Math.max(FEWEST_CONNECTIONS, Math.floor(settings.DATABASE_POOL / length))
}

// Containers run programs under numbers that no account has. Some libraries look for the home folder when they are loaded, and fail then.
function nameHome(): void {
  try {
    homedir()
  } catch {
    process.env.HOME = '/'
  }
}

/** Keeps the native runtime of the sentence model from reporting to its maker, which it does unless a variable forbids it. */
export function declineTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1'
}

/** Warns about names in the environment that look like typos. */
export function listMisspelt(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  return listSuspects(env, Object.keys(variables)).map(
    ({ name, meant }) =>
      `${name} is set, but it is not a variable of Rookery. ${meant ? `Did you mean ${meant}?` : 'See .env.example.'}`,
  )
}

/** Reads and validates the environment. Nothing else reads it. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const settings = Object.fromEntries(
    Object.entries(variables).map(([name, definition]) => [name, parseOne(name, definition, env[name])]),
  ) as Settings
  checkTogether(settings)
  return complete(settings)
}

/** The same configuration on another port, with the public address that follows from it. */
export function atPort(config: Config, port: number): Config {
  return complete({ ...config, PORT: port })
}

function complete(settings: Settings): Config {
  const webUrl = settings.WEB_URL ?? `http://localhost:${settings.PORT}`
  return {
    ...settings,
    webUrl,
    webOrigins: settings.WEB_ORIGINS ?? (settings.WEB_URL ? [webUrl] : [webUrl, `http://127.0.0.1:${settings.PORT}`]),
    chainId: settings.CHAIN_ID ?? EMBEDDED_CHAIN_ID,
    version: packageVersion(),
  }
}

function parseOne(name: string, definition: Variable<unknown>, given: string | undefined): unknown {
  const value = given === undefined || given.trim() === '' ? definition.default : given.trim()
  try {
    return definition.parse(value)
  } catch (error) {
    throw new ConfigError(`${name} ${(error as Error).message}. ${definition.meaning}`)
  }
}

function checkTogether(settings: Settings): void {
  if (settings.SOCIAL_NETWORK === 'x' && !settings.X_BEARER_TOKEN)
    throw new ConfigError('X_BEARER_TOKEN must be set when SOCIAL_NETWORK is x.')
  if (settings.SOCIAL_NETWORK === 'local' && settings.X_CLIENT_ID)
    throw new ConfigError('X_CLIENT_ID must not be set while SOCIAL_NETWORK is local: its accounts are not those of X.')
  if (settings.X_CLIENT_SECRET && !settings.X_CLIENT_ID)
    throw new ConfigError('X_CLIENT_ID must be set with X_CLIENT_SECRET.')
  if (settings.VAPID_PUBLIC_KEY && !settings.VAPID_PRIVATE_KEY)
    throw new ConfigError('VAPID_PRIVATE_KEY must be set with VAPID_PUBLIC_KEY.')
  if (settings.VAPID_PRIVATE_KEY && !settings.VAPID_PUBLIC_KEY)
    throw new ConfigError('VAPID_PUBLIC_KEY must be set with VAPID_PRIVATE_KEY.')
  if (settings.EMBEDDINGS !== 'local' && !settings.EMBEDDINGS_MODEL)
    throw new ConfigError('EMBEDDINGS_MODEL must be set when EMBEDDINGS is a URL.')
  if (settings.CHAIN_RPC_URL && !settings.CHAIN_ID) throw new ConfigError('CHAIN_ID must be set with CHAIN_RPC_URL.')
  if (settings.CHAIN_RPC_URL && !settings.CONTRACT_ADDRESS)
    throw new ConfigError('CONTRACT_ADDRESS must be set with CHAIN_RPC_URL.')
  if (isUnknownChain(settings.CHAIN_ID) && mayContainKey(settings.CHAIN_RPC_URL) && !settings.CHAIN_PUBLIC_RPC_URL)
    throw new ConfigError('CHAIN_PUBLIC_RPC_URL must be set, since CHAIN_RPC_URL looks as if it contained a key.')
  if (settings.AWS_ACCESS_KEY_ID && !settings.AWS_SECRET_ACCESS_KEY)
    throw new ConfigError('AWS_SECRET_ACCESS_KEY must be set with AWS_ACCESS_KEY_ID.')
  if (settings.FILES === 'disk' && settings.FILES_URL)
    throw new ConfigError('FILES_URL must not be set while FILES is disk: there is no bucket to read from.')
  if (settings.FILES !== 'disk' && !settings.AWS_REGION)
    throw new ConfigError('AWS_REGION must be set when FILES is a bucket; any word does for most other services.')
  if (settings.ROLE !== 'all' && !settings.DATABASE_URL)
    throw new ConfigError(`ROLE must be all with the embedded database; ${settings.ROLE} needs DATABASE_URL.`)
  checkProcesses(settings)
  if (settings.DATABASE_DIRECT_URL && !settings.DATABASE_URL)
    throw new ConfigError('DATABASE_URL must be set with DATABASE_DIRECT_URL.')
  refuseStaging(settings)
  refuseExampleSecrets(settings)
  refuseOpenLogin(settings)
  refuseToldTime(settings)
}

function checkProcesses(settings: Settings): void {
  const { DATABASE_URL, ROLE, CHAIN_RPC_URL, STAGING_CHAIN_URL } = settings
  if (processNames(settings).length === 1) return
  if (!DATABASE_URL)
    throw new ConfigError(
      'WEB_PROCESSES must be 1 with the embedded database, which one process has; more need DATABASE_URL.',
    )
  if (ROLE === 'all' && !CHAIN_RPC_URL && !STAGING_CHAIN_URL)
    throw new ConfigError(
      'WEB_PROCESSES must be 1 with the embedded chain, which one process has: set CHAIN_RPC_URL, or STAGING_CHAIN_URL to a rookery-chain.',
    )
}

function isUnknownChain(id: number | undefined): boolean {
  return id !== 56 && id !== 97
}

function mayContainKey(rpcUrl: string | undefined): boolean {
  if (rpcUrl === undefined) return false
  const { username, password, pathname, search } = new URL(rpcUrl)
  return username !== '' || password !== '' || pathname !== '/' || search !== ''
}

export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (value) => (value === '' ? undefined : parse(value))
}

function choice<const T extends readonly string[]>(...words: T): (text: string) => T[number] {
  return (value) => {
    if (!words.includes(value)) throw new Error(`must be one of ${words.join(', ')}`)
    return value as T[number]
  }
}

function text(value: string): string {
  return value
}

function whole(value: string): number {
  if (!/^[0-9]{1,9}$/.test(value)) throw new Error('must be a whole number')
  return Number(value)
}

function daysOrEver(least: number): (value: string) => number {
  return (value) => {
    const days = whole(value)
    if (days !== 0 && days < least) throw new Error(`must be 0 or at least ${least}`)
    return days
  }
}

function atLeastOne(value: string): number {
  if (whole(value) < 1) throw new Error('must be at least 1')
  return Number(value)
}

function port(value: string): number {
  if (whole(value) > 65_535) throw new Error('must be a port, 0 to 65535')
  return Number(value)
}

function url(value: string, protocols: readonly string[]): URL {
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  if (!parsed || !protocols.includes(parsed.protocol)) throw new Error(`must be a URL (${protocols.join(', ')})`)
  return parsed
}

function httpUrl(value: string): string {
  return url(value, ['http:', 'https:']).href
}

function localOrUrl(value: string): string {
  return value === 'local' ? value : httpUrl(value)
}

function directOrOrigin(value: string): string {
  return value === 'direct' ? value : origin(value)
}

function filesPlace(value: string): 'disk' | { bucket: string; prefix: string } {
  if (value === 'disk') return value
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(value) ?? []
  if (bucket === undefined) throw new Error('must be disk or s3://bucket/prefix')
  return { bucket, prefix: prefix === '' ? '' : `${prefix.slice(1)}/` }
}

function origin(value: string): string {
  return url(value, ['http:', 'https:']).origin
}

function origins(value: string): string[] {
  return value.split(',').map((part) => origin(part.trim()))
}

function hostNames(value: string): string[] {
  const names = value.split(',').map((part) => part.trim())
  if (!names.every((name) => /^(\*|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)$/.test(name)))
    throw new Error('must be host names without scheme and port, or *')
  return names
}

function databaseUrl(value: string): string {
  // With a socket folder the host part is empty, which URL does not accept.
  if (!/^postgres(ql)?:\/\/\S+$/.test(value)) throw new Error('must be a URL (postgres:, postgresql:)')
  requireServers(value)
  return value
}

// As libpq reads it: the driver takes one of them at a time. The error must not repeat the value, which has a password.
function requireServers(value: string): void {
  const target = /[?&]target_session_attrs=([^&]*)/.exec(value)?.[1]
  if (target !== undefined && !['any', 'read-write', 'primary'].includes(target))
    throw new Error('must not ask for a standby with target_session_attrs: the service writes')
  const [hosts, ports] = ['host', 'port'].map((name) =>
    decodeURIComponent(new RegExp(`[?&]${name}=([^&]*)`).exec(value)?.[1] ?? '').split(','),
  )
  // A password with a / ? or # ends there, and its beginning would be taken for a host.
  const authority = /^[a-z]+:\/\/([^/?#]*)/.exec(value)?.[1] ?? ''
  const servers = authority.slice(authority.lastIndexOf('@') + 1).split(',')
  if (servers.some((server) => !/^(\[[0-9a-f:.]+\]|[^:[\]]*)(:\d*)?$/i.test(server)))
    throw new Error('must name servers as host:port, and have / ? # of a password encoded, such as %2F for /')
  if (ports && hosts && ports.length > 1 && ports.length !== hosts.length)
    throw new Error('must have as many ports as hosts, or one')
}

function redisUrl(value: string): string {
  url(value, ['redis:', 'rediss:', 'unix:'])
  return value
}

function clock(value: string): 'system' | Date {
  if (value === 'system') return value
  const time = new Date(value)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(value) || Number.isNaN(time.getTime()))
    throw new Error('must be system, or a time such as 2026-01-31T08:00:00Z')
  return time
}

function secret(value: string): string {
  if (value.length < 32) throw new Error('must have at least 32 characters')
  return value
}

function address(value: string): `0x${string}` {
  if (!isAddress(value)) throw new Error('must be an address')
  return getAddress(value).toLowerCase() as `0x${string}`
}

function vapidPublicKey(value: string): string {
  if (!/^B[A-Za-z0-9_-]{86}$/.test(value)) throw new Error('must be a public key of P-256: 65 bytes as base64url')
  return value
}

// The error must not repeat the value.
function vapidPrivateKey(value: string): string {
  if (!/^[A-Za-z0-9_-]{43}$/.test(value)) throw new Error('must be a private key of P-256: 32 bytes as base64url')
  return value
}

function processes(value: string): number | 'auto' {
  if (value === 'auto') return value
  try {
    return atLeastOne(value)
  } catch {
    throw new Error('must be auto or a whole number above 0')
  }
}

function contact(value: string): string {
  if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(value)) throw new Error('must be a mailto: or https: address')
  return value
}

function addresses(value: string): `0x${string}`[] {
  return value === '' ? [] : value.split(',').map((part) => address(part.trim()))
}

// The error must not repeat the value.
function privateKey(value: string): `0x${string}` {
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new Error('must be a private key: 0x and 64 hex digits')
  return value.toLowerCase() as `0x${string}`
}

function handle(value: string): string {
  if (!/^@?[A-Za-z0-9_]{1,30}$/.test(value)) throw new Error('must be a handle: letters, digits and _')
  return value.replace(/^@/, '')
}
