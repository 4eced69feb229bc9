import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'

// Probes and scrapers call by whatever name their network has for the service, and read nothing secret.
const FOR_PROBES: ReadonlySet<string> = new Set(['/v1/health', '/v1/live', '/v1/ready', '/metrics'])

export function isForProbes({ path }: { readonly path: string }): boolean {
  return FOR_PROBES.has(path)
}

/**
 * Refuses requests for the host names of others. A page of such a name could otherwise have it resolve to this machine,
 * and then read the service as a page of its own (DNS rebinding). Nobody can do that with an IP address or localhost, so
 * these are always allowed; the port says nothing, since proxies and containers change it.
 */
export function refuseForeignHosts(app: FastifyInstance, config: Config): void {
  const isAllowed = createHostCheck(config)
  app.addHook('onRequest', (request, reply, next) => {
    const { host } = request.raw.headers
    if (isAllowed(host) || isForProbes({ path: request.routeOptions.url ?? '' })) return next()
    reply.header('Connection', 'close')
    next(new Problem('HOST_NOT_ALLOWED'))
  })
}

type HostConfig = Pick<Config, 'HOST' | 'ALLOWED_HOSTS' | 'webUrl' | 'webOrigins'>

/** Creates the check of a `Host` header. Browsers always send one, so a request without is no page's. */
export function createHostCheck(config: HostConfig): (host: string | undefined) => boolean {
  const { HOST, ALLOWED_HOSTS = [], webUrl, webOrigins } = config
  if (ALLOWED_HOSTS.includes('*')) return () => true
  const names = new Set(
    ['localhost', HOST, ...[webUrl, ...webOrigins].map((origin) => new URL(origin).hostname), ...ALLOWED_HOSTS].map(
      (name) => name.toLowerCase(),
    ),
  )
  return (host) => {
    if (host === undefined) return true
    const name = hostnameOf(host)
    return names.has(name) || isIP(name) !== 0
  }
}

function hostnameOf(host: string): string {
  const [, ipv6] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? []
  return ipv6 ?? host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
