import { describe, expect, test } from 'vitest'
import { areaOf, networkOf, siteOf } from './network.js'

describe('the network of an address', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7:51234', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['[::ffff:192.0.2.7]:443', '192.0.2.7'],
    ['64:ff9b::192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['not:an:address', 'not:an:address'],
    ['unknown', 'unknown'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  test('of a client that has left is one for all of them', () => {
    expect(networkOf(undefined)).toBe('gone')
  })

  test.each([
    ['192.0.2.7', '192.0.2.0/24'],
    ['::ffff:192.0.2.7', '192.0.2.0/24'],
    ['2001:db8:1:2::9', '2001:db8:1::/48'],
    ['unknown', undefined],
    [undefined, undefined],
  ])('is logged as the area around it: %s as %s', (address, area) => {
    expect(areaOf(address)).toBe(area)
  })

  test('is part of a site only for IPv6', () => {
    expect(siteOf(networkOf('2001:db8:1:2::9'))).toBe('2001:db8:1::/48')
    expect(siteOf(networkOf('2001:db8:1:ffff::9'))).toBe('2001:db8:1::/48')
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', 'unknown'])
      expect(siteOf(networkOf(address))).toBeUndefined()
  })
})
