import { isIPv4, isIPv6 } from 'node:net'

/** What counts as one client: an IPv4 address, or the /64 that an IPv6 line has to itself. */
export type Network = string

// One IPv6 line has 2^64 addresses, so counting whole addresses would limit nobody.
const LINE_GROUPS = 4
const SITE_GROUPS = 3

// A client that has left has no address any more, although its request is still being answered.
const GONE = 'gone'

/** The network of a client's address. Anything that is no address stands for itself. */
export function networkOf(address: string | undefined): Network {
  if (address === undefined) return GONE
  // Nearly all callers: nothing to parse.
  if (!address.includes(':')) return address
  const bare = withoutPort(address)
  if (!isIPv6(bare)) return bare
  const groups = groupsOf(bare)
  return embeddedIPv4(groups) ?? `${groups.slice(0, LINE_GROUPS).map(hex).join(':')}::/64`
}

/** The /48 around a network, which is what one customer can have at most; undefined for IPv4. */
export function siteOf(network: Network): string | undefined {
  if (!network.endsWith('::/64')) return undefined
  return `${network.split(':').slice(0, SITE_GROUPS).join(':')}::/48`
}

/**
 * The area of a client's address for logs: the /24 around an IPv4 address or the /48 around an IPv6 one, which says where a
 * flood comes from and not who the client is.
 */
export function areaOf(address: string | undefined): string | undefined {
  const network = networkOf(address)
  const site = siteOf(network)
  if (site !== undefined) return site
  return isIPv4(network) ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : undefined
}

// Some proxies add the port, and link-local addresses carry the name of an interface.
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(address) ?? []
  const [, ipv4] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? []
  return (bracketed ?? ipv4 ?? address).replace(/%.*$/, '')
}

function groupsOf(address: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  const [, front = '', a, b, c, d] = dotted ?? []
  const plain = dotted ? `${front}${hex(Number(a) * 256 + Number(b))}:${hex(Number(c) * 256 + Number(d))}` : address
  const [before = '', after] = plain.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  if (after === undefined) return read(before)
  const missing = 8 - read(before).length - read(after).length
  return [...read(before), ...Array<number>(missing).fill(0), ...read(after)]
}

// ::ffff:0:0/96 is what a socket for both families shows for IPv4, and 64:ff9b::/96 what NAT64 makes of it.
function embeddedIPv4(groups: readonly number[]): string | undefined {
  const prefix = groups.slice(0, 6).map(hex).join(':')
  if (prefix !== '0:0:0:0:0:ffff' && prefix !== '64:ff9b:0:0:0:0') return undefined
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function hex(group: number): string {
  return group.toString(16)
}
