import { BlockList, isIP } from 'node:net'
import { ConfigError } from '../base/config-error.js'

/** The variables that say who can reach the service and how real it is. */
export interface Exposure {
  readonly HOST: string
  readonly WEB_URL: string | undefined
  readonly CHAIN_RPC_URL: string | undefined
  readonly SOCIAL_NETWORK: 'local' | 'x' | 'x-oembed'
  readonly ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'no' | 'yes'
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether only this machine can reach the address. A name other than localhost may resolve to anything. */
export function isLoopback(host: string): boolean {
  const family = isIP(host)
  return family === 0 ? host.toLowerCase() === 'localhost' : LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether others can reach the service, as far as its configuration says. */
export function isPublic({ HOST, WEB_URL }: Pick<Exposure, 'HOST' | 'WEB_URL'>): boolean {
  return WEB_URL?.startsWith('https:') === true || !isLoopback(HOST)
}

/**
 * Whether webhooks may go to this machine: only while nobody else can make the service post there, and nothing here is real.
 * A proxy in front, or another name than localhost, says that others call it.
 */
export function allowsLoopbackWebhooks(
  config: Exposure & {
    readonly WEBHOOKS_LOOPBACK: 'auto' | 'no'
    readonly TRUST_PROXY: number
    readonly ALLOWED_HOSTS: readonly string[] | undefined
  },
): boolean {
  return config.WEBHOOKS_LOOPBACK === 'auto' && hasStandIns(config) && !isReachedByOthers(config)
}

function isReachedByOthers(
  config: Exposure & { readonly TRUST_PROXY: number; readonly ALLOWED_HOSTS: readonly string[] | undefined },
): boolean {
  const { WEB_URL, HOST, ALLOWED_HOSTS = [] } = config
  const names = [HOST, ...ALLOWED_HOSTS, ...(WEB_URL === undefined ? [] : [new URL(WEB_URL).hostname])]
  return config.TRUST_PROXY > 0 || isPublic(config) || !names.every((name) => isLoopback(bare(name)))
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** Refuses the network without passwords where it could cost somebody money or a name. */
export function refuseOpenLogin(settings: Exposure): void {
  const { SOCIAL_NETWORK, ALLOW_LOCAL_NETWORK_IN_PUBLIC, CHAIN_RPC_URL, WEB_URL, HOST } = settings
  const reasons = [
    ...(CHAIN_RPC_URL ? ['CHAIN_RPC_URL names a real chain'] : []),
    ...(WEB_URL?.startsWith('https:') ? ['WEB_URL is an https address'] : []),
    ...(isLoopback(HOST) ? [] : [`others can reach HOST ${HOST}`]),
  ]
  if (SOCIAL_NETWORK !== 'local' || ALLOW_LOCAL_NETWORK_IN_PUBLIC === 'yes' || reasons.length === 0) return
  throw new ConfigError(
    `SOCIAL_NETWORK must not be local while ${reasons.join(' and ')}: it has no passwords, so anybody could log in as anybody. ` +
      'Set SOCIAL_NETWORK to x or x-oembed, or ALLOW_LOCAL_NETWORK_IN_PUBLIC=yes if that is what you want.',
  )
}

/** Refuses a clock that is told the time where anybody could rely on it, or where others than this process tell it. */
export function refuseToldTime(
  settings: Exposure & {
    readonly CLOCK: 'system' | Date
    readonly DATABASE_URL: string | undefined
    readonly REDIS_URL: string | undefined
    readonly TRUST_PROXY: number
    readonly ALLOWED_HOSTS: readonly string[] | undefined
  },
): void {
  if (settings.CLOCK === 'system') return
  const reasons = [
    ...(settings.DATABASE_URL ? ['DATABASE_URL names a database of its own'] : []),
    ...(settings.REDIS_URL ? ['REDIS_URL joins it to other instances'] : []),
    ...(settings.CHAIN_RPC_URL ? ['CHAIN_RPC_URL names a real chain'] : []),
    ...(settings.SOCIAL_NETWORK === 'local' ? [] : ['SOCIAL_NETWORK is real']),
    ...(isReachedByOthers(settings) ? ['others can reach the service'] : []),
  ]
  if (reasons.length === 0) return
  throw new ConfigError(
    `CLOCK must be system while ${reasons.join(' and ')}: only a demo with everything embedded may be told the time. ` +
      'Remove CLOCK.',
  )
}

/** Warns of a public service whose texts could be those of another: what a wallet signs for one would count at all of them. */
export function listDoubts(
  config: Pick<Exposure, 'HOST' | 'WEB_URL'> & {
    readonly PLATFORM_NAME: string
    readonly REGISTRATION_TEXTS: 'static' | 'challenge'
  },
  defaultName: string,
): string[] {
  if (!isPublic(config) || config.PLATFORM_NAME !== defaultName || config.REGISTRATION_TEXTS === 'challenge') return []
  return [
    `Others can reach this service, and PLATFORM_NAME is ${defaultName}, as by default: what a wallet signs to register at another ` +
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
