import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { type Clock, systemClock } from '../../base/clock.js'

const ANSWER_WITHIN_MS = 2_000
const FAILURE_KEPT_MS = 60_000
const MOST_FAILURES = 1_000

interface ResolveOptions {
  readonly clock?: Clock
  /** The name servers to ask instead of the machine's. */
  readonly servers?: readonly string[]
}

/**
 * Creates a lookup that asks name servers by itself. That of the system blocks one of the few threads of this process until
 * it has an answer, so a few names whose servers never answer would hold up the names of everybody, and all work on
 * files. A name that failed is not asked for again for a minute.
 */
export function createResolve({ clock = systemClock, servers }: ResolveOptions = {}): LookupFunction {
  const failures = new Map<string, { readonly error: Error; readonly until: number }>()

  async function resolve(hostname: string): Promise<LookupAddress[]> {
    const now = clock.now().getTime()
    const failure = failures.get(hostname)
    if (failure && failure.until > now) throw failure.error
    failures.delete(hostname)
    try {
      return await ask(hostname, servers)
    } catch (error) {
      failures.set(hostname, { error: error as Error, until: now + FAILURE_KEPT_MS })
      const [oldest] = failures.keys()
      if (failures.size > MOST_FAILURES && oldest !== undefined) failures.delete(oldest)
      throw error
    }
  }

  return (hostname, { all, family = 0 }, done) => {
    resolve(hostname.toLowerCase()).then(
      (addresses) => {
        const wanted = addresses.filter((address) => family === 0 || String(family).endsWith(String(address.family)))
        const [first] = wanted
        if (!first) done(new Error(`${hostname} has no address of this family`), '', 0)
        else if (all) done(null, wanted)
        else done(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => done(error, '', 0),
    )
  }
}

async function ask(hostname: string, servers: readonly string[] | undefined): Promise<LookupAddress[]> {
  // A new one each time: it reads the names of the machine's servers once.
  const resolver = new Resolver({ timeout: ANSWER_WITHIN_MS, tries: 1 })
  if (servers) resolver.setServers(servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (addresses.length === 0 && four.status === 'rejected') throw four.reason
  return addresses
}
