import { BlockList, isIP, type LookupFunction } from 'node:net'

// All ranges of IANA's special-purpose registries that are not globally reachable.
const notGlobal = new BlockList()
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
  notGlobal.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notGlobal.addSubnet(net, bits, 'ipv6')

// All public IPv6 addresses are in this range; the forms that embed an IPv4 address are not.
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is reachable from the whole Internet, rather than only within a network or machine. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !notGlobal.check(address, 'ipv4')
  return isIP(address) === 6 && global.check(address, 'ipv6') && !notGlobal.check(address, 'ipv6')
}

/** Wraps a lookup so that it fails for a name with any address that is not public. */
export function onlyPublic(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, result) => {
      const addresses = Array.isArray(result) ? result : []
      const notPublic = addresses.find(({ address }) => !isPublicAddress(address))
      const [first] = addresses
      if (error) done(error, '', 0)
      else if (notPublic || !first) done(new Error(`${hostname} is not allowed: it leads to no public address`), '', 0)
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
}
