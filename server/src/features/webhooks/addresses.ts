import { BlockList, isIP, type LookupFunction } from 'node:net'

// Of the special-purpose registries of IANA, everything that is not reachable from everywhere.
const closed = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed.addSubnet(net, bits, 'ipv6')

// All other public addresses of IPv6 are in here; forms that carry an address of IPv4 are not.
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Whether an address can be reached from everywhere, rather than from inside a network or a machine alone. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, 'ipv4')
  return isIP(address) === 6 && global.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** Looks names up, and refuses one that leads to any address which is not public. */
export function onlyPublic(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      const hidden = addresses.find(({ address }) => !isPublicAddress(address))
      const [first] = addresses
      if (error) done(error, '', 0)
      else if (hidden || !first) done(new Error(`${hostname} is not allowed: it leads to no public address`), '', 0)
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
}
