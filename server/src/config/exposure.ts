import { BlockList, isIP } from 'node:net'
import { ConfigError } from '../base/config-error.js'

/** The variables that say who can reach the service. */
export interface Reach {
  readonly HOST: string
  readonly WEB_URL: string | undefined
  readonly WEB_ORIGINS: readonly string[] | undefined
  readonly ALLOWED_HOSTS: readonly string[] | undefined
  readonly TRUST_PROXY: number
}

/** The variables that say who can reach the service and how real it is. */
export interface Exposure extends Reach {
  readonly CHAIN_RPC_URL: string | undefined
  readonly SOCIAL_NETWORK: 'local' | 'x' | 'x-oembed'
  readonly ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'no' | 'yes'
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  PRIVATE.addSubnet(net, bits, 'ipv4')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

// Names that no public name server answers: of one word, and those kept for private networks.
const PRIVATE_NAME = /^([a-z0-9_-]+|[a-z0-9_.-]+\.(internal|local|svc|lan|home\.arpa))\.?$/i

/** Whether only this machine can reach the address. A name other than localhost may resolve to anything. */
export function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host.toLowerCase() === 'localhost' : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/**
 * Why others than this machine can reach the service, as far as its configuration says; empty if nothing says so. A proxy
 * on this machine passes on the calls of others, so HOST alone tells nothing: a name that is not this machine's does.
 */
export function listReaches({ HOST, WEB_URL, WEB_ORIGINS = [], ALLOWED_HOSTS = [], TRUST_PROXY }: Reach): string[] {
  const ofOthers = (names: readonly string[]) => names.filter((name) => !isLoopback(name.replace(/^\[|\]$/g, '')))
  const hostOf = (origin: string) => new URL(origin).hostname
  const named = (variable: string, names: readonly string[]) =>
    ofOthers(names).map((name) => `${variable} names ${name}`)
  return [
    ...(WEB_URL?.startsWith('https:') ? ['WEB_URL is an https address'] : []),
    ...(WEB_URL?.startsWith('http:') ? named('WEB_URL', [hostOf(WEB_URL)]) : []),
    ...named('WEB_ORIGINS', WEB_ORIGINS.map(hostOf)),
    ...named('ALLOWED_HOSTS', ALLOWED_HOSTS),
    ...(TRUST_PROXY > 0 ? ['TRUST_PROXY says that a proxy is in front'] : []),
    ...ofOthers([HOST]).map((name) => `others can reach HOST ${name}`),
  ]
}

/** Whether webhooks may go to this machine: only while nobody else can make the service post there, and nothing here is real. */
export function allowsLoopbackWebhooks(config: Exposure & { readonly WEBHOOKS_LOOPBACK: 'auto' | 'no' }): boolean {
  return config.WEBHOOKS_LOOPBACK === 'auto' && hasStandIns(config) && listReaches(config).length === 0
}

/** Refuses the network without passwords where it could cost somebody money or a name. */
export function refuseOpenLogin(settings: Exposure): void {
  const { SOCIAL_NETWORK, ALLOW_LOCAL_NETWORK_IN_PUBLIC, CHAIN_RPC_URL } = settings
  const reasons = [...(CHAIN_RPC_URL ? ['CHAIN_RPC_URL names a real chain'] : []), ...listReaches(settings)]
  if (SOCIAL_NETWORK !== 'local' || ALLOW_LOCAL_NETWORK_IN_PUBLIC === 'yes' || reasons.length === 0) return
  throw new ConfigError(
    `SOCIAL_NETWORK must not be local while ${reasons.join(' and ')}: it has no passwords, so anybody could log in as anybody. ` +
      'Set SOCIAL_NETWORK to x or x-oembed, or ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes if that is what you want.',
  )
}

/** Whether only this machine and its private network can reach the address. */
function isPrivate(host: string): boolean {
  const family = isIP(host)
  if (family === 0) return PRIVATE_NAME.test(host)
  return isLoopback(host) || PRIVATE.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** Refuses play money beside anything real: a chain, an account of X, a price that means something. */
export function refuseStaging(settings: Exposure & Staging): void {
  if (!settings.STAGING_CHAIN_URL) return
  const real = (['CHAIN_RPC_URL', 'CHAIN_ID', 'CONTRACT_ADDRESS', 'PRICE_FEED', 'X_BEARER_TOKEN'] as const).filter(
    (name) => settings[name] !== undefined,
  )
  const host = new URL(settings.STAGING_CHAIN_URL).hostname.replace(/^\[|\]$/g, '')
  const reasons = [
    ...real.map((name) => `${name} is set`),
    ...(isPrivate(host) ? [] : [`${host} is not in a private network`]),
    ...(settings.SOCIAL_NETWORK === 'local' ? [] : [`SOCIAL_NETWORK is ${settings.SOCIAL_NETWORK}`]),
  ]
  if (reasons.length > 0)
    throw new ConfigError(
      `STAGING_CHAIN_URL must not be set while ${reasons.join(' and ')}: its money is play money, and nothing real may be beside it.`,
    )
  if (!settings.OPERATOR_PRIVATE_KEY)
    throw new ConfigError(
      'OPERATOR_PRIVATE_KEY must be set with STAGING_CHAIN_URL: the key of the operator of that chain.',
    )
}

/** How values that everybody can read in the repository begin: as words, and as numbers. */
const EXAMPLE = /(^|[:/@,\s])example-|^0x6578616d706c652d/i

/** Refuses the secrets of the examples where others use the service, or anything is real. */
export function refuseExampleSecrets(
  settings: Exposure & {
    readonly SERVER_SECRET: string | undefined
    readonly OPERATOR_PRIVATE_KEY: string | undefined
    readonly DATABASE_URL: string | undefined
    readonly AWS_SECRET_ACCESS_KEY: string | undefined
  },
): void {
  const names = (['SERVER_SECRET', 'OPERATOR_PRIVATE_KEY', 'DATABASE_URL', 'AWS_SECRET_ACCESS_KEY'] as const).filter(
    (name) => EXAMPLE.test(settings[name] ?? ''),
  )
  // HOST, TRUST_PROXY and ALLOWED_HOSTS are the same in every container; the address of the pages says who they are for.
  const reasons = [
    ...listReaches({ ...settings, HOST: '127.0.0.1', TRUST_PROXY: 0, ALLOWED_HOSTS: [] }),
    ...(hasStandIns(settings) ? [] : ['the chain or the social network is real']),
  ]
  if (names.length === 0 || reasons.length === 0) return
  throw new ConfigError(
    `${names.join(', ')} must not be the value of an example while ${reasons.join(' and ')}: everybody can read it. ` +
      'Make secrets of your own: npm run secrets.',
  )
}

interface Staging {
  readonly STAGING_CHAIN_URL: string | undefined
  readonly OPERATOR_PRIVATE_KEY: string | undefined
  readonly CHAIN_ID: number | undefined
  readonly CONTRACT_ADDRESS: string | undefined
  readonly PRICE_FEED: string | undefined
  readonly X_BEARER_TOKEN: string | undefined
}

/** Refuses a clock that is told the time where anybody could rely on it, or where others than this process tell it. */
export function refuseToldTime(
  settings: Exposure & {
    readonly CLOCK: 'system' | Date
    readonly DATABASE_URL: string | undefined
    readonly REDIS_URL: string | undefined
    readonly STAGING_CHAIN_URL: string | undefined
  },
): void {
  if (settings.CLOCK === 'system') return
  const reasons = [
    ...(settings.DATABASE_URL ? ['DATABASE_URL names a database of its own'] : []),
    ...(settings.REDIS_URL ? ['REDIS_URL joins it to other instances'] : []),
    ...(settings.CHAIN_RPC_URL ? ['CHAIN_RPC_URL names a real chain'] : []),
    ...(settings.STAGING_CHAIN_URL ? ['STAGING_CHAIN_URL names a chain that others share'] : []),
    ...(settings.SOCIAL_NETWORK === 'local' ? [] : ['SOCIAL_NETWORK is real']),
    ...listReaches(settings),
  ]
  if (reasons.length === 0) return
  throw new ConfigError(
    `CLOCK must be system while ${reasons.join(' and ')}: only a demo with everything embedded may be told the time. ` +
      'Remove CLOCK.',
  )
}

/** Warns of a public service whose texts could be those of another: what a wallet signs for one would count at all of them. */
export function listDoubts(
  config: Reach & { readonly PLATFORM_NAME: string; readonly REGISTRATION_TEXTS: 'static' | 'challenge' },
  defaultName: string,
): string[] {
  const [reach] = listReaches(config)
  if (!reach || config.PLATFORM_NAME !== defaultName || config.REGISTRATION_TEXTS === 'challenge') return []
  return [
    `Others can reach this service (${reach}), and PLATFORM_NAME is ${defaultName}, as by default: what a wallet signs to register at another ` +
      'service of that name counts here too. Set PLATFORM_NAME to a name of your own, or REGISTRATION_TEXTS=challenge.',
  ]
}

/** Whether the local stand-ins are served: only where neither the chain nor the social network is real. */
export function hasStandIns({
  SOCIAL_NETWORK,
  CHAIN_RPC_URL,
}: Pick<Exposure, 'SOCIAL_NETWORK' | 'CHAIN_RPC_URL'>): boolean {
  return SOCIAL_NETWORK === 'local' && !CHAIN_RPC_URL
}
